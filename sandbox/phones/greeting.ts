/** Sends what a companion gets after its first login: app-state key, the account's name, history. */

import { deflateSync } from 'node:zlib'
import { proto } from '@whiskeysockets/baileys'
import { blobOnMediaHost } from '../media/blob.js'
import type { Account, Device } from '../network/model.js'
import { bytesField, HISTORY_SALT } from './contact-salt.js'
import { makeMessageId, sendPeer } from './outbox.js'
import type { Phone } from './phone.js'
import { encodeMessage, rawMessage } from './raw-messages.js'

/** The past of an account, as told by the control API. Numbers that are on the network get their LIDs by themselves. */
export interface History {
  chats?: HistoryChat[]
  contacts?: { number: string; name: string; lid?: string }[]
}

export interface HistoryChat {
  /** A number, or the JID of a group. */
  id: string
  name?: string
  unreadCount?: number
  archived?: boolean
  pinned?: boolean
  /** Seconds, as histories have it; -1 is for good. */
  muteEndTime?: number
  messages?: HistoryMessage[]
}

export interface HistoryMessage {
  id?: string
  fromMe?: boolean
  text: string
  /** Its bytes, in place of the text. */
  base64?: string
  /** Seconds; now if absent. */
  timestamp?: number
  /** Number of the author in a group. */
  participant?: string
  pushName?: string
}

export async function greetCompanion(phone: Phone, device: Device): Promise<void> {
  await shareKey(phone, device)
  await shareName(phone)
  await sendHistory(phone, device)
}

async function shareKey(phone: Phone, device: Device): Promise<void> {
  const { id, data } = phone.appStateKey
  const key = {
    keyId: { keyId: id },
    keyData: {
      keyData: data,
      fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0] },
      timestamp: Math.floor(Date.now() / 1000),
    },
  }
  await sendPeer(phone, device, {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
      appStateSyncKeyShare: { keys: [key] },
    },
  })
}

/** Writes the push name into the account's critical app state, once; companions read it from there. */
async function shareName(phone: Phone): Promise<void> {
  if (phone.namedCompanions.done) return
  phone.namedCompanions.done = true
  await phone.appState.write({
    collection: 'critical_block',
    index: ['setting_pushName'],
    value: { pushNameSetting: { name: phone.account.name } },
    version: 1,
  })
}

export async function sendHistory(phone: Phone, device: Device): Promise<void> {
  const { HistorySyncType } = proto.HistorySync
  const parts = splitParts(phone.history.chats ?? [])
  for (const [index, chats] of parts.entries())
    await sendPart(phone, device, {
      syncType: index === 0 ? HistorySyncType.INITIAL_BOOTSTRAP : HistorySyncType.RECENT,
      chunkOrder: index + 1,
      progress: Math.round((100 * (index + 1)) / parts.length),
      conversations: chats.map((chat) => conversation(phone, chat)),
      ...(index === 0 && { phoneNumberToLidMappings: mappings(phone), accounts: namedAccounts(phone) }),
    })
  const contacts = phone.history.contacts ?? []
  await sendPart(phone, device, {
    syncType: HistorySyncType.PUSH_NAME,
    chunkOrder: 1,
    progress: 100,
    pushnames: contacts.map(({ number, name }) => ({ id: `${number}@s.whatsapp.net`, pushname: name })),
  })
}

/** Sends a page of one chat that a companion has asked for. */
export async function sendHistoryPage(
  phone: Phone,
  device: Device,
  requestId: string,
  chat: HistoryChat,
  isEnd: boolean,
): Promise<void> {
  const { HistorySyncType } = proto.HistorySync
  const End = proto.Conversation.EndOfHistoryTransferType
  const endOfHistoryTransferType = isEnd
    ? End.COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY
    : End.COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY
  const page = { ...conversation(phone, chat), endOfHistoryTransferType }
  await sendPart(phone, device, { syncType: HistorySyncType.ON_DEMAND, conversations: [page] }, requestId)
}

const MESSAGES_OF_PART = 1_000

/** Whole chats, so many that a part has about that many messages; at least one part. */
function splitParts(chats: readonly HistoryChat[]): HistoryChat[][] {
  const parts: HistoryChat[][] = [[]]
  let messages = 0
  for (const chat of chats) {
    if (messages >= MESSAGES_OF_PART) {
      parts.push([])
      messages = 0
    }
    parts.at(-1)?.push(chat)
    messages += chat.messages?.length ?? 0
  }
  return parts
}

async function sendPart(phone: Phone, device: Device, part: proto.IHistorySync, requestId?: string): Promise<void> {
  const payload = deflateSync(encodeHistory(phone, part))
  const content = phone.network.blobsOnMediaHost
    ? await blobOnMediaHost(phone.network.media, payload, 'md-msg-hist')
    : { initialHistBootstrapInlinePayload: payload }
  await sendPeer(phone, device, {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType: part.syncType as unknown as proto.Message.HistorySyncType,
        chunkOrder: part.chunkOrder ?? 1,
        progress: part.progress ?? 100,
        ...(requestId === undefined ? {} : { peerDataRequestSessionId: requestId }),
        ...content,
      },
    },
  })
}

/** Numbers of fields: `HistorySync.conversations`, `Conversation.messages`, `HistorySyncMsg.message`, `WebMessageInfo.message`. */
const [CONVERSATIONS, MESSAGES, MESSAGE, CONTENT] = [2, 2, 1, 2]

/** Messages may be given as bytes. */
function encodeConversation({ messages, ...chat }: proto.IConversation): Buffer {
  const items = (messages ?? []).map(({ message, ...item }) => {
    const { message: content, ...info } = message as proto.IWebMessageInfo
    const whole = Buffer.concat([
      proto.WebMessageInfo.encode(info).finish(),
      ...(content ? [bytesField(CONTENT, Buffer.from(encodeMessage(content)))] : []),
    ])
    const encoded = Buffer.concat([proto.HistorySyncMsg.encode(item).finish(), bytesField(MESSAGE, whole)])
    return bytesField(MESSAGES, encoded)
  })
  return Buffer.concat([proto.Conversation.encode(chat as proto.Conversation).finish(), ...items])
}

/** The salt is a field that the library's schema lacks. */
function encodeHistory({ account, settings }: Phone, { conversations, ...part }: proto.IHistorySync): Uint8Array {
  const encoded = Buffer.concat([
    proto.HistorySync.encode(part as proto.HistorySync).finish(),
    ...(conversations ?? []).map((chat) => bytesField(CONVERSATIONS, encodeConversation(chat))),
  ])
  const isTold = settings.saltInHistory && account.contactSalt !== undefined
  return isTold ? Buffer.concat([encoded, bytesField(HISTORY_SALT, account.contactSalt as Buffer)]) : encoded
}

function mappings(phone: Phone): proto.IPhoneNumberToLIDMapping[] {
  const numbers = new Map<string, string>()
  for (const { id } of phone.history.chats ?? []) {
    const account = phone.network.directory.accounts.get(id)
    if (account) numbers.set(id, account.lidUser)
  }
  for (const { number, lid } of phone.history.contacts ?? []) {
    const lidUser = lid ?? phone.network.directory.accounts.get(number)?.lidUser
    if (lidUser) numbers.set(number, lidUser)
  }
  return [...numbers].map(([number, lid]) => ({ pnJid: `${number}@s.whatsapp.net`, lidJid: `${lid}@lid` }))
}

/** People of the address book who have usernames. Those of chats stand in their conversations. */
function namedAccounts({ history, network }: Phone): proto.IAccount[] {
  return (history.contacts ?? []).flatMap(({ number }) => {
    const account = network.directory.accounts.get(number)
    return account === undefined || account.username === ''
      ? []
      : [{ lid: account.jid('lid'), username: account.username, isUsernameDeleted: false }]
  })
}

function conversation(phone: Phone, chat: HistoryChat): proto.IConversation {
  const { directory } = phone.network
  const jid = chat.id.includes('@') ? chat.id : `${chat.id}@s.whatsapp.net`
  const account: Account | undefined = directory.accounts.get(chat.id)
  const messages = (chat.messages ?? []).map((message, index) => ({
    msgOrderId: index + 1,
    message: webMessage(phone, jid, message),
  }))
  const last = chat.messages?.at(-1)
  return {
    id: jid,
    // Newest first, as phones send them.
    messages: messages.reverse(),
    unreadCount: chat.unreadCount ?? 0,
    archived: chat.archived ?? false,
    ...(chat.pinned && { pinned: Math.floor(Date.now() / 1000) }),
    ...(chat.muteEndTime !== undefined && { muteEndTime: chat.muteEndTime }),
    ...(chat.name !== undefined && { name: chat.name }),
    ...(account && { lidJid: account.jid('lid') }),
    ...(account?.username && { username: account.username }),
    conversationTimestamp: last?.timestamp ?? Math.floor(Date.now() / 1000),
  }
}

function webMessage(phone: Phone, remoteJid: string, message: HistoryMessage): proto.IWebMessageInfo {
  const fromMe = message.fromMe ?? false
  const author = message.participant && `${message.participant}@s.whatsapp.net`
  const id = message.id ?? makeMessageId()
  const writer = fromMe ? phone : phone.network.directory.resolve(author ?? remoteJid)?.account.primary
  return {
    key: { remoteJid, fromMe, id, ...(author && { participant: author }) },
    message:
      message.base64 === undefined ? { conversation: message.text } : rawMessage(Buffer.from(message.base64, 'base64')),
    // In a history the secret stands beside the message.
    messageSecret: (writer ?? phone).secretFor(id),
    messageTimestamp: message.timestamp ?? Math.floor(Date.now() / 1000),
    status: fromMe ? proto.WebMessageInfo.Status.DELIVERY_ACK : proto.WebMessageInfo.Status.READ,
    ...(fromMe ? { pushName: phone.account.name } : message.pushName && { pushName: message.pushName }),
  }
}
