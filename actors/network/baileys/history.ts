import { type BaileysEventMap, type Chat, type Contact, proto, type WAMessage } from '@whiskeysockets/baileys'
import type { Jid } from '../../../schemas/ids.js'
import { bareJid, type ChatAddress, isGroupJid, isLidJid, readUser, toChatAddress } from '../../../schemas/jid.js'
import type { ChatFields, ContactFields, NewMessage } from '../../../schemas/stored-fields.js'
import { isUsername } from '../../../schemas/username.js'
import type { HistoryAnswer, HistoryBatch } from '../port/events.js'
import { muteEnd } from './app-state.js'
import type { HistoryContents } from './history-parts.js'
import { type MessageEnvelope, translateMessage } from './incoming.js'
import { toMessageId } from './key-codec.js'
import { joinHdCopies } from './kinds/hd-copy.js'
import { isOfAccount } from './own-devices.js'
import { readWithOuterSecret } from './secrets/message-secrets.js'
import { noteOfEdit } from './secrets/read-change.js'
import { wireTimeMs } from './wire-time.js'

type Own = { jid: string; lid: string | null }

/** Translates a part of the history, which the phone sends after a first login. */
export function translateHistory(
  set: BaileysEventMap['messaging-history.set'],
  own: Own,
  isAgain: boolean,
  contents: HistoryContents,
): HistoryBatch {
  const request = answerIn(set)
  return {
    isAgain,
    ...(request === null ? {} : { request }),
    // Of a chat that was asked for, the phone sends the messages only, and no true counts.
    chats: (request === null ? set.chats : []).flatMap((chat) =>
      chat.id
        ? [{ chat: chatAddress(chat), set: { ...historyChatFields(chat, true), ...groupFields(chat, own) } }]
        : [],
    ),
    contacts: set.contacts.flatMap(translateContact).filter(({ address, username }) => {
      // The history names the account itself too, which is no contact of its own.
      return username === undefined || !isOfAccount(address.lid ?? '', own)
    }),
    // Phones give the newest of a chat first. The oldest is stored first, since messages of one second stand in the order in which they are stored.
    messages: joinHdCopies(
      set.messages.toReversed().flatMap((message) => historyMessage(message, own, contents.get(message))),
    ),
    mappings: (set.lidPnMappings ?? []).map(({ lid, pn }) => ({ lid: bareJid(lid), pn: bareJid(pn) })),
    progressPercent: set.progress ?? null,
  }
}

/** Returns the request that a part answers; null for parts that the phone sends of itself. */
function answerIn({
  syncType,
  peerDataRequestSessionId: id,
  chats,
}: BaileysEventMap['messaging-history.set']): HistoryAnswer | null {
  if (syncType !== proto.HistorySync.HistorySyncType.ON_DEMAND || !id) return null
  const { COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY: END } = proto.Conversation.EndOfHistoryTransferType
  return { id, isEnd: chats.some(({ endOfHistoryTransferType }) => endOfHistoryTransferType === END) }
}

export function translateContact(contact: Partial<Contact>): ContactFields[] {
  if (!contact.id) return []
  const other = isLidJid(contact.id) ? contact.phoneNumber : contact.lid
  const { username } = contact as { username?: string | null }
  const names = {
    // For a chat without a name the library gives the username as one (`Utils/history.js` of 7.0.0-rc14).
    ...(contact.name && contact.name !== username ? { contactName: contact.name } : {}),
    ...(contact.notify ? { pushName: contact.notify } : {}),
    ...(isUsername(username) ? { username } : {}),
  }
  return Object.keys(names).length === 0 ? [] : [{ address: toChatAddress(contact.id, other ?? null), ...names }]
}

/**
 * Reads the fields of a chat. Unread counts and last messages are read from the history only: later messages are counted when they are
 * stored. Changes by other devices arrive as app state.
 */
export function historyChatFields(chat: Partial<Chat>, isHistory = false): ChatFields {
  const fields: ChatFields = {}
  if (chat.name) fields.name = chat.name
  if (chat.archived != null) fields.wa_archived = chat.archived
  if (isHistory && chat.pinned != null) fields.wa_isPinned = Number(chat.pinned) > 0
  if (isHistory && chat.muteEndTime != null) fields.wa_muteEndTime = muteEnd(chat.muteEndTime, 1_000)
  if (chat.ephemeralExpiration != null) fields.wa_ephemeralExpiration = chat.ephemeralExpiration
  if (isHistory && chat.conversationTimestamp != null)
    fields.wa_lastMsgTimestamp = wireTimeMs(chat.conversationTimestamp, 1_000)
  if (isHistory && chat.unreadCount != null) fields.wa_unreadCount = Math.max(0, chat.unreadCount)
  return fields
}

/** Reads the fields of a group, and the role of the account in it, from the history. */
function groupFields(chat: Partial<Chat>, own: Own): ChatFields {
  if (!isGroupJid(chat.id ?? '')) return {}
  const { participant, isParentGroup } = chat
  const users = new Set([readUser(own.jid), ...(own.lid === null ? [] : [readUser(own.lid)])])
  const us = participant?.find(({ userJid }) => users.has(readUser(userJid ?? '')))
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
  return toChatAddress(id, other ?? null)
}

/** Translates one message of the history; it may be nothing for callers. */
export function historyMessage(
  message: WAMessage,
  own: Own,
  bytes: Uint8Array | undefined,
): { message: NewMessage; decoded: proto.IMessage }[] {
  const { key } = message
  if (!key.remoteJid || !key.id || bytes === undefined) return []
  const sender = key.fromMe
    ? own.jid
    : isGroupJid(key.remoteJid)
      ? (key.participant ?? message.participant ?? key.remoteJid)
      : key.remoteJid
  const envelope: MessageEnvelope = {
    id: toMessageId(key.id),
    chat: key.remoteJid,
    chatAlternative: key.remoteJidAlt,
    fromMe: key.fromMe ?? false,
    sender: sender as Jid,
    senderAlternative: key.participantAlt,
    pushName: message.pushName ?? undefined,
    timestampSeconds: wireTimeMs(message.messageTimestamp, 1_000) / 1_000,
    isPeer: false,
  }
  const { message: decoded, encoded } = readWithOuterSecret(bytes, message.messageSecret)
  const event = translateMessage(envelope, decoded, own, encoded)
  // The phone has the message as it is after its edits, or the edit is applied to it later.
  if (event?.type === 'revised' && event.change.kind === 'edited')
    return [{ message: noteOfEdit({ envelope, message: decoded, encoded, event }, own, 'original_missing'), decoded }]
  if (event?.type === 'note') return [{ message: event.message, decoded }]
  if (event?.type !== 'message') return []
  const status = translateStatus(message.status, event.message.status)
  return [{ message: { ...event.message, status }, decoded }]
}

function translateStatus(
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
