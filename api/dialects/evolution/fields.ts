/** Fields that several operations of Evolution API share: their schemas, and how they are read. */

import { isObject } from '../../../lib/is-object.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { JsonSchema } from '../../../schemas/schema-registry.js'
import { type DialectCall, DialectRefusal, type Json } from '../dialect.js'

/** Answers of Evolution API to calls that fail. */

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
  const { status, message } = error instanceof DialectRefusal ? error.answer : toAnswer(error)
  return { status, body: { status, error: NAMES[status] ?? 'Error', response: { message } } }
}

function toAnswer(error: GatewayError): { readonly status: number; readonly message: unknown } {
  const known = KNOWN[error.code]
  if (known !== undefined) return known
  const details = Array.isArray(error.details) ? (error.details as unknown[]).filter(isObject) : []
  // Clients read the mistakes of a body from a list in the list.
  if (error.status === 400 && details.length > 0) return { status: 400, message: [details.map(describeDetail)] }
  return { status: error.status, message: [error.message] }
}

function describeDetail({ field, why }: Detail): string {
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

type Schema = JsonSchema & Json

export const text = (description: string, maxLength = 1_000): Schema => ({ type: 'string', maxLength, description })
export const flag = (description: string): Schema => ({ type: 'boolean', description })
export const whole = (description: string, minimum: number, maximum: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
})
export const decimal = (description: string): Schema => ({ type: 'number', description })
export const choice = (description: string, ...values: readonly string[]): Schema => ({
  type: 'string',
  enum: [...values],
  description,
})
export const list = (items: Schema, description: string, maxItems = 1_000): Schema => ({
  type: 'array',
  items,
  maxItems,
  description,
})
export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required: [...required] }),
})
/** A file: a URL, or base64 with or without the head of a data URL. */
export const file = (description: string): Schema => ({ type: 'string', minLength: 1, description })

export const number: Schema = { ...text('To whom: digits with country code, or a JID.', 100), minLength: 1 }

export const messageKey: Schema = {
  ...object(
    {
      id: text('Id of the message.', 200),
      remoteJid: text('Its chat.', 100),
      fromMe: flag('Whether the account sent it.'),
      participant: text('Its author, in a group.', 100),
    },
    ['id'],
  ),
  description: 'Key of a message.',
}

/** Fields of all sends. */
export const sendFields: Readonly<Record<string, Schema>> = {
  number,
  delay: whole('Milliseconds for which typing is shown before the message leaves.', 0, 86_400_000),
  quoted: {
    ...object({ key: messageKey, message: { type: 'object', description: 'The message, as the client has it.' } }),
    description: 'Message to quote. One that is not stored is quoted by its `message.conversation`, or left out.',
  },
  mentionsEveryOne: flag('Mention all members of the group.'),
  mentioned: list(text('A number or JID.', 100), 'People to mention, in a group.'),
}

/** Returns the address of a chat as our operations take it. Group ids may come without their server. */
export function toChat(given: unknown): string {
  const written = String(given ?? '')
    .slice(0, 1_000)
    .trim()
  // Bound: 1,000, an address of a chat.
  if (written.includes('@')) return written.replace(/:\d{1,5}(?=@)/, '')
  // Bound: 1,000, an address of a chat.
  const digits = written.replace(/[\s+()]/g, '')
  // Bound: 1,000, an address of a chat.
  const isGroup = /^\d+$/.test(digits) ? digits.length >= 18 : digits.includes('-') && digits.length >= 24
  return isGroup ? `${digits}@g.us` : digits
}

/** Returns the JID of the group that a call names in its query or body. @throws GatewayError INVALID_REQUEST */
export function readGroup({ query, body }: Pick<DialectCall, 'query' | 'body'>): string {
  const given = String(query.groupJid ?? body.groupJid ?? '').trim()
  if (given === '') throw new GatewayError('INVALID_REQUEST', { details: [{ field: 'groupJid', why: 'is required' }] })
  return given.includes('@') ? given : `${given}@g.us`
}

/** Returns the JID of a person or chat: digits are a number. */
export function toJid(given: unknown): string {
  const chat = toChat(given)
  return chat.includes('@') ? chat : `${chat}@s.whatsapp.net`
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads a switch that clients write as a boolean, a text or nothing. */
export function isOn(value: unknown): boolean {
  return value === true || value === 'true' || value === 1
}

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
