import type { AgentRow } from '../../../schemas/agents/records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Agent, EditAgentRequest } from '../../../schemas/generated.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { ApiPorts } from '../../ports.js'
import { Created, instanceRoute } from '../../route.js'
import { changedAgent, missingFields } from './fields.js'
import { agentRecord } from './record.js'

export const editAgent = instanceRoute<EditAgentRequest>({
  method: 'POST',
  path: '/agent/edit',
  name: 'editAgent',
  area: 'Agent',
  scope: 'token',
  summary: 'Create, change or delete an agent that answers messages with a language model',
  schema: 'agent/edit.json',
  creates: true,
  errors: [
    ...(['AGENT_NOT_FOUND', 'AGENT_IN_USE', 'URL_NOT_ALLOWED', 'RECORD_LIMIT'] as const),
    ...(['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'] as const),
  ],
  async handle({ instance, body }, { ports }): Promise<Agent | Created> {
    const { id = '', delete: isDeleted = false, agent: given = {} } = body
    const former = id === '' ? null : await ports.agents.findAgent(instance.id, id)
    if (former === null && id !== '') throw new GatewayError('AGENT_NOT_FOUND')
    if (isDeleted) return agentRecord(await deleted(ports, instance, former), instance.owner)
    const { openaiKeyMask } = await ports.agents.settings(instance.id)
    await checkAgent(ports, instance, former, changedAgent(former, given, openaiKeyMask))
    // An owner that cannot be reached is noticed before anything is stored.
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    const row = await ports.agents.saveAgent(instance.id, former?.id ?? null, (stored) => {
      if (stored === null && former !== null) throw new GatewayError('AGENT_NOT_FOUND')
      return changedAgent(stored, given, openaiKeyMask)
    })
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    const record = agentRecord(row, instance.owner)
    return former === null ? new Created(record) : record
  },
})

/** Checks an address that is new. @throws GatewayError URL_NOT_ALLOWED */
async function checkAgent(
  { agentChecks }: Pick<ApiPorts, 'agentChecks'>,
  { id }: InstanceRow,
  former: AgentRow | null,
  { baseUrl }: ReturnType<typeof changedAgent>,
): Promise<void> {
  if (baseUrl !== '' && baseUrl !== former?.baseUrl) await agentChecks.address(id, baseUrl)
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
