/** Refuses content that no schema may allow: keys that reach prototypes, text that is no text, bottomless nesting. */
import { GatewayError } from '../../schemas/errors.js'

// Bound: 1,048,576, a body or header of a request.

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Finds half of a surrogate pair. It is no character: PostgreSQL and the network's protobuf refuse it. */
function hasLoneSurrogate(text: string): boolean {
  // ES2024 has it, and every Node.js that we support. A pattern takes ten times as long.
  return !(text as string & { isWellFormed(): boolean }).isWellFormed()
}

// C0 controls except tab, line feed and carriage return, and DEL. PostgreSQL cannot store NUL in text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Place of a value in the body. Its name is made only when the value is wrong. */
interface Place {
  readonly parent: Place | null
  readonly key: string | number
}

/**
 * Checks parsed JSON.
 * @throws GatewayError FORBIDDEN_KEY, INVALID_REQUEST; `details` names the field
 */
export function inspect(value: unknown, depthMax: number, place: Place | null = null): void {
  if (typeof value === 'string') inspectText(value, place)
  if (typeof value !== 'object' || value === null) return
  if (depthMax === 0) throw refused('INVALID_REQUEST', formatPlace(place), 'is nested too deep')
  if (Array.isArray(value)) {
    for (let key = 0; key < value.length; key++) inspect(value[key], depthMax - 1, { parent: place, key })
    return
  }
  for (const key of Object.keys(value)) {
    const inner = { parent: place, key }
    if (forbiddenKeys.has(key)) throw refused('FORBIDDEN_KEY', formatPlace(inner), 'is a key that is never allowed')
    inspectText(key, place ?? { parent: null, key: 'a key' })
    inspect((value as Readonly<Record<string, unknown>>)[key], depthMax - 1, inner)
  }
}

function formatPlace(place: Place | null): string {
  if (place === null) return ''
  const before = formatPlace(place.parent)
  if (typeof place.key === 'number') return `${before}[${place.key}]`
  return before === '' ? place.key : `${before}.${place.key}`
}

function inspectText(text: string, place: Place | null): void {
  if (controlCharacter.test(text)) throw refused('INVALID_REQUEST', formatPlace(place), 'holds a control character')
  if (hasLoneSurrogate(text))
    throw refused('INVALID_REQUEST', formatPlace(place), 'holds half of a character (a lone surrogate)')
}

function refused(code: 'INVALID_REQUEST' | 'FORBIDDEN_KEY', field: string, why: string): GatewayError {
  const name = printable(field)
  return new GatewayError(code, {
    message: `Invalid request: ${name || 'the body'} ${why}.`,
    details: [{ field: name, why }],
  })
}

/** Returns the name of a field as it can be shown: cut, and without characters that are no text. */
export function printable(name: string): string {
  const begun = name.slice(0, 100)
  // Bound: 100, cut above.
  const clean = begun.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\p{Cc}/gu, '\ufffd')
  return name.length > 100 ? `${clean}…` : clean
}
