/** Answers of Evolution API to calls that fail. */

import { isObject } from '../../../lib/is-object.js'
import type { GatewayError } from '../../../schemas/errors.js'
import { DialectRefusal } from '../dialect.js'

interface Detail {
  readonly field?: unknown
  readonly why?: unknown
}

/** Names of the statuses, which clients show. */
const NAMES: Readonly<Record<number, string>> = {
  ...{ 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed' },
  ...{ 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 413: 'Payload Too Large', 415: 'Unsupported Media Type' },
  ...{ 429: 'Too Many Requests', 431: 'Request Header Fields Too Large', 500: 'Internal Server Error' },
  ...{ 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout' },
}

/** Codes whose answers clients know by their text. */
const KNOWN: Readonly<Record<string, { readonly status: number; readonly message: unknown }>> = {
  INVALID_TOKEN: { status: 401, message: 'Unauthorized' },
  INVALID_ADMIN_TOKEN: { status: 401, message: 'Unauthorized' },
  INSTANCE_NOT_CONNECTED: { status: 500, message: 'Connection Closed' },
  NOT_LOGGED_IN: { status: 500, message: 'Connection Closed' },
}

export function evolutionFailure(error: GatewayError): { readonly status: number; readonly body: unknown } {
  const { status, message } = error instanceof DialectRefusal ? error.answer : answerOf(error)
  return { status, body: { status, error: NAMES[status] ?? 'Error', response: { message } } }
}

function answerOf(error: GatewayError): { readonly status: number; readonly message: unknown } {
  const known = KNOWN[error.code]
  if (known !== undefined) return known
  const details = Array.isArray(error.details) ? (error.details as unknown[]).filter(isObject) : []
  // Clients read the mistakes of a body from a list in the list.
  if (error.status === 400 && details.length > 0) return { status: 400, message: [details.map(sentenceOf)] }
  return { status: error.status, message: [error.message] }
}

function sentenceOf({ field, why }: Detail): string {
  if (why === 'is required') return `instance requires property "${String(field)}"`
  return field === '' || field === undefined ? String(why) : `instance.${String(field)} ${String(why)}`
}

export function unknownPath(method: string, path: string): DialectRefusal {
  return new DialectRefusal('ROUTE_NOT_FOUND', 404, [`Cannot ${method} ${path}`])
}

export function unknownInstance(name: string): DialectRefusal {
  return new DialectRefusal('INSTANCE_NOT_FOUND', 404, [`The "${name}" instance does not exist`])
}

export function nameInUse(name: string, cause: unknown): DialectRefusal {
  return new DialectRefusal('NAME_TAKEN', 403, [`This name "${name}" is already in use.`], cause)
}

/** The answer for a number without an account. Clients read `exists` from it. */
export function noAccount(number: string, cause: unknown): DialectRefusal {
  const jid = number.includes('@') ? number : `${number}@s.whatsapp.net`
  return new DialectRefusal('NOT_ON_NETWORK', 400, [{ jid, exists: false, number }], cause)
}
