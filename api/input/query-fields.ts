/** Fields of a body that stand in the query, because the body is something else. */
import { invalidField } from '../../schemas/invalid-field.js'
import { exceededLimit, type JsonLimits } from '../../schemas/json-shape.js'
import type { JsonSchema, LocatedSchema, SchemaRegistry } from '../../schemas/schema-registry.js'
import { partsOf } from './fold.js'
import { inspect, printable } from './inspect.js'

// Bound: 16,384, 2,000 values, counted before.

/** A query is bounded by the size of the headers. */
const SHAPE: JsonLimits = { depthMax: 8, keysMax: 1_000, valuesMax: 2_000 }

/** Returns the names of the fields that are lists or objects, in lower case. */
export function jsonFieldsOf(located: LocatedSchema, registry: SchemaRegistry): ReadonlySet<string> {
  const names = partsOf(located, registry).flatMap(({ schema, file }) =>
    Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
      .filter(([, inner]) =>
        partsOf({ schema: inner, file }, registry).some(
          ({ schema: { type } }) => type === 'array' || type === 'object',
        ),
      )
      .map(([name]) => name.toLowerCase()),
  )
  return new Set(names)
}

/** Returns the fields with lists and objects parsed. @throws GatewayError INVALID_REQUEST, FORBIDDEN_KEY */
export function parsedFields(
  values: Readonly<Record<string, string>>,
  jsonFields: ReadonlySet<string>,
): Record<string, unknown> {
  const parsed: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(values))
    parsed[name] = jsonFields.has(name.toLowerCase()) ? parse(printable(name), text) : text
  inspect(parsed, SHAPE.depthMax)
  return parsed
}

function parse(name: string, text: string): unknown {
  if (exceededLimit(Buffer.from(text), SHAPE) !== null) throw invalidField(name, 'has too many parts')
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidField(name, 'must be JSON where it stands in the query')
  }
}
