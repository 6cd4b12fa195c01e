import type { AgentListReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { agentRecord } from './record.js'

export const listAgents = instanceRoute({
  method: 'GET',
  path: '/agent/list',
  isSearch: true,
  name: 'listAgents',
  area: 'Agent',
  scope: 'read',
  summary: 'List the agents',
  schema: 'agent/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<AgentListReply> {
    return (await ports.agents.agents(instance.id)).map((row) => agentRecord(row, instance.owner))
  },
})
