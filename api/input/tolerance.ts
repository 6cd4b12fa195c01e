/** Reads values of another type than declared where only one meaning is possible, as many clients and no-code tools send them. */
import type { JsonSchema } from '../../schemas/schema-registry.js'

// Bound: 1,048,576, a body or header of a request.

export interface Tolerated {
  /** The value. Undefined when the field counts as absent. */
  readonly value: unknown
  /** Sentence for the caller about how the value was read. */
  readonly warning?: string
}

export type Tolerate = (value: unknown) => Tolerated

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
const INTEGER = /^-?\d{1,15}$/
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

export const unchanged: Tolerate = (value) => ({ value })

/** Reads a value. `parts` are the schema of the field and the schemas that it refers to. */
export function tolerateFor(name: string, parts: readonly JsonSchema[], isRequired: boolean): Tolerate {
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
  if (types.has('boolean')) return readText(/^(true|false)$/i, (text) => text.toLowerCase() === 'true', '', keepsEmpty)
  return unchanged
}

const readDigits: Tolerate = (value) => ({ value: Array.isArray(value) ? value.map(digitsOf) : digitsOf(value) })

function digitsOf(value: unknown): unknown {
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
