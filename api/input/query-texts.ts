/** Reads the parameters of a query. */
import type { ParsedUrlQuery } from 'node:querystring'
import { isObject } from '../../lib/is-object.js'
import { GatewayError } from '../../schemas/errors.js'
import type { Route } from '../route.js'
import { printable } from './inspect.js'

type Query = Readonly<ParsedUrlQuery>

/** Joins repeated parameters by commas, and leaves out the token. */
export function readQueryTexts(query: Query, route: Pick<Route, 'tokenInQuery'>): Record<string, string> {
  const texts = joinQuery(query, route)
  checkTexts(texts)
  return texts
}

export function joinQuery(query: Query, route: Pick<Route, 'tokenInQuery'>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [key, value] of Object.entries(query)) {
    if (route.tokenInQuery && (key === 'token' || key === 'admintoken')) continue
    texts[key] = Array.isArray(value) ? value.join(',') : (value ?? '')
  }
  return texts
}

/** Rejects characters that no store takes. */
export function checkTexts(texts: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(texts)) {
    // Bound: 16,384, the target of a request.
    if (!/\p{Surrogate}|\p{Cc}/u.test(text)) continue
    throw new GatewayError('INVALID_REQUEST', {
      details: [{ field: key.slice(0, 100), why: 'holds a control character' }],
    })
  }
}

/** Names fields in errors as the caller has written them, since keys are taken in any case. */

interface Detail {
  readonly field: string
  readonly why: string
}

/** Returns the error with the names that stand in the request. Returns errors about other things as they are. */
export function withSentNames(error: unknown, request: unknown): unknown {
  if (!(error instanceof GatewayError) || !isDetails(error.details)) return error
  const details = error.details.map((one) => ({ ...one, field: sentName(one.field, request) }))
  const [declared, sent] = [error.details[0]?.field ?? '', details[0]?.field ?? '']
  if (details.every(({ field }, index) => field === (error.details as readonly Detail[])[index]?.field)) return error
  return new GatewayError(error.code, {
    message: renamed(error.message, declared, sent),
    details,
    fields: error.fields,
    cause: error,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.limit === undefined ? {} : { limit: error.limit }),
  })
}

/** Follows a name such as `messages[3].number` through the request. Parts that are not in the request stay as they are. */
function sentName(declared: string, request: unknown): string {
  let value = request
  // Bound: 200, the name of a field in an error of ours.
  const parts = declared.match(/\[\d+\]|[^.[]+/g) ?? []
  const names = parts.map((part) => {
    const key = part.startsWith('[') ? part.slice(1, -1) : findKey(value, part)
    value = (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
    return part.startsWith('[') ? part : key
  })
  return printable(names.map((name, index) => (index === 0 || name.startsWith('[') ? name : `.${name}`)).join(''))
}

/** Returns the spelling of a key in an object: the declared one if it is there, because that one counts. */
function findKey(value: unknown, declared: string): string {
  if (!isObject(value) || Object.hasOwn(value, declared)) return declared
  const lower = declared.toLowerCase()
  return Object.keys(value).find((key) => key.toLowerCase() === lower) ?? declared
}

/** Changes the name at the place where our sentences have it: `Invalid request: text must be string.`, `Invalid number: it …` */
function renamed(message: string, declared: string, sent: string): string {
  const start = ['Invalid request: ', 'Invalid '].find((one) => message.startsWith(one + declared))
  return start === undefined ? message : start + sent + message.slice(start.length + declared.length)
}

function isDetails(details: unknown): details is readonly Detail[] {
  return Array.isArray(details) && details.every((one) => isObject(one) && typeof one.field === 'string')
}
