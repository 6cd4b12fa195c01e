import type { BinaryNode } from '@whiskeysockets/baileys'
import { addressOf, isGroupJid } from '../../../schemas/jid.js'
import type { ReceiptEvent } from '../port/events.js'
import { isPerson, otherAddresses } from './addressing.js'
import { alternativeOf } from './incoming.js'
import { messageIdOf } from './message-id.js'
import { isOfAccount, type OwnAddresses } from './own-devices.js'
import { wireTimeMs } from './wire-time.js'

const STATUS_OF_TYPE: Readonly<Record<string, ReceiptEvent['status']>> = {
  '': 'delivered',
  inactive: 'delivered',
  read: 'read',
  'read-self': 'read',
  played: 'played',
  'played-self': 'played',
}

/**
 * Translates a receipt into an event. Returns null for receipts without meaning to callers (retries, deliveries to own devices, server
 * errors). Reads the stanza and not the events of Baileys: they come after the acknowledgement, and a receipt that arrives together with its
 * message is merged away (Baileys `Utils/event-buffer.ts`).
 */
export function translateReceipt(node: BinaryNode, own: OwnAddresses): ReceiptEvent | null {
  const { attrs } = node
  const from = attrs.from
  const id = attrs.id
  const status = STATUS_OF_TYPE[attrs.type ?? '']
  if (from === undefined || id === undefined || status === undefined) return null
  // In a direct chat only the person named by the server can be the reader.
  const reader = isPerson(from) ? from : (attrs.participant ?? from)
  const isOwnReceipt = isOfAccount(reader, own)
  // Only this account can report what it has read.
  if (!isOwnReceipt && (attrs.type ?? '').endsWith('-self')) return null
  // A delivery to another device of this account says nothing about the recipient.
  if (isOwnReceipt && status === 'delivered') return null
  const { sender, recipient } = otherAddresses(attrs, own)
  const chat = isOwnReceipt && !isGroupJid(from) ? (attrs.recipient ?? from) : from
  return {
    type: 'receipt',
    messageids: [id, ...listedIds(node)].map(messageIdOf),
    status,
    chat: addressOf(chat, alternativeOf(chat, chat === from ? sender : recipient)),
    sender: addressOf(reader, alternativeOf(reader, sender)),
    byMe: isOwnReceipt,
    timestampMs: wireTimeMs(attrs.t, 1_000) || Date.now(),
  }
}

function listedIds(node: BinaryNode): string[] {
  if (!Array.isArray(node.content)) return []
  const list = node.content.find((child) => child.tag === 'list')
  if (list === undefined || !Array.isArray(list.content)) return []
  return list.content.flatMap((item) => (item.attrs.id === undefined ? [] : [item.attrs.id]))
}
