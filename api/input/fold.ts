/** Matches the keys of a body to those that its schema declares, without regard to case, as other servers of this interface do. */

import { isObject } from '../../lib/is-object.js'
import { GatewayError } from '../../schemas/errors.js'
import type { JsonSchema, LocatedSchema, SchemaRegistry } from '../../schemas/schema-registry.js'
import { printable } from './inspect.js'
import { type Tolerate, tolerateFor, unchanged } from './tolerance.js'

/** Notes for the caller about fields that were not taken as they came. */
export interface InputNotes {
  /** Names of undeclared keys. */
  readonly unknown: string[]
  /** Sentences about values that were read as another type. */
  readonly warnings: string[]
}

export function newNotes(): InputNotes {
  return { unknown: [], warnings: [] }
}

/** Maximum length of a list of notes, however many odd fields a body has. */
const NOTES_MAX = 50

/**
 * Puts keys into their declared spelling, drops undeclared ones, leaves out optional fields that are null, and reads values of another
 * type where their meaning is certain.
 * @throws GatewayError NOT_SUPPORTED for a field that is declared and cannot be done
 */
export type Fold = (value: unknown, notes: InputNotes, field?: string) => unknown

interface Property {
  readonly fold: Fold
  readonly tolerate: Tolerate
  /** Why the field is refused, as a sentence. */
  readonly unsupported: string | undefined
}

const keep: Fold = (value) => value

/**
 * Prepares the fold of a schema. Objects without declared properties are free maps and stay as they are.
 * @param isTolerant whether values of another type are read. Values of a query are texts, which the validator reads
 */
export function foldFor(located: LocatedSchema, registry: SchemaRegistry, isTolerant: boolean): Fold {
  const parts = partsOf(located, registry)
  const items = parts.find(({ schema }) => isObject(schema.items))
  if (items !== undefined) {
    const one = { schema: items.schema.items as JsonSchema, file: items.file }
    return foldItems(foldFor(one, registry, isTolerant))
  }
  const closed = parts.filter(({ schema }) => schema.properties !== undefined)
  if (closed.length === 0) return keep
  const free = parts.some(({ schema }) => schema.additionalProperties !== undefined)
  const required = new Set(parts.flatMap(({ schema }) => (schema.required ?? []) as readonly string[]))
  const properties = new Map<string, Property>()
  for (const { schema, file } of closed) {
    for (const [key, inner] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      const property = partsOf({ schema: inner, file }, registry)
      properties.set(key, {
        fold: foldFor({ schema: inner, file }, registry, isTolerant),
        tolerate: isTolerant
          ? tolerateFor(
              key,
              property.map((part) => part.schema),
              required.has(key),
            )
          : unchanged,
        unsupported: property.map((part) => part.schema['x-unsupported']).find((one) => typeof one === 'string') as
          | string
          | undefined,
      })
    }
  }
  return foldProperties(properties, free)
}

function foldProperties(properties: ReadonlyMap<string, Property>, free: boolean): Fold {
  const spelling = new Map([...properties.keys()].map((key) => [key.toLowerCase(), key]))
  return (value, notes, field = '') => {
    if (!isObject(value)) return value
    const folded: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      // The declared spelling wins over others of the same key.
      const declared = properties.has(key) ? key : (spelling.get(key.toLowerCase()) ?? key)
      const property = properties.get(declared)
      const name = field === '' ? key : `${field}.${key}`
      if (property === undefined && free) folded[key] = value[key]
      else if (property === undefined || (declared !== key && Object.hasOwn(value, declared))) {
        if (notes.unknown.length < NOTES_MAX) notes.unknown.push(printable(name))
      } else {
        const taken = taking(property, value[key], notes, name)
        if (taken !== undefined) folded[declared] = taken
      }
    }
    return folded
  }
}

/** Returns undefined for a field that counts as absent. */
function taking({ fold, tolerate, unsupported }: Property, given: unknown, notes: InputNotes, name: string): unknown {
  const { value, warning } = tolerate(given)
  if (warning !== undefined && notes.warnings.length < NOTES_MAX) notes.warnings.push(`${printable(name)}: ${warning}`)
  if (value === undefined) return undefined
  if (unsupported !== undefined) {
    if (value === false || (typeof value === 'string' && value.trim() === '')) return undefined
    const field = printable(name)
    throw new GatewayError('NOT_SUPPORTED', {
      message: `${field}: ${unsupported}`,
      details: [{ field, why: unsupported }],
    })
  }
  return fold(value, notes, name)
}

function foldItems(fold: Fold): Fold {
  if (fold === keep) return keep
  return (value, notes, field = '') =>
    Array.isArray(value) ? value.map((one, index) => fold(one, notes, `${field}[${index}]`)) : value
}

/** Resolves a schema: returns it with the schemas that it names in `$ref` and `allOf`. */
export function partsOf(located: LocatedSchema, registry: SchemaRegistry): LocatedSchema[] {
  const { schema, file } = located
  const reference = schema.$ref
  const all = (schema.allOf ?? []) as readonly JsonSchema[]
  return [
    located,
    ...(typeof reference === 'string' ? partsOf(registry.resolve(reference, file), registry) : []),
    ...all.flatMap((one) => partsOf({ schema: one, file }, registry)),
  ]
}
