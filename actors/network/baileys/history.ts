import { type BaileysEventMap, type Chat, type Contact, proto, type WAMessage } from '@whiskeysockets/baileys'
import type { Jid } from '../../../schemas/ids.js'
import { addressOf, bareJid, type ChatAddress, isGroupJid, isLidJid, userOf } from '../../../schemas/jid.js'
import type { ChatFields, ContactFields, NewMessage } from '../../../schemas/stored-fields.js'
import type { HistoryBatch } from '../port/events.js'
import { muteEnd } from './app-state.js'
import { translateMessage } from './incoming.js'
import { messageIdOf } from './message-id.js'

type Own = { jid: string; lid: string | null }

/** Translates a part of the history, which the phone sends after a first login. */
export function translateHistory(
  set: BaileysEventMap['messaging-history.set'],
  own: Own,
  isAgain: boolean,
): HistoryBatch {
  return {
    isAgain,
    chats: set.chats.flatMap((chat) =>
      chat.id ? [{ chat: chatAddress(chat), set: { ...chatFields(chat, true), ...groupFields(chat, own) } }] : [],
    ),
    contacts: set.contacts.flatMap(translateContact),
    messages: set.messages.flatMap((message) => historyMessage(message, own)),
    mappings: (set.lidPnMappings ?? []).map(({ lid, pn }) => ({ lid: bareJid(lid), pn: bareJid(pn) })),
    progressPercent: set.progress ?? null,
  }
}

export function translateContact(contact: Partial<Contact>): ContactFields[] {
  if (!contact.id) return []
  const other = isLidJid(contact.id) ? contact.phoneNumber : contact.lid
  const names = {
    ...(contact.name ? { contactName: contact.name } : {}),
    ...(contact.notify ? { pushName: contact.notify } : {}),
  }
  return Object.keys(names).length === 0 ? [] : [{ address: addressOf(contact.id, other ?? null), ...names }]
}

/**
 * Reads the fields of a chat. Unread counts and last messages are read from the history only: later messages are counted when they are
 * stored. Changes by other devices arrive as app state.
 */
export function chatFields(chat: Partial<Chat>, isHistory = false): ChatFields {
  const fields: ChatFields = {}
  if (chat.name) fields.name = chat.name
  if (chat.archived != null) fields.wa_archived = chat.archived
  if (isHistory && chat.pinned != null) fields.wa_isPinned = Number(chat.pinned) > 0
  if (isHistory && chat.muteEndTime != null) fields.wa_muteEndTime = muteEnd(chat.muteEndTime, 1_000)
  if (chat.ephemeralExpiration != null) fields.wa_ephemeralExpiration = chat.ephemeralExpiration
  if (isHistory && chat.conversationTimestamp != null)
    fields.wa_lastMsgTimestamp = toNumber(chat.conversationTimestamp) * 1000
  if (isHistory && chat.unreadCount != null) fields.wa_unreadCount = Math.max(0, chat.unreadCount)
  return fields
}

/** Reads the fields of a group, and the role of the account in it, from the history. */
function groupFields(chat: Partial<Chat>, own: Own): ChatFields {
  if (!isGroupJid(chat.id ?? '')) return {}
  const { participant, isParentGroup } = chat
  const users = new Set([userOf(own.jid), ...(own.lid === null ? [] : [userOf(own.lid)])])
  const us = participant?.find(({ userJid }) => users.has(userOf(userJid ?? '')))
  const Rank = proto.GroupParticipant.Rank
  return {
    wa_isGroup: true,
    ...(isParentGroup == null ? {} : { wa_isGroup_community: isParentGroup }),
    ...(participant == null || participant.length === 0
      ? {}
      : {
          wa_isGroup_member: us !== undefined,
          wa_isGroup_admin: us !== undefined && us.rank != null && us.rank !== Rank.REGULAR,
        }),
  }
}

export function chatAddress(chat: Partial<Chat>): ChatAddress {
  const id = chat.id ?? ''
  const other = (chat as { pnJid?: string | null; lidJid?: string | null })[isLidJid(id) ? 'pnJid' : 'lidJid']
  return addressOf(id, other ?? null)
}

function historyMessage(message: WAMessage, own: Own): NewMessage[] {
  const { key } = message
  if (!key.remoteJid || !key.id || !message.message) return []
  const sender = key.fromMe
    ? own.jid
    : isGroupJid(key.remoteJid)
      ? (key.participant ?? message.participant ?? key.remoteJid)
      : key.remoteJid
  const event = translateMessage(
    {
      id: messageIdOf(key.id),
      chat: key.remoteJid,
      chatAlternative: key.remoteJidAlt,
      fromMe: key.fromMe ?? false,
      sender: sender as Jid,
      senderAlternative: key.participantAlt,
      pushName: message.pushName ?? undefined,
      timestampSeconds: toNumber(message.messageTimestamp),
      isPeer: false,
    },
    message.message,
    own,
  )
  if (event?.type !== 'message') return []
  return [{ ...event.message, status: statusOf(message.status, event.message.status) }]
}

function statusOf(
  status: proto.WebMessageInfo.Status | null | undefined,
  otherwise: NewMessage['status'],
): NewMessage['status'] {
  const Status = proto.WebMessageInfo.Status
  switch (status) {
    case Status.SERVER_ACK:
      return 'sent'
    case Status.DELIVERY_ACK:
      return 'delivered'
    case Status.READ:
      return 'read'
    case Status.PLAYED:
      return 'played'
    case Status.ERROR:
      return 'failed'
    default:
      return otherwise
  }
}

function toNumber(value: unknown): number {
  return value == null ? 0 : Number(value)
}
