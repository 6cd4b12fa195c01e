/** Matches the keys of a body to those that its schema declares, without regard to case, as other servers of this interface do. */
import { isObject } from '../../lib/is-object.js'
import { GatewayError } from '../../schemas/errors.js'
import type { JsonSchema, LocatedSchema, SchemaRegistry } from '../../schemas/schema-registry.js'
import { printable } from './inspect.js'

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
  const parts = resolveSchema(located, registry)
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
      const property = resolveSchema({ schema: inner, file }, registry)
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
export function resolveSchema(located: LocatedSchema, registry: SchemaRegistry): LocatedSchema[] {
  const { schema, file } = located
  const reference = schema.$ref
  const all = (schema.allOf ?? []) as readonly JsonSchema[]
  return [
    located,
    ...(typeof reference === 'string' ? resolveSchema(registry.resolve(reference, file), registry) : []),
    ...all.flatMap((one) => resolveSchema({ schema: one, file }, registry)),
  ]
}

/** Reads values of another type than declared where only one meaning is possible, as many clients and no-code tools send them. */

interface Tolerated {
  /** The value. Undefined when the field counts as absent. */
  readonly value: unknown
  /** Sentence for the caller about how the value was read. */
  readonly warning?: string
}

type Tolerate = (value: unknown) => Tolerated

/**
 * Fields that hold digits, so that a JSON number means the same: numbers of people, and ids of labels. A number keeps 15 digits exactly.
 * A field with a name that others have too says `x-digits` in its schema.
 */
export const DIGIT_FIELDS = new Set([
  ...['number', 'numbers', 'phone', 'phoneNumber', 'participants', 'mentions', 'chat', 'chatid', 'pixKey'],
  ...['labelid', 'labelids', 'add_labelid', 'remove_labelid'],
])
/** Fields that choose a time. An empty one must not mean at once. */
const START_FIELDS = new Set(['scheduled_for'])
// Bound: 1,048,576, a body or header of a request.
const INTEGER = /^-?\d{1,15}$/
// Bound: 1,048,576, a body or header of a request.
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

const unchanged: Tolerate = (value) => ({ value })

/** Reads a value. `parts` are the schema of the field and the schemas that it refers to. */
function tolerateFor(name: string, parts: readonly JsonSchema[], isRequired: boolean): Tolerate {
  // With a choice between shapes, the meaning is not certain.
  if (parts.some((part) => part.anyOf !== undefined || part.oneOf !== undefined || part.const !== undefined))
    return isRequired ? unchanged : withoutNull(unchanged)
  const types = new Set(parts.flatMap((part) => part.type ?? []) as string[])
  const isDigits = DIGIT_FIELDS.has(name) || parts.some((part) => part['x-digits'] === true)
  const read = isDigits ? readDigits : readerFor(types, isRequired || START_FIELDS.has(name))
  return isRequired || types.has('null') ? read : withoutNull(read)
}

function withoutNull(read: Tolerate): Tolerate {
  return (value) => (value === null ? { value: undefined } : read(value))
}

/** @param keepsEmpty true if an empty text does not count as absent */
function readerFor(types: ReadonlySet<string>, keepsEmpty: boolean): Tolerate {
  if (types.size !== 1) return unchanged
  if (types.has('integer')) return readText(INTEGER, Number, 'the number', keepsEmpty)
  if (types.has('number')) return readText(NUMBER, Number, 'the number', keepsEmpty)
  // Bound: 1,048,576, a body or header of a request.
  if (types.has('boolean')) return readText(/^(true|false)$/i, (text) => text.toLowerCase() === 'true', '', keepsEmpty)
  return unchanged
}

const readDigits: Tolerate = (value) => ({ value: Array.isArray(value) ? value.map(toDigits) : toDigits(value) })

function toDigits(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? String(value) : value
}

function readText(form: RegExp, read: (text: string) => unknown, as: string, keepsEmpty: boolean): Tolerate {
  return (value) => {
    if (typeof value !== 'string') return { value }
    const text = value.length > 40 ? value : value.trim()
    // Forms send an empty text for a field that was not filled in.
    if (text === '' && !keepsEmpty) return { value: undefined, warning: 'the text is empty, so it counts as absent' }
    if (!form.test(text)) return { value }
    const taken = read(text)
    return { value: taken, warning: `the text "${text}" was read as ${as === '' ? '' : `${as} `}${String(taken)}` }
  }
}
