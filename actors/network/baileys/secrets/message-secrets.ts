import { proto } from '@whiskeysockets/baileys'
import { findUnread, readMessage } from '../kinds/read-message.js'
import { SECRET_BYTES } from './secret-cipher.js'

/** Maximum depth of wrappers that are searched. */
const DEPTH_MAX = 6

/**
 * Returns the secrets of a message, outermost first. Of a message that another device of the account sent, the secret stands beside
 * `deviceSentMessage`, not in it; of a disappearing one outside of its wrapper (`device-sent.ts` of vinikjkkj/zapo, Baileys pull request 2566).
 */
export function secretsIn(message: proto.IMessage): readonly Uint8Array[] {
  const secrets: Uint8Array[] = []
  let level: proto.IMessage | null | undefined = message
  for (let depth = 0; level && depth < DEPTH_MAX; depth += 1) {
    const secret = level.messageContextInfo?.messageSecret
    if (secret?.length === SECRET_BYTES && !secrets.some((known) => Buffer.compare(known, secret) === 0))
      secrets.push(secret)
    level = wrappedIn(level)
  }
  return secrets
}

/** Returns the bytes of a changed message for the store. It keeps the secret of the message as it was, since later changes need it. */
export function encodeWithSecret(content: proto.IMessage, former: proto.IMessage): Uint8Array {
  const [messageSecret] = secretsIn(former)
  const context = { ...content.messageContextInfo, ...(messageSecret === undefined ? {} : { messageSecret }) }
  const isEmpty = Object.keys(context).length === 0
  return proto.Message.encode(isEmpty ? content : { ...content, messageContextInfo: context }).finish()
}

/**
 * Reads a message of a history, or of an answer of the phone, with the secret that stands beside it (`WebMessageInfo.messageSecret`). The bytes
 * get that secret too: of two contexts readers take the last one.
 */
export function readWithOuterSecret(
  bytes: Uint8Array,
  secret: Uint8Array | null | undefined,
): { readonly message: proto.IMessage; readonly encoded: Uint8Array } {
  const message = readMessage(bytes)
  if (secret?.length !== SECRET_BYTES || secretsIn(message).length > 0 || findUnread(message)?.isMalformed)
    return { message, encoded: bytes }
  const messageContextInfo = { ...message.messageContextInfo, messageSecret: secret }
  message.messageContextInfo = messageContextInfo
  return { message, encoded: Buffer.concat([bytes, proto.Message.encode({ messageContextInfo }).finish()]) }
}

/** Returns the message in the outermost wrapper; null if there is none. */
function wrappedIn(message: proto.IMessage): proto.IMessage | null {
  for (const part of Object.values(message)) {
    const inner = (part as { message?: unknown } | null | undefined)?.message
    if (typeof inner === 'object' && inner !== null && !(inner instanceof Uint8Array)) return inner as proto.IMessage
  }
  return null
}
