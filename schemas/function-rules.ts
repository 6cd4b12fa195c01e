import { isObject } from '../lib/is-object.js'
import { isReserved } from './agents/reserved-placeholders.js'
import { invalidField } from './invalid-field.js'

/** Checks a function before it becomes active. A function is an external API that agents may call. */

export interface FunctionDefinition {
  readonly endpoint: string
  /** JSON as text; empty when there are none. */
  readonly headers: string
  readonly body: string
  readonly parameters: readonly FunctionParameter[]
}

export interface FunctionParameter {
  readonly name?: string
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
  /** Allowed values, between commas. */
  readonly enum?: string
  readonly minimum?: number
  readonly maximum?: number
}

export interface FunctionFindings {
  /** Placeholders without a parameter of that name, in the order in which they stand. */
  readonly undocumented: readonly string[]
  readonly hasHeaderError: boolean
  readonly hasBodyError: boolean
  /** Sentences about parameters. */
  readonly problems: readonly string[]
}

export const PARAMETER_TYPES = ['string', 'number', 'integer', 'boolean']
/** The spaces around a name are cut afterwards: a pattern that does it takes seconds for a few thousand of them. */
// Bound: 1,048,576, a field of a request.
export const FUNCTION_PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** A name of a header (RFC 9110 5.6.2). */
// Bound: 1,048,576, a field of a request.
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Control characters, which would end the value of a header. */
// Bound: 1,048,576, a field of a request.
const HEADER_BREAK = /[^\P{Cc}\t]/u
/** Headers that follow from the request. Another value would break it, or lead it past a proxy. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'accept-encoding',
])

export function isSound({ undocumented, hasHeaderError, hasBodyError, problems }: FunctionFindings): boolean {
  return undocumented.length === 0 && !hasHeaderError && !hasBodyError && problems.length === 0
}

export function findInFunction({ endpoint, headers, body, parameters }: FunctionDefinition): FunctionFindings {
  const names = new Set(parameters.map(({ name }) => name))
  const used = [endpoint, headers, body].flatMap((text) =>
    [...text.matchAll(FUNCTION_PLACEHOLDER)].map(([, name = '']) => name.trim()),
  )
  return {
    undocumented: [...new Set(used)].filter((name) => !names.has(name) && !isReserved(name)),
    hasHeaderError: headers !== '' && !isObjectOfTexts(headers),
    hasBodyError: body !== '' && !isObject(parsed(body)),
    problems: [...parameters.flatMap(listProblems), ...doubled(parameters), ...headerProblems(parsed(headers))],
  }
}

/** Whether it is an http or https URL, with placeholders in its path and query only. */
export function isEndpoint(text: string): boolean {
  // Bound: 1,048,576, a field of a request.
  if (/^https?:\/\/[^/?#]*\{\{/i.test(text)) return false
  const filled = text.replace(FUNCTION_PLACEHOLDER, 'x')
  // Bound: 1,048,576, a field of a request.
  if (!/^https?:\/\/[^\s]+$/i.test(filled) || !URL.canParse(filled)) return false
  // `https:///{{host}}` is a URL, and its first segment is the host.
  const other = text.replace(FUNCTION_PLACEHOLDER, 'y')
  return URL.canParse(other) && new URL(filled).origin === new URL(other).origin
}

/** Returns scheme, host and port of an endpoint. One that is no URL, of an import, is returned as it is. */
export function endpointOrigin(endpoint: string): string {
  const filled = endpoint.replace(FUNCTION_PLACEHOLDER, 'x')
  return URL.canParse(filled) ? new URL(filled).origin : endpoint
}

/** Returns whether an endpoint has a user or a password, which are not sent. */
export function hasCredentials(endpoint: string): boolean {
  const { username, password } = new URL(endpoint.replace(FUNCTION_PLACEHOLDER, 'x'))
  return username !== '' || password !== ''
}

/** Returns whether a text may stand in the value of a header. */
export function isHeaderValue(text: string): boolean {
  return !HEADER_BREAK.test(text)
}

/** Returns whether a function may set a header of this name. */
export function isHeaderName(name: string): boolean {
  return HEADER_NAME.test(name) && !OWN_HEADERS.has(name.toLowerCase())
}

function headerProblems(headers: unknown): string[] {
  if (!isObject(headers)) return []
  return Object.entries(headers).flatMap(([name, value]) => {
    if (OWN_HEADERS.has(name.toLowerCase())) return [`header ${name}: the gateway sets it`]
    if (!HEADER_NAME.test(name)) return [`header ${JSON.stringify(name.slice(0, 64))}: the name is not allowed in HTTP`]
    if (typeof value === 'string' && !isHeaderValue(value))
      return [`header ${name}: the value has a line break or another control character`]
    return []
  })
}

function listProblems(parameter: FunctionParameter, index: number): string[] {
  const { name, type, enum: values, minimum, maximum } = parameter
  const called = name ? `parameter ${name}` : `parameter ${index + 1}`
  const isNumeric = type === 'number' || type === 'integer'
  const found: string[] = []
  if (!name) found.push(`${called}: it has no name`)
  else if (isReserved(name))
    found.push(`${called}: the gateway fills {{${name}}} by itself; give the parameter another name`)
  // Bound: 1,048,576, a field of a request.
  if (name && /[/?#&]/.test(name)) found.push(`${called}: the name must not have /, ?, # or &`)
  if (type === undefined || !PARAMETER_TYPES.includes(type))
    found.push(`${called}: type must be one of ${PARAMETER_TYPES.join(', ')}`)
  if (values !== undefined && type !== 'string') found.push(`${called}: only strings have an enum`)
  // Bound: 16,384, the values of a parameter.
  if (values?.split(',').some((value) => value.trim() === '')) found.push(`${called}: enum has an empty value`)
  if ((minimum !== undefined || maximum !== undefined) && !isNumeric)
    found.push(`${called}: only numbers have a minimum and a maximum`)
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    found.push(`${called}: minimum is above maximum`)
  return found
}

function doubled(parameters: readonly FunctionParameter[]): string[] {
  const names = parameters.flatMap(({ name }) => name ?? [])
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `parameter ${name}: the name is taken twice`,
  )
}

function isObjectOfTexts(text: string): boolean {
  const value = parsed(text)
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
}

function parsed(text: string): unknown {
  try {
    // Bound: 65,536, 5,000 values, a body or the headers of a function.
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Headers of functions as answers show them. Their values are secrets, such as keys of a service; their names and placeholders are not. */

const MASK = '***'
/** Headers that describe a body. Their values hold no secret. */
const PLAIN: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type'])

interface ChangedHeaders {
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
  // Bound: 16,384, the headers of a function.
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
    // Bound: 16,384, the headers of a function.
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : null
  } catch {
    return null
  }
}
