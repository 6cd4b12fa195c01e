import type { BinaryNode } from '@whiskeysockets/baileys'
import { addressOf, isGroupJid, userOf } from '../../../schemas/jid.js'
import type { ReceiptEvent } from '../port.js'
import { messageIdOf } from './message-id.js'

const STATUS_OF_TYPE: Readonly<Record<string, ReceiptEvent['status']>> = {
  '': 'delivered',
  inactive: 'delivered',
  read: 'read',
  'read-self': 'read',
  played: 'played',
  'played-self': 'played',
}

/**
 * A receipt stanza as our event; null when it tells a caller nothing (retries, own devices' deliveries, server errors).
 * Read from the stanza and not from Baileys' events: those come after the acknowledgement, and a receipt that arrives with its
 * message is merged away (Baileys `Utils/event-buffer.ts`).
 */
export function translateReceipt(node: BinaryNode, own: { jid: string; lid: string | null }): ReceiptEvent | null {
  const { attrs } = node
  const from = attrs.from
  const id = attrs.id
  const status = STATUS_OF_TYPE[attrs.type ?? '']
  if (from === undefined || id === undefined || status === undefined) return null
  const participant = attrs.participant
  const reader = participant ?? from
  const ownUsers = [userOf(own.jid), own.lid === null ? '' : userOf(own.lid)]
  const isOwnReceipt = ownUsers.includes(userOf(reader)) || (attrs.type ?? '').endsWith('-self')
  // Another device of ours got its copy: says nothing about the recipient.
  if (isOwnReceipt && status === 'delivered') return null
  const chat = isOwnReceipt && !isGroupJid(from) ? (attrs.recipient ?? from) : from
  const alternatives = [
    attrs.sender_pn,
    attrs.sender_lid,
    attrs.participant_pn,
    attrs.participant_lid,
    attrs.peer_recipient_pn,
    attrs.peer_recipient_lid,
  ]
  const seconds = Number(attrs.t)
  return {
    type: 'receipt',
    messageids: [id, ...listedIds(node)].map(messageIdOf),
    status,
    chat: addressOf(chat, isGroupJid(chat) ? null : otherServer(chat, alternatives)),
    sender: addressOf(reader, otherServer(reader, alternatives)),
    byMe: isOwnReceipt,
    timestampMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : Date.now(),
  }
}

function listedIds(node: BinaryNode): string[] {
  if (!Array.isArray(node.content)) return []
  const list = node.content.find((child) => child.tag === 'list')
  if (list === undefined || !Array.isArray(list.content)) return []
  return list.content.flatMap((item) => (item.attrs.id === undefined ? [] : [item.attrs.id]))
}

function otherServer(jid: string, candidates: readonly (string | undefined)[]): string | null {
  const wanted = jid.endsWith('@lid') ? '@s.whatsapp.net' : '@lid'
  return candidates.find((one) => one?.endsWith(wanted)) ?? null
}
