import type { BinaryNode } from '@whiskeysockets/baileys'
import { isGroupJid, toChatAddress, toChatId } from '../../../schemas/jid.js'
import type { ReceiptEvent } from '../port/events.js'
import { isPerson, otherAddresses } from './addressing.js'
import { findAlternative } from './incoming.js'
import { toMessageId } from './key-codec.js'
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

/** Maximum of receipts that one stanza gathers: a group has up to 1,024 members. */
const GATHERED_MAX = 2_048

/**
 * Translates a receipt into an event, and a stanza that gathers those of several members of a group into one for each. Returns none for receipts
 * without meaning to callers (retries, deliveries to own devices, server errors). Reads the stanza and not the events of Baileys: they come
 * after the acknowledgement, and a receipt that arrives together with its message is merged away (Baileys `Utils/event-buffer.ts`).
 */
export function translateReceipt(node: BinaryNode, own: OwnAddresses): readonly ReceiptEvent[] {
  const { attrs } = node
  if (attrs.participant === undefined && isGroupJid(attrs.from ?? '')) {
    const gathered = gatheredIn(node).flatMap((one) => readReceipt({ ...node, attrs: { ...attrs, ...one } }, own) ?? [])
    if (gathered.length > 0) return gathered
  }
  const event = readReceipt(node, own)
  return event === null ? [] : [event]
}

/** Returns the attributes of gathered receipts: `<participants key><user jid t>` (whatsmeow `receipt.go`). */
function gatheredIn({ attrs, content }: BinaryNode): { id: string; participant: string; t: string }[] {
  const lists = Array.isArray(content) ? content.filter(({ tag }) => tag === 'participants') : []
  const all = lists.flatMap(({ attrs: { key }, content: users }) =>
    (Array.isArray(users) ? users : []).flatMap((user) =>
      user.tag === 'user' && user.attrs.jid !== undefined && key !== undefined
        ? [{ id: key, participant: user.attrs.jid, t: user.attrs.t ?? attrs.t ?? '' }]
        : [],
    ),
  )
  return all.slice(0, GATHERED_MAX)
}

function readReceipt(node: BinaryNode, own: OwnAddresses): ReceiptEvent | null {
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
    messageids: [id, ...listedIds(node)].map(toMessageId),
    status,
    chat: toChatAddress(chat, findAlternative(chat, chat === from ? sender : recipient)),
    sender: toChatAddress(reader, findAlternative(reader, sender)),
    reader: toChatId(toChatAddress(reader)),
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
