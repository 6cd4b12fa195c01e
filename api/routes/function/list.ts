import type { FunctionListReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { functionRecord } from './record.js'

export const listFunctions = instanceRoute({
  method: 'GET',
  path: '/function/list',
  isSearch: true,
  name: 'listFunctions',
  area: 'Agent',
  scope: 'read',
  summary: 'List the functions that agents may call',
  schema: 'function/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<FunctionListReply> {
    return (await ports.agentRecords.functions(instance.id)).map((row) => functionRecord(row, instance.owner))
  },
})
