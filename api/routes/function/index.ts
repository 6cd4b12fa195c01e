import { isReserved } from '../../../schemas/agents/reserved-placeholders.js'
import type { FunctionListReply, TestFunctionReply, TestFunctionRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { instanceRoute, type Route } from '../../route.js'
import { editFunction } from './edit.js'
import { functionRecord } from './record.js'

const testFunction = instanceRoute<TestFunctionRequest>({
  method: 'POST',
  path: '/function/test',
  name: 'testFunction',
  area: 'Agent',
  scope: 'token',
  summary: 'Call a function as a model would',
  schema: 'function/test.json',
  errors: ['FUNCTION_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<TestFunctionReply> {
    const { id, arguments: given = {}, placeholders = {} } = body
    const stranger = Object.keys(placeholders).find((name) => !isReserved(name))
    if (stranger !== undefined)
      throw invalidField('placeholders', `has ${JSON.stringify(stranger)}, which the gateway does not fill`)
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    return await ports.functionTrials.run(instance, id, { arguments: text, placeholders })
  },
})

const listFunctions = instanceRoute({
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

/** Routes of the area, in the order of the documentation. */
export const functionRoutes: readonly Route[] = [editFunction, listFunctions, testFunction]
