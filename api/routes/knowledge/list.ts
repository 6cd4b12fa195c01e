import type { KnowledgeListReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { knowledgeRecord } from './record.js'

export const listKnowledge = instanceRoute({
  method: 'GET',
  path: '/knowledge/list',
  isSearch: true,
  name: 'listKnowledge',
  area: 'Agent',
  scope: 'read',
  summary: 'List the knowledge of the agent',
  schema: 'knowledge/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<KnowledgeListReply> {
    return (await ports.knowledge.list(instance.id)).map((row) => knowledgeRecord(row, instance.owner))
  },
})
