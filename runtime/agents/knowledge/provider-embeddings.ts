import type { AgentModels, ModelAddress } from '../../../schemas/agents/models.js'
import type { AgentDirectory } from '../../../schemas/agents/records.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { DayBudget } from '../../../schemas/ports/day-budget.js'
import { estimateTokens } from '../models/answer.js'
import type { Embeddings } from './embeddings.js'

type ModelKeys = Pick<AgentDirectory, 'agents' | 'agentKey' | 'openaiKey'>

/** Fewer dimensions than the models have cost little of the quality, and less of the memory. */
const OPENAI = { provider: 'openai', model: 'text-embedding-3-small', dimensions: 512 } as const
const GEMINI = { provider: 'gemini', model: 'gemini-embedding-001', dimensions: 768 } as const
const TIMEOUT_MS = { query: 5_000, document: 60_000 }

/** Vectors of documents leave half of the day to answers: a large import must not silence agents. */
const LEAVES = { query: 0, document: 0.5 }

/** The instance's own OpenAI key comes first, then the key of an agent of OpenAI, then of Gemini. */
export function createEmbeddings(models: Pick<AgentModels, 'embed'>, keys: ModelKeys, budget: DayBudget): Embeddings {
  return {
    async of(instance) {
      const found = await addressOf(instance, keys)
      if (found === null) return null
      const { address, dimensions } = found
      return {
        model: `${address.provider}/${address.model}`,
        dimensions,
        async embed(purpose, texts, signal) {
          const options = { purpose, dimensions, signal, timeoutMs: TIMEOUT_MS[purpose] }
          const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
          const planned = { instance, tokens, prices: 'embedding', leaves: LEAVES[purpose] } as const
          return (await budget.spend(planned, () => models.embed(address, texts, options))).vectors
        },
      }
    },
  }
}

async function addressOf(
  instance: InstanceId,
  keys: ModelKeys,
): Promise<{ readonly address: ModelAddress; readonly dimensions: number } | null> {
  const addressAt = ({ provider, model, dimensions }: typeof OPENAI | typeof GEMINI, apiKey: string) => ({
    address: { instance, provider, model, baseUrl: null, apiKey },
    dimensions,
  })
  const own = await keys.openaiKey(instance)
  if (own !== null && own !== '') return addressAt(OPENAI, own)
  // A server at another address may have no embeddings.
  const agents = (await keys.agents(instance)).filter(
    ({ baseUrl, blockedReason }) => baseUrl === '' && blockedReason === '',
  )
  for (const kind of [OPENAI, GEMINI])
    for (const { id } of agents.filter(({ provider }) => provider === kind.provider)) {
      const key = await keys.agentKey(instance, id)
      if (key !== null && key !== '') return addressAt(kind, key)
    }
  return null
}
