/** Matches the keys of a body to those that its schema declares, without regard to case, as other servers of this interface do. */
import type { JsonSchema, LocatedSchema, SchemaRegistry } from '../../schemas/schema-registry.js'
import { printable } from './inspect.js'

/** Puts keys into their declared spelling and drops undeclared ones, whose names it adds to `unknown`. */
export type Fold = (value: unknown, unknown: string[], field?: string) => unknown

const keep: Fold = (value) => value

/** Prepared once for each schema. Objects without declared properties are free maps and stay as they are. */
export function foldFor(located: LocatedSchema, registry: SchemaRegistry): Fold {
  const parts = partsOf(located, registry)
  const items = parts.find(({ schema }) => isObject(schema.items))
  if (items !== undefined) return foldItems({ schema: items.schema.items as JsonSchema, file: items.file }, registry)
  const closed = parts.filter(({ schema }) => schema.properties !== undefined)
  if (closed.length === 0) return keep
  const free = parts.some(({ schema }) => schema.additionalProperties !== undefined)
  const folds = new Map<string, Fold>()
  for (const { schema, file } of closed) {
    for (const [key, inner] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      folds.set(key, foldFor({ schema: inner, file }, registry))
    }
  }
  return foldProperties(folds, free)
}

function foldProperties(folds: ReadonlyMap<string, Fold>, free: boolean): Fold {
  const spelling = new Map([...folds.keys()].map((key) => [key.toLowerCase(), key]))
  return (value, unknown, field = '') => {
    if (!isObject(value)) return value
    const folded: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      // The declared spelling wins over others of the same key.
      const declared = folds.has(key) ? key : (spelling.get(key.toLowerCase()) ?? key)
      const fold = folds.get(declared)
      const name = field === '' ? key : `${field}.${key}`
      if (fold === undefined && free) folded[key] = value[key]
      else if (fold === undefined || (declared !== key && Object.hasOwn(value, declared))) unknown.push(printable(name))
      else folded[declared] = fold(value[key], unknown, name)
    }
    return folded
  }
}

function foldItems(items: LocatedSchema, registry: SchemaRegistry): Fold {
  const fold = foldFor(items, registry)
  if (fold === keep) return keep
  return (value, unknown, field = '') =>
    Array.isArray(value) ? value.map((one, index) => fold(one, unknown, `${field}[${index}]`)) : value
}

/** A schema with all that it is made of by `$ref` and `allOf`. */
function partsOf(located: LocatedSchema, registry: SchemaRegistry): LocatedSchema[] {
  const { schema, file } = located
  const reference = schema.$ref
  const all = (schema.allOf ?? []) as readonly JsonSchema[]
  return [
    located,
    ...(typeof reference === 'string' ? partsOf(registry.resolve(reference, file), registry) : []),
    ...all.flatMap((one) => partsOf({ schema: one, file }, registry)),
  ]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
