import type { AgentRow } from '../../../schemas/agents/records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Agent, EditAgentRequest } from '../../../schemas/generated.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { ApiPorts } from '../../ports.js'
import { Created, instanceRoute } from '../../route.js'
import { type ChangedAgent, changedAgent, missingFields } from './fields.js'

const MILLION = 1_000_000

export function agentRecord(row: AgentRow, owner: string): Agent {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    model: row.model,
    apikey: row.keyMask,
    baseUrl: row.baseUrl,
    embeddingModel: row.embeddingModel,
    basePrompt: row.basePrompt,
    maxTokens: row.maxTokens,
    ...pickScales(row),
    signMessages: row.signMessages,
    readMessages: row.readMessages,
    maxMessageLength: row.maxMessageLength,
    typingDelay_seconds: row.typingDelaySeconds,
    contextTimeWindow_hours: row.contextHours,
    contextMaxMessages: row.contextMessagesMax,
    contextMinMessages: row.contextMessagesMin,
    functions: row.functions === null ? null : [...row.functions],
    knowledge: row.knowledge === null ? null : [...row.knowledge],
    fallbackMessage: row.fallbackMessage,
    inputPrice: row.inputPrice === null ? null : row.inputPrice / MILLION,
    outputPrice: row.outputPrice === null ? null : row.outputPrice / MILLION,
    blockedReason: row.blockedReason,
    blockedCode: row.blockedCode,
    embeddingError: row.embeddingError,
    embeddingCode: row.embeddingCode,
    owner,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  }
}

/** Leaves out scales that were not chosen. */
function pickScales({ temperature, diversityLevel, frequencyPenalty, presencePenalty }: AgentRow) {
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(diversityLevel === null ? {} : { diversityLevel }),
    ...(frequencyPenalty === null ? {} : { frequencyPenalty }),
    ...(presencePenalty === null ? {} : { presencePenalty }),
  }
}

export const editAgent = instanceRoute<EditAgentRequest>({
  method: 'POST',
  path: '/agent/edit',
  name: 'editAgent',
  area: 'Agent',
  scope: 'token',
  summary: 'Create, change or delete an agent that answers messages with a language model',
  schema: 'agent/edit.json',
  idempotent: 'kept',
  creates: true,
  errors: [
    ...(['AGENT_NOT_FOUND', 'AGENT_IN_USE', 'URL_NOT_ALLOWED', 'RECORD_LIMIT', 'RATE_LIMITED'] as const),
    ...(['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'] as const),
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<Agent | Created> {
    const { id = '', delete: isDeleted = false, agent: given = {} } = body
    const former = id === '' ? null : await ports.agents.findAgent(instance.id, id)
    if (former === null && id !== '') throw new GatewayError('AGENT_NOT_FOUND')
    if (isDeleted) return agentRecord(await deleted(ports, instance, former), instance.owner)
    const { openaiKeyMask } = await ports.agents.settings(instance.id)
    const after = changedAgent(former, given, openaiKeyMask)
    const isOther = former === null || isAskedDifferently(former, after)
    if (isOther) warnings.push(...(await checkAgent(ports, instance, former, after)))
    // An owner that cannot be reached is noticed before anything is stored.
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    const row = await ports.agents.saveAgent(instance.id, former?.id ?? null, (stored) => {
      if (stored === null && former !== null) throw new GatewayError('AGENT_NOT_FOUND')
      return changedAgent(stored, given, openaiKeyMask)
    })
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    if (isOther || lendsAnew(former, after)) await ports.knowledgeKeys.changed(instance.id)
    const record = agentRecord(row, instance.owner)
    return former === null ? new Created(record) : record
  },
})

/** Returns true if knowledge may have vectors of the agent's provider after the edit, which it had not before. */
function lendsAnew(former: AgentRow, { embeddingModel }: ChangedAgent): boolean {
  return former.blockedReason !== '' || former.embeddingError !== '' || former.embeddingModel !== embeddingModel
}

/** Returns true if calls of the model after the edit have another key, model or address. */
function isAskedDifferently(former: AgentRow, { key, provider, model, baseUrl }: ChangedAgent): boolean {
  if (key !== undefined) return true
  return provider !== former.provider || model !== former.model || baseUrl !== former.baseUrl
}

/**
 * Checks a new address, and asks the provider. Returns warnings.
 * @throws GatewayError URL_NOT_ALLOWED, INVALID_REQUEST, RATE_LIMITED
 */
async function checkAgent(
  { agentChecks, agents }: Pick<ApiPorts, 'agentChecks' | 'agents'>,
  { id: instance }: InstanceRow,
  former: AgentRow | null,
  after: ChangedAgent,
): Promise<readonly string[]> {
  const { provider, model, baseUrl } = after
  if (baseUrl !== '' && baseUrl !== former?.baseUrl) await agentChecks.address(instance, baseUrl)
  const apiKey = await keyAfter(agents, instance, former, after)
  const address = { instance, provider, model, baseUrl: baseUrl === '' ? null : baseUrl, apiKey }
  const warning = await agentChecks.model(address)
  return warning === null ? [] : [warning]
}

/** Returns the key with which the model is called after the edit. Empty: without one. */
async function keyAfter(
  agents: Pick<ApiPorts['agents'], 'agentKey' | 'openaiKey'>,
  instance: InstanceRow['id'],
  former: AgentRow | null,
  { key, provider }: ChangedAgent,
): Promise<string> {
  if (typeof key === 'string') return key
  const isKept = key === undefined && former !== null && former.keyMask !== ''
  if (isKept) return (await agents.agentKey(instance, former.id)) ?? ''
  return provider === 'openai' ? ((await agents.openaiKey(instance)) ?? '') : ''
}

/** @throws GatewayError AGENT_IN_USE, AGENT_NOT_FOUND, INVALID_REQUEST */
async function deleted(
  { agents }: Pick<ApiPorts, 'agents'>,
  { id: instance }: InstanceRow,
  former: AgentRow | null,
): Promise<AgentRow> {
  if (former === null) throw missingFields(['id'])
  // No trigger names it, so the owner does not have it in memory.
  if (!(await agents.deleteAgent(instance, former.id))) throw new GatewayError('AGENT_NOT_FOUND')
  return former
}
