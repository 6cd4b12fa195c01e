/**
 * Fills the placeholders of a function. A value never leaves its place: it is encoded for path, query and body, and refused where it would
 * change the path or end a header.
 */

import { isObject } from '../../../lib/is-object.js'
import { isIdentity, isReserved } from '../../../schemas/agents/reserved-placeholders.js'
import type { FunctionRequest } from '../../../schemas/agents/tools.js'
import { FUNCTION_PLACEHOLDER, isHeaderName, isHeaderValue } from '../../../schemas/function-rules.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'
import type { ArgumentValue } from './arguments.js'

// Bound: 65,536, an answer, an argument or a text of a message.

type Template = Pick<FunctionRow, 'endpoint' | 'method' | 'headers' | 'body'>
type Values = ReadonlyMap<string, ArgumentValue>

/** A value that cannot stand where its placeholder is. Its message is for the model. */
export class ValueRefused extends Error {}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
const HEADER_VALUE_MAX = 4_096
const URL_MAX = 2_048

/** Returns the request. `reserved`: values of the gateway, which count before those of the model. @throws ValueRefused */
export function fillRequest(
  { endpoint, method, headers, body }: Template,
  given: Values,
  reserved: ReadonlyMap<string, string>,
): FunctionRequest {
  const values = new Map<string, ArgumentValue>()
  for (const [name, value] of given) if (!isReserved(name)) values.set(name, wellFormed(value))
  for (const [name, value] of reserved) if (isReserved(name)) values.set(name, wellFormed(value))
  const filledHeaders = fillHeaders(headers, values)
  const filledBody = METHODS_WITH_BODY.has(method) && body !== '' ? fillBody(body, values) : null
  if (filledBody !== null && !Object.keys(filledHeaders).some((name) => name.toLowerCase() === 'content-type'))
    filledHeaders['content-type'] = 'application/json'
  return { method, url: fillUrl(endpoint, values), headers: filledHeaders, body: filledBody }
}

function fillUrl(endpoint: string, values: Values): URL {
  const [withoutFragment = ''] = endpoint.split('#')
  const mark = withoutFragment.indexOf('?')
  const path = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark)
  const query = mark < 0 ? '' : fillQuery(withoutFragment.slice(mark + 1), values)
  const text =
    path
      .split('/')
      .map((segment) => fillSegment(segment, values))
      .join('/') + (query === '' ? '' : `?${query}`)
  const [url, plain] = [parseUrl(text), parseUrl(endpoint.replace(FUNCTION_PLACEHOLDER, 'x'))]
  // The rules of `/function/edit` keep placeholders out of the host. A row that was imported is stopped here.
  if (url === null || url.origin !== plain?.origin || !/^https?:$/.test(url.protocol))
    throw new ValueRefused('The address of the function cannot be made of these arguments.')
  if (url.href.length > URL_MAX) throw new ValueRefused('The arguments are too long for the address of the function.')
  return url
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function fillSegment(segment: string, values: Values): string {
  if (!segment.includes('{{')) return segment
  const filled = segment.replace(FUNCTION_PLACEHOLDER, (_, name: string) => {
    const value = fillName(name.trim(), values)
    if (value === undefined || value === '')
      throw new ValueRefused(`${JSON.stringify(name.trim())} must not be empty: it is a part of the address.`)
    return encodeURIComponent(value)
  })
  if (/^(\.|%2e){1,2}$/i.test(filled))
    throw new ValueRefused('A part of the address must not be "." or "..": that would lead to another address.')
  return filled
}

/** Drops the pairs of absent values. */
function fillQuery(query: string, values: Values): string {
  return query
    .split('&')
    .flatMap((pair) => {
      const filled = fillText(pair, values, encodeURIComponent)
      return filled === undefined ? [] : [filled]
    })
    .join('&')
}

function fillHeaders(text: string, values: Values): Record<string, string> {
  const filled: Record<string, string> = {}
  const headers = parsedJson(text)
  if (!isObject(headers)) return filled
  for (const [name, template] of Object.entries(headers)) {
    if (!isHeaderName(name) || typeof template !== 'string') continue
    const value = fillText(template, values, (one, placeholder) => {
      if (isHeaderValue(one)) return one
      // Names of customers are their own choice, and no model can correct them.
      if (isReserved(placeholder)) return one.replace(/\p{Cc}+/gu, ' ')
      throw new ValueRefused(`${JSON.stringify(placeholder)} must not have line breaks: it is sent in a header.`)
    })
    if (value === undefined) continue
    if (value.length > HEADER_VALUE_MAX) throw new ValueRefused('An argument is too long for a header.')
    // HTTP sends headers in Latin-1; a client that has UTF-8 sends its bytes.
    filled[name] = Buffer.from(value.trim(), 'utf8').toString('latin1')
  }
  return filled
}

function fillBody(text: string, values: Values): string {
  const body = fillJson(parsedJson(text), values)
  return JSON.stringify(body ?? {})
}

/** Undefined: it needs a value that is absent. */
function fillJson(template: unknown, values: Values): unknown {
  if (Array.isArray(template)) return template.map((one) => fillJson(one, values)).filter((one) => one !== undefined)
  if (isObject(template)) {
    const entries = Object.entries(template).flatMap(([key, one]): [string, unknown][] => {
      const [name, value] = [fillText(key, values, String), fillJson(one, values)]
      return name === undefined || value === undefined ? [] : [[name, value]]
    })
    return Object.fromEntries(entries)
  }
  if (typeof template !== 'string') return template
  const whole = /^\{\{([^{}]*)\}\}$/.exec(template)
  if (whole === null) return fillText(template, values, String)
  const name = (whole[1] ?? '').trim()
  // A value that is one placeholder keeps its type.
  return fillName(name, values) === undefined ? undefined : values.get(name)
}

/** Returns undefined if one of its values is absent. */
function fillText(
  text: string,
  values: Values,
  encode: (value: string, placeholder: string) => string,
): string | undefined {
  let isAbsent = false
  const filled = text.replace(FUNCTION_PLACEHOLDER, (_, inside: string) => {
    const name = inside.trim()
    const value = fillName(name, values)
    if (value === undefined) isAbsent = true
    return value === undefined ? '' : encode(value, name)
  })
  return isAbsent ? undefined : filled
}

function fillName(name: string, values: Values): string | undefined {
  const value = values.get(name)
  if (value !== undefined) return String(value)
  if (isIdentity(name))
    throw new ValueRefused(
      `The function cannot be called here: it needs ${name} of this customer, which is not known. Asking the customer does not change that.`,
    )
  return undefined
}

/** Half characters have no UTF-8. */
function wellFormed(value: ArgumentValue): ArgumentValue {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
