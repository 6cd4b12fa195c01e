/** Parts of what an inbound stanza says, read without the store. */
import { type BinaryNode, proto } from '@whiskeysockets/baileys'
import type { Jid } from '../../../schemas/ids.js'
import { toChatAddress } from '../../../schemas/jid.js'
import type { PhoneAnswer } from './app-state-recovery.js'
import type { MessageEnvelope } from './incoming.js'
import { unwrap } from './kinds/newer-parts.js'

/**
 * Returns whether the library can read a node. It decodes the name of a business before it decrypts, and refuses the whole message if that
 * fails. Without the name it reads the message, as whatsmeow does.
 */
export function isLegible({ tag, content }: BinaryNode): boolean {
  if (tag !== 'verified_name' || !(content instanceof Uint8Array)) return true
  try {
    const { details } = proto.VerifiedNameCertificate.decode(content)
    proto.VerifiedNameCertificate.Details.decode(details as Uint8Array)
    return true
  } catch {
    return false
  }
}

/** Returns an answer of the account's phone. Addresses of other devices of the account have a number behind a colon, and are ignored. */
export function answerOfPhone(
  { isPeer, fromMe, sender }: MessageEnvelope,
  message: proto.IMessage,
): PhoneAnswer | null {
  if (!isPeer || !fromMe || sender.includes(':')) return null
  return unwrap(message).protocolMessage?.peerDataOperationRequestResponseMessage ?? null
}

/** Removes the padding. The last byte is the number of padding bytes, itself included (Baileys `unpadRandomMax16`). */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  const padding = bytes[bytes.length - 1] ?? 0
  return padding > bytes.length ? bytes : bytes.subarray(0, bytes.length - padding)
}

export function withLeastPadding(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + 1)
  result.set(bytes)
  result[bytes.length] = 1
  return result
}

/** Names a change among those of all senders, who choose the ids of their messages. */
export function handledAs({ sender, id }: MessageEnvelope): string {
  return `${sender} ${id}`
}

export function findMapping(envelope: MessageEnvelope): { lid: Jid; pn: Jid } | null {
  const { lid, pn } = toChatAddress(envelope.sender, envelope.senderAlternative)
  return lid === undefined || pn === undefined ? null : { lid, pn }
}
