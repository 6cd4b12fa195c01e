/** Refuses what no body may hold, whatever its schema: keys that reach prototypes, text that is no text, bottomless nesting. */
import { GatewayError } from '../../schemas/errors.js'

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

// Half of a surrogate pair is no character; PostgreSQL and the network's protobuf both refuse it.
const loneSurrogate = /\p{Surrogate}/u

// C0 controls except tab, line feed and carriage return, and DEL. PostgreSQL cannot store NUL in text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * Walks parsed JSON.
 * @throws GatewayError FORBIDDEN_KEY, INVALID_REQUEST; `details` names the field
 */
export function inspect(value: unknown, depthMax: number, field = ''): void {
  if (typeof value === 'string') inspectText(value, field)
  if (typeof value !== 'object' || value === null) return
  if (depthMax === 0) throw refused('INVALID_REQUEST', field, 'is nested too deep')
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) inspect(value[index], depthMax - 1, `${field}[${index}]`)
    return
  }
  for (const key of Object.keys(value)) {
    const inner = field === '' ? key : `${field}.${key}`
    if (forbiddenKeys.has(key)) throw refused('FORBIDDEN_KEY', inner, 'is a key that is never allowed')
    inspectText(key, field === '' ? 'a key' : field)
    inspect((value as Readonly<Record<string, unknown>>)[key], depthMax - 1, inner)
  }
}

function inspectText(text: string, field: string): void {
  if (controlCharacter.test(text)) throw refused('INVALID_REQUEST', field, 'holds a control character')
  if (loneSurrogate.test(text)) throw refused('INVALID_REQUEST', field, 'holds half of a character (a lone surrogate)')
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
  const clean = name.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\p{Cc}/gu, '\ufffd')
  return clean.length > 100 ? `${clean.slice(0, 100)}…` : clean
}
