import { createAgentModels } from '../../runtime/agents/models/agent-models.js'
import { createOutgoing } from '../../runtime/outgoing/client.js'
import { createWork } from '../../runtime/work/work.js'
import { type FakeProviders, startProviders } from '../../sandbox/providers/index.js'
import type { AgentModels, ModelAddress, ModelStep, Provider } from '../../schemas/agents/models.js'
import type { InstanceId } from '../../schemas/ids.js'

export interface ModelWorld {
  readonly providers: FakeProviders
  readonly models: AgentModels
  address(provider: Provider, model?: string, other?: Partial<ModelAddress>): ModelAddress
}

/** Models that the fakes know, one for each provider. */
const usualModels: Readonly<Record<Provider, string>> = {
  openai: 'gpt-4o-mini',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-3-flash',
  deepseek: 'deepseek-v4-flash',
  custom: 'qwen3:8b',
}

export const allProviders = Object.keys(usualModels) as Provider[]

/** Starts fakes of the providers and the real client to them. */
export async function startModels(
  t: { after(end: () => Promise<void>): void },
  perInstanceMax = 8,
): Promise<ModelWorld> {
  const providers = await startProviders()
  const outgoing = createOutgoing({
    allowPrivateAddresses: false,
    privateHosts: [providers.host],
    userAgent: 'posthorn-test',
  })
  t.after(async () => {
    await outgoing.close()
    await providers.close()
  })
  return {
    providers,
    models: createAgentModels({ outgoing, perInstanceMax, work: createWork() }),
    address: (provider, model = usualModels[provider], other = {}) => ({
      instance: 'i00000000000test' as InstanceId,
      provider,
      model,
      baseUrl: providers.baseUrl(provider),
      apiKey: `sk-${provider}-key-of-a-test`,
      ...other,
    }),
  }
}

export function question(text: string, other: Partial<ModelStep> = {}): ModelStep {
  return {
    messages: [
      { role: 'system', text: 'You are polite.' },
      { role: 'user', parts: [{ type: 'text', text }] },
    ],
    tools: [],
    toolChoice: 'auto',
    maxTokens: 1000,
    ...other,
  }
}

export function calling(timeoutMs = 60_000): { readonly signal: AbortSignal; readonly timeoutMs: number } {
  return { signal: new AbortController().signal, timeoutMs }
}
