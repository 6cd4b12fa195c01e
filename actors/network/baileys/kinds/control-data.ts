/**
 * Decides which decrypted messages are records for callers. Only what is named here is none; every other message is stored, whether it is
 * understood or not.
 */
import type { proto } from '@whiskeysockets/baileys'
import { QUIET_TYPES } from '../../../../schemas/stored-message.js'
import { findUnread } from './read-message.js'

/** Sender keys of groups and broadcast lists. A message with nothing else is for the ratchet alone, which stores them. */
const SENDER_KEYS = new Set(['senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage'])

/** Parts that stand beside the content of a message. */
export const BESIDE_CONTENT: ReadonlySet<string> = new Set([...SENDER_KEYS, 'messageContextInfo'])

/**
 * Kinds that clients show nowhere by themselves: changes of other messages, keys, and what is revealed later. They are stored, since their
 * bytes may be needed, but emit no event, count as no unread message, and leave the chat's last message as it is.
 */
export const QUIET_KINDS: ReadonlySet<string> = new Set(QUIET_TYPES)

/**
 * Types of protocol messages that need no record: settings of a chat, keys, requests between the devices of an account, and the answers to
 * them. Numbers: `ProtocolMessage.Type` of tulir/whatsmeow, `proto/waE2E`; the library has those up to 30.
 */
const CONTROL_TYPES: ReadonlySet<number> = new Set([
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36],
  37,
])

/** Returns whether a message has sender keys and nothing else. */
export function isSenderKeyOnly(message: proto.IMessage): boolean {
  const names = Object.keys(message).filter((name) => message[name as keyof proto.IMessage] != null)
  return (
    findUnread(message) === undefined &&
    names.some((name) => SENDER_KEYS.has(name)) &&
    names.every((name) => BESIDE_CONTENT.has(name))
  )
}

/**
 * Returns whether a protocol message needs no record. A deletion or an edit that is understood is none of these: it changes the record of
 * another message.
 */
export function isProtocolControl({ type }: proto.Message.IProtocolMessage): boolean {
  return CONTROL_TYPES.has(type ?? 0)
}
