/** Checks bodies and queries of dialects. Each schema is compiled at its first use. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { GatewayError } from '../../schemas/errors.js'
import type { JsonSchema } from '../../schemas/schema-registry.js'
import { printable } from '../input/inspect.js'

// Bound: 1,048,576, a body or header of a request.

/** Maximum of mistakes that an answer names. */
const DETAILS_MAX = 10

export interface BodyCheck {
  /** Checks a value, and gives its fields the types of the schema where they can have them. @throws GatewayError INVALID_REQUEST */
  check(schema: JsonSchema | undefined, value: unknown): void
}

/** Clients of other gateways write numbers as texts, and the other way round: both are taken. */
export function createBodyCheck(): BodyCheck {
  const ajv = new Ajv2020({ coerceTypes: true, allErrors: false, strict: false, allowUnionTypes: true })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return {
    check(schema, value) {
      if (schema === undefined) return
      const validate = compiled.get(schema) ?? ajv.compile(schema)
      compiled.set(schema, validate)
      if (validate(value)) return
      const details = (validate.errors ?? []).slice(0, DETAILS_MAX).map(detailOf)
      throw new GatewayError('INVALID_REQUEST', { details })
    },
  }
}

function detailOf({ instancePath, keyword, params, message = '' }: ErrorObject): { field: string; why: string } {
  const at = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'required') {
    const missing = String((params as { missingProperty?: unknown }).missingProperty)
    return { field: printable(at === '' ? missing : `${at}.${missing}`), why: 'is required' }
  }
  if (keyword === 'enum') {
    const allowed = (params as { allowedValues?: readonly unknown[] }).allowedValues ?? []
    return { field: printable(at), why: `must be one of: ${allowed.join(', ')}` }
  }
  return { field: printable(at), why: message }
}
