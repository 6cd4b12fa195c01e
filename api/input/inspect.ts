/** Refuses what no body may hold, whatever its schema: keys that reach prototypes, text that is no text, bottomless nesting. */
import { GatewayError } from '../../schemas/errors.js'

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Half of a surrogate pair is no character; PostgreSQL and the network's protobuf both refuse it. */
function hasLoneSurrogate(text: string): boolean {
  // In ES2024, and in every Node.js that we run on; a pattern takes ten times as long.
  return !(text as string & { isWellFormed(): boolean }).isWellFormed()
}

// C0 controls except tab, line feed and carriage return, and DEL. PostgreSQL cannot store NUL in text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Where a value stands; its name is made only when it is wrong. */
interface Place {
  readonly parent: Place | null
  readonly key: string | number
}

/**
 * Walks parsed JSON.
 * @throws GatewayError FORBIDDEN_KEY, INVALID_REQUEST; `details` names the field
 */
export function inspect(value: unknown, depthMax: number, place: Place | null = null): void {
  if (typeof value === 'string') inspectText(value, place)
  if (typeof value !== 'object' || value === null) return
  if (depthMax === 0) throw refused('INVALID_REQUEST', nameOf(place), 'is nested too deep')
  if (Array.isArray(value)) {
    for (let key = 0; key < value.length; key++) inspect(value[key], depthMax - 1, { parent: place, key })
    return
  }
  for (const key of Object.keys(value)) {
    const inner = { parent: place, key }
    if (forbiddenKeys.has(key)) throw refused('FORBIDDEN_KEY', nameOf(inner), 'is a key that is never allowed')
    inspectText(key, place ?? { parent: null, key: 'a key' })
    inspect((value as Readonly<Record<string, unknown>>)[key], depthMax - 1, inner)
  }
}

function nameOf(place: Place | null): string {
  if (place === null) return ''
  const before = nameOf(place.parent)
  if (typeof place.key === 'number') return `${before}[${place.key}]`
  return before === '' ? place.key : `${before}.${place.key}`
}

function inspectText(text: string, place: Place | null): void {
  if (controlCharacter.test(text)) throw refused('INVALID_REQUEST', nameOf(place), 'holds a control character')
  if (hasLoneSurrogate(text))
    throw refused('INVALID_REQUEST', nameOf(place), 'holds half of a character (a lone surrogate)')
}

function refused(code: 'INVALID_REQUEST' | 'FORBIDDEN_KEY', field: string, why: string): GatewayError {
  const name = printable(field)
  return new GatewayError(code, {
    message: `Invalid request: ${name || 'the body'} ${why}.`,
    details: [{ field: name, why }],
  })
}

/** A field's name as it can be shown: bounded, without characters that are no text. */
export function printable(name: string): string {
  const begun = name.slice(0, 100)
  const clean = begun.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\p{Cc}/gu, '\ufffd')
  return name.length > 100 ? `${clean}…` : clean
}
