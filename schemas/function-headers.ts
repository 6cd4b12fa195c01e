/** Headers of functions as answers show them. Their values are secrets, such as keys of a service; their names and placeholders are not. */

import { isObject } from '../lib/is-object.js'
import { FUNCTION_PLACEHOLDER } from './function-rules.js'
import { invalidField } from './invalid-field.js'

// Bound: 16,384, the headers of a function.

const MASK = '***'
/** Headers that describe a body. Their values hold no secret. */
const PLAIN: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type'])

export interface ChangedHeaders {
  /** JSON as text; empty when there are none. */
  readonly headers: string
  /** Whether a value that no answer shows stays as it was. */
  readonly keepsSecret: boolean
}

/** Returns the headers with their values masked. What is no JSON object is masked as a whole. */
export function maskHeaderLines(headers: string): string {
  if (headers === '') return ''
  const parsed = parsedObject(headers)
  if (parsed === null) return MASK
  return JSON.stringify(
    Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, maskedValue(name, value)])),
  )
}

/**
 * Returns the headers after an edit. A masked value that a caller got from an answer stays as it was.
 * @param given JSON as text; undefined: they stay
 * @throws GatewayError INVALID_REQUEST for the masked form of another value
 */
export function changedHeaders(former: string, given: string | undefined): ChangedHeaders {
  const mask = maskHeaderLines(former)
  if (given === undefined || (given === mask && mask.includes(MASK)))
    return { headers: former, keepsSecret: mask.includes(MASK) }
  const parsed = parsedObject(given)
  if (parsed === null) {
    if (given.includes(MASK)) throw maskOfAnother('')
    return { headers: given, keepsSecret: false }
  }
  const stored = parsedObject(former) ?? {}
  let keepsSecret = false
  const entries = Object.entries(parsed).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'string' || !value.includes(MASK)) return [name, value]
    if (!Object.hasOwn(stored, name) || value !== maskedValue(name, stored[name])) throw maskOfAnother(name)
    keepsSecret = true
    return [name, stored[name]]
  })
  return { headers: keepsSecret ? JSON.stringify(Object.fromEntries(entries)) : given, keepsSecret }
}

/** Keeps the placeholders of a value and masks what stands between them. */
function maskedValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return MASK
  if (PLAIN.has(name.toLowerCase())) return value
  const placeholders = value.match(FUNCTION_PLACEHOLDER) ?? []
  const constants = value.split(FUNCTION_PLACEHOLDER).filter((_, index) => index % 2 === 0)
  return constants.map((text, index) => `${text.trim() === '' ? text : MASK}${placeholders[index] ?? ''}`).join('')
}

function maskOfAnother(name: string) {
  const what = name === '' ? 'is' : `has for ${JSON.stringify(name.slice(0, 64))}`
  return invalidField(
    'function.headers',
    `${what} the masked form of another value: send the whole value, or leave the headers out to keep them`,
  )
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : null
  } catch {
    return null
  }
}
