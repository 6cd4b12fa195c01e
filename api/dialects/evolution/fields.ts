/** Fields that several operations of Evolution API share: their schemas, and how they are read. */
import { GatewayError } from '../../../schemas/errors.js'
import type { JsonSchema } from '../../../schemas/schema-registry.js'
import type { DialectCall, Json } from '../dialect.js'

// Bound: 1,000, an address of a chat.

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
export const oneOf = (description: string, ...values: readonly string[]): Schema => ({
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
export function chatOf(given: unknown): string {
  const written = String(given ?? '')
    .slice(0, 1_000)
    .trim()
  if (written.includes('@')) return written.replace(/:\d{1,5}(?=@)/, '')
  const digits = written.replace(/[\s+()]/g, '')
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
export function jidOf(given: unknown): string {
  const chat = chatOf(given)
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
