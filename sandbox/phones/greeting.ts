/** What a phone sends a companion after its first login: app-state key, the account's name, history. */

import { deflateSync } from 'node:zlib'
import { proto } from '@whiskeysockets/baileys'
import { blobOnMediaHost } from '../media/blob.js'
import type { Account, Device } from '../network/model.js'
import { makeMessageId, sendPeer } from './outbox.js'
import type { Phone } from './phone.js'

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
  const parts = partsOf(phone.history.chats ?? [])
  for (const [index, chats] of parts.entries())
    await sendPart(phone, device, {
      syncType: index === 0 ? HistorySyncType.INITIAL_BOOTSTRAP : HistorySyncType.RECENT,
      chunkOrder: index + 1,
      progress: Math.round((100 * (index + 1)) / parts.length),
      conversations: chats.map((chat) => conversation(phone, chat)),
      ...(index === 0 && { phoneNumberToLidMappings: mappings(phone) }),
    })
  const contacts = phone.history.contacts ?? []
  await sendPart(phone, device, {
    syncType: HistorySyncType.PUSH_NAME,
    chunkOrder: 1,
    progress: 100,
    pushnames: contacts.map(({ number, name }) => ({ id: `${number}@s.whatsapp.net`, pushname: name })),
  })
}

const MESSAGES_OF_PART = 1_000

/** Whole chats, so many that a part has about that many messages; at least one part. */
function partsOf(chats: readonly HistoryChat[]): HistoryChat[][] {
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

async function sendPart(phone: Phone, device: Device, part: proto.IHistorySync): Promise<void> {
  const payload = deflateSync(proto.HistorySync.encode(part as proto.HistorySync).finish())
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
        ...content,
      },
    },
  })
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
    conversationTimestamp: last?.timestamp ?? Math.floor(Date.now() / 1000),
  }
}

function webMessage(phone: Phone, remoteJid: string, message: HistoryMessage): proto.IWebMessageInfo {
  const fromMe = message.fromMe ?? false
  const author = message.participant && `${message.participant}@s.whatsapp.net`
  return {
    key: { remoteJid, fromMe, id: message.id ?? makeMessageId(), ...(author && { participant: author }) },
    message: { conversation: message.text },
    messageTimestamp: message.timestamp ?? Math.floor(Date.now() / 1000),
    status: fromMe ? proto.WebMessageInfo.Status.DELIVERY_ACK : proto.WebMessageInfo.Status.READ,
    ...(fromMe ? { pushName: phone.account.name } : message.pushName && { pushName: message.pushName }),
  }
}
