/** Makes example replies from schemas, with values that `docs/guides/webhooks.md` shows where a field has the same name. */
import { type OpenApi, resolved, type Schema } from './open-api.js'

/** Objects of more fields are shown with those that are always there. */
const FIELDS_MAX = 14
/** Sentences, which fit one operation only. */
const SENTENCES: ReadonlySet<string> = new Set(['message', 'message_ptbr', 'response', 'info'])
/** Records within records are left empty below this depth. */
const DEPTH_MAX = 4

export type KnownValues = ReadonlyMap<string, readonly unknown[]>

/** Collects the values of all fields in these bodies, by their names. */
export function knownValues(bodies: readonly unknown[]): KnownValues {
  const known = new Map<string, unknown[]>()
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        known.set(name, [...(known.get(name) ?? []), inner])
        collect(inner)
      }
  }
  bodies.forEach(collect)
  return known
}

/** Returns a value that fits the schema. */
export function createSample(
  schema: Schema,
  schemas: OpenApi['schemas'],
  known: KnownValues,
  name = '',
  depth = 0,
): unknown {
  const one = resolved(schema, schemas)
  if (one.const !== undefined) return one.const
  const alternatives = one.oneOf ?? one.anyOf
  if (alternatives !== undefined && one.properties === undefined)
    return createSample(alternatives[0] ?? {}, schemas, known, name, depth)
  const type = describeType(one)
  if (type === 'object') return readObject(one, schemas, known, depth)
  if (type === 'array') {
    const wanted = depth >= DEPTH_MAX ? (one.minItems ?? 0) : Math.max(1, one.minItems ?? 0)
    return Array.from({ length: wanted }, () => createSample(one.items ?? {}, schemas, known, name, depth + 1))
  }
  const values = SENTENCES.has(name) ? [] : (known.get(name) ?? [])
  const real = values.find((value) => value !== '' && fits(value, one, type))
  if (real !== undefined) return real
  if (one.enum !== undefined) return one.enum[0]
  return plainSample(one, type, name)
}

function readObject(one: Schema, schemas: OpenApi['schemas'], known: KnownValues, depth: number): object {
  const { properties = {}, required = [] } = one
  const isLarge = Object.keys(properties).length > FIELDS_MAX || depth >= DEPTH_MAX
  const shown = Object.entries(properties).filter(([name]) => required.includes(name) || !isLarge)
  return Object.fromEntries(
    shown
      .filter(([name]) => name !== 'warnings' || required.includes(name))
      .map(([name, inner]) => [name, createSample(inner, schemas, known, name, depth + 1)]),
  )
}

function describeType({ type, properties, items }: Schema): string {
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null'
  if (typeof type === 'string') return type
  if (properties !== undefined) return 'object'
  return items === undefined ? 'string' : 'array'
}

function fits(value: unknown, schema: Schema, type: string): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (typeof value === 'string')
    return (
      type === 'string' &&
      value.length >= (schema.minLength ?? 0) &&
      value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
      (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)) &&
      (schema.format !== 'date-time' || /^\d{4}-\d\d-\d\dT.*Z$/.test(value)) &&
      (schema.format !== 'uri' || /^https?:/.test(value))
    )
  if (typeof value === 'number')
    return (
      (type === 'number' || (type === 'integer' && Number.isInteger(value))) &&
      value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) &&
      value <= (schema.maximum ?? Number.POSITIVE_INFINITY)
    )
  return typeof value === 'boolean' && type === 'boolean'
}

function plainSample(schema: Schema, type: string, name: string): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (type === 'boolean') return /^(success|connected|loggedIn|enabled|active)$/.test(name)
  if (type === 'integer' || type === 'number') return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? 1)
  if (type === 'null') return null
  if (schema.format === 'date-time') return '2026-11-23T15:04:17Z'
  if (schema.format === 'uri') return 'https://example.org/'
  const texts = ['', '09:00', '2026-11-23', 'a', '5511999990002', '…'.repeat(schema.minLength ?? 1)]
  return texts.find((text) => fits(text, schema, type)) ?? ''
}
