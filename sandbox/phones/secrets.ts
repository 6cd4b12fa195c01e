/** Encrypts and opens changes under the secret of an earlier message: `msgsecret.go` of tulir/whatsmeow, `secret_enc_addon.rs` of oxidezap/whatsapp-rust. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import { isRaw } from './raw-messages.js'

interface Scope {
  readonly secret: Uint8Array
  readonly id: string
  readonly author: string
  readonly modifier: string
  readonly useCase: string
}

/** Messages that have no secret of their own. */
const WITHOUT: readonly (keyof proto.IMessage)[] = [
  'protocolMessage',
  'editedMessage',
  'reactionMessage',
  'pollUpdateMessage',
  'secretEncryptedMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'senderKeyDistributionMessage',
  'keepInChatMessage',
  'pinInChatMessage',
]

/** The secret of a message as its readers have it. */
export function findSecret(message: proto.IMessage): Uint8Array | undefined {
  const secret = message.messageContextInfo?.messageSecret
  return secret?.length === 32 ? secret : undefined
}

/** A message with a secret, as present phones write each of them. One that is given as bytes is sent as it is. */
export function withSecret(message: proto.IMessage, secret: Uint8Array): proto.IMessage {
  if (isRaw(message) || findSecret(message) || WITHOUT.some((part) => message[part])) return message
  return { ...message, messageContextInfo: { ...message.messageContextInfo, messageSecret: secret } }
}

/**
 * The copy of an own message for the other devices of the account. The secret stands beside `deviceSentMessage`, not in it: `device-sent.ts` of
 * vinikjkkj/zapo.
 */
export function copyForOwn(destinationJid: string, message: proto.IMessage): proto.IMessage {
  const { messageContextInfo, ...rest } = message
  if (!messageContextInfo?.messageSecret) return { deviceSentMessage: { destinationJid, message } }
  const { messageSecret, ...context } = messageContextInfo
  if (isRaw(message)) return { deviceSentMessage: { destinationJid, message }, messageContextInfo: { messageSecret } }
  const inner = Object.keys(context).length > 0 ? { ...rest, messageContextInfo: context } : rest
  return { deviceSentMessage: { destinationJid, message: inner }, messageContextInfo: { messageSecret } }
}

/** The message in such a copy, with its secret. */
export function fromOwnCopy({ deviceSentMessage, messageContextInfo }: proto.IMessage): proto.IMessage | undefined {
  const inner = deviceSentMessage?.message
  const secret = messageContextInfo?.messageSecret
  return inner && secret ? withSecret(inner, secret) : (inner ?? undefined)
}

export function sealSecret(plaintext: Uint8Array, scope: Scope): { encPayload: Uint8Array; encIv: Uint8Array } {
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(scope), encIv)
  cipher.setAAD(makeData(scope))
  return { encPayload: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]), encIv }
}

/** The edit in a message that is encrypted so; undefined when it is none, or none of the pairs of addresses opens it. */
export function openEdit(
  { secretEncryptedMessage: sealed }: proto.IMessage,
  secret: Uint8Array | undefined,
  authors: readonly string[],
): proto.Message.IProtocolMessage | undefined {
  const id = sealed?.targetMessageKey?.id
  if (!sealed?.encPayload || !sealed.encIv || !id || !secret || sealed.secretEncType !== 2) return undefined
  for (const author of authors)
    for (const modifier of authors) {
      const plaintext = open(sealed.encPayload, sealed.encIv, { secret, id, author, modifier, useCase: 'Message Edit' })
      const inner = plaintext && proto.Message.decode(plaintext).protocolMessage
      if (inner?.key?.id === id) return inner
    }
  return undefined
}

function open(payload: Uint8Array, iv: Uint8Array, scope: Scope): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(scope), iv)
  decipher.setAAD(makeData(scope))
  decipher.setAuthTag(payload.subarray(-16))
  try {
    return Buffer.concat([decipher.update(payload.subarray(0, -16)), decipher.final()])
  } catch {
    return undefined
  }
}

function deriveKey({ secret, id, author, modifier, useCase }: Scope): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(32), `${id}${author}${modifier}${useCase}`, 32))
}

function makeData({ id, modifier, useCase }: Scope): Buffer {
  return Buffer.from(useCase === 'Poll Vote' || useCase === 'Event Response' ? `${id}\u0000${modifier}` : '')
}
