import { isReserved } from '../../../schemas/agents/reserved-placeholders.js'
import { GatewayError } from '../../../schemas/errors.js'
import {
  changedHeaders,
  endpointOrigin,
  findInFunction,
  hasCredentials,
  isEndpoint,
  isSound,
  maskHeaderLines,
} from '../../../schemas/function-rules.js'
import type {
  EditFunctionRequest,
  FunctionListReply,
  FunctionRecord,
  TestFunctionReply,
  TestFunctionRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'
import { instanceRoute, type Route } from '../../route.js'

function functionRecord(row: FunctionRow, owner: string): FunctionRecord {
  const { undocumented, headerError, bodyError, created, updated, parameters, ...fields } = row
  return {
    ...fields,
    headers: maskHeaderLines(row.headers),
    method: fields.method as FunctionRecord['method'],
    parameters: [...parameters],
    undocumentedParameters: undocumented,
    header_error: headerError,
    body_error: bodyError,
    owner,
    created: created.toISOString(),
    updated: updated.toISOString(),
  }
}

const editFunction = instanceRoute<EditFunctionRequest>({
  method: 'POST',
  path: '/function/edit',
  name: 'editFunction',
  area: 'Agent',
  scope: 'token',
  summary: 'Create, change or delete a function that agents may call',
  schema: 'function/edit.json',
  idempotent: 'kept',
  errors: ['FUNCTION_NOT_FOUND', 'NAME_TAKEN', 'RECORD_LIMIT', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<FunctionRecord> {
    const { id = '', delete: isDeleted = false, function: given = {} } = body
    const former = id === '' ? null : await ports.agentRecords.findFunction(instance.id, id)
    if (former === null && id !== '') throw new GatewayError('FUNCTION_NOT_FOUND')
    if (isDeleted) {
      if (former === null) throw missing('id')
      await ports.agentRecords.deleteFunction(instance.id, id)
      return functionRecord({ ...former, active: false }, instance.owner)
    }
    const asked = merged(former, given)
    const findings = findInFunction(asked)
    const row = await ports.agentRecords.saveFunction(instance.id, former?.id ?? null, {
      ...asked,
      active: asked.active && isSound(findings),
      undocumented: findings.undocumented.join(', '),
      headerError: findings.hasHeaderError,
      bodyError: findings.hasBodyError,
    })
    const record = functionRecord(row, instance.owner)
    return findings.problems.length === 0 ? record : { ...record, problems: [...findings.problems] }
  },
})

/** Returns the changed fields. Fields that are left out stay. @throws GatewayError INVALID_REQUEST */
function merged(former: FunctionRow | null, given: NonNullable<EditFunctionRequest['function']>) {
  const { name = former?.name, endpoint = former?.endpoint, method = former?.method } = given
  if (name === undefined) throw missing('function.name')
  if (method === undefined) throw missing('function.method')
  if (endpoint === undefined) throw missing('function.endpoint')
  if (!isEndpoint(endpoint)) throw invalidField('function.endpoint', 'is not a full http or https URL')
  if (hasCredentials(endpoint))
    throw invalidField('function.endpoint', 'must not have a user or a password: put them into a header')
  const { headers, keepsSecret } = changedHeaders(former?.headers ?? '', toText(given.headers))
  // Otherwise a caller could have values that no answer shows sent to an address of their own.
  if (keepsSecret && former !== null && endpointOrigin(endpoint) !== endpointOrigin(former.endpoint))
    throw invalidField(
      'function.headers',
      'is required with another scheme, host or port of the endpoint: send the whole values again, or "" for none',
    )
  return {
    name,
    endpoint,
    method,
    description: given.description ?? former?.description ?? '',
    active: given.isActive ?? former?.active ?? false,
    headers,
    body: toText(given.body) ?? former?.body ?? '',
    parameters: given.parameters ?? former?.parameters ?? [],
    retrySafe: given.retrySafe ?? former?.retrySafe ?? false,
  }
}

function toText(json: object | string | undefined): string | undefined {
  return typeof json === 'object' ? JSON.stringify(json) : json
}

function missing(field: string): GatewayError {
  return invalidField(field, 'is required')
}

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
