import type { TriggerListReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { triggerRecord } from './record.js'

export const listTriggers = instanceRoute({
  method: 'GET',
  path: '/trigger/list',
  isSearch: true,
  name: 'listTriggers',
  area: 'Agent',
  scope: 'read',
  summary: 'List the triggers',
  schema: 'trigger/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<TriggerListReply> {
    return (await ports.agents.triggers(instance.id)).map((row) => triggerRecord(row, instance.owner))
  },
})
