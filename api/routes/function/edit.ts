import { GatewayError } from '../../../schemas/errors.js'
import { changedHeaders } from '../../../schemas/function-headers.js'
import { endpointOrigin, findInFunction, hasCredentials, isEndpoint, isSound } from '../../../schemas/function-rules.js'
import type { EditFunctionRequest, FunctionRecord } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'
import { instanceRoute } from '../../route.js'
import { functionRecord } from './record.js'

export const editFunction = instanceRoute<EditFunctionRequest>({
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
  const { headers, keepsSecret } = changedHeaders(former?.headers ?? '', textOf(given.headers))
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
    body: textOf(given.body) ?? former?.body ?? '',
    parameters: given.parameters ?? former?.parameters ?? [],
    retrySafe: given.retrySafe ?? former?.retrySafe ?? false,
  }
}

function textOf(json: object | string | undefined): string | undefined {
  return typeof json === 'object' ? JSON.stringify(json) : json
}

function missing(field: string): GatewayError {
  return invalidField(field, 'is required')
}
