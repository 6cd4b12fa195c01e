/** Chats and contacts: look-ups, settings, presence. */
import { evolutionMessage } from '../../../schemas/dialects/evolution/message.js'
import { checkNumbers, tellChatDetails } from '../../routes/chat/check.js'
import { findChats } from '../../routes/chat/find.js'
import { archiveChat, blockPerson, readChat } from '../../routes/chat/update.js'
import { listContacts } from '../../routes/contacts/index.js'
import { setPresence } from '../../routes/instance/privacy.js'
import { findMessages } from '../../routes/message/find.js'
import { showPresence } from '../../routes/message/presence.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import {
  asObject,
  asText,
  choice,
  flag,
  list,
  messageKey,
  number,
  object,
  text,
  toChat,
  toJid,
  whole,
} from './fields.js'

// Bound: 1,048,576, a body or header of a request.

const shared = { area: 'Chats', opens: 'instance', method: 'POST' } as const
const PAGE_MAX = 1_000

const page = {
  page: whole('Page, from 1.', 1, 1_000_000),
  offset: whole('Size of a page.', 0, PAGE_MAX),
  take: whole('Another spelling of the size of a page.', 0, PAGE_MAX),
  skip: whole('Entries to pass over.', 0, 10_000_000),
}
const where = { type: 'object', description: 'What is searched.' }
const lastMessage = {
  ...object({ key: { ...messageKey, required: [] } }),
  description: 'The last message of the chat.',
}

export const evolutionChatRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    path: '/chat/whatsappNumbers',
    name: 'whatsappNumbers',
    summary: 'Check which numbers have an account',
    status: 200,
    operations: [checkNumbers],
    body: object({ numbers: { ...list(text('A number or JID.', 100), 'The numbers.', 500), minItems: 1 } }, [
      'numbers',
    ]),
    async handle(call) {
      const numbers = (call.body.numbers as readonly string[]).map(toChat)
      const found = await call.ask<readonly Json[]>(checkNumbers, { body: { numbers } })
      return found.map(({ query, jid, lid, isInWhatsapp, groupName }) => ({
        jid: asText(jid) || toJid(query),
        exists: isInWhatsapp,
        number: query,
        ...(asText(groupName) === '' ? {} : { name: groupName }),
        ...(asText(lid) === '' ? {} : { lid }),
      }))
    },
  },
  {
    ...shared,
    path: '/chat/archiveChat',
    name: 'archiveChat',
    summary: 'Archive a chat, or bring it back',
    status: 201,
    operations: [archiveChat],
    body: object({ lastMessage, chat: text('The chat.', 100), archive: flag('Whether it is archived.') }, ['archive']),
    async handle(call) {
      const chatId = namedChat(call)
      const { archive } = call.body
      await call.ask(archiveChat, { body: { number: chatId, archive } })
      return { chatId, archived: true }
    },
  },
  {
    ...shared,
    path: '/chat/markChatUnread',
    name: 'markChatUnread',
    summary: 'Mark a chat as unread',
    status: 201,
    operations: [readChat],
    body: object({ lastMessage, chat: text('The chat.', 100) }),
    async handle(call) {
      const chatId = namedChat(call)
      await call.ask(readChat, { body: { number: chatId, read: false } })
      return { chatId, markedChatUnread: true }
    },
  },
  {
    ...shared,
    path: '/chat/sendPresence',
    name: 'sendPresence',
    summary: 'Show typing or recording in a chat, for the time of the call',
    status: 201,
    operations: [showPresence, setPresence],
    differs: '`available` and `unavailable` are of the account, and not of one chat.',
    body: object(
      {
        number,
        presence: choice('What is shown.', 'composing', 'recording', 'paused', 'available', 'unavailable'),
        delay: whole('Milliseconds.', 0, 300_000),
      },
      ['number', 'presence', 'delay'],
    ),
    async handle(call) {
      const { presence, delay } = call.body
      if (presence === 'available' || presence === 'unavailable') await call.ask(setPresence, { body: { presence } })
      else {
        const milliseconds = Number(delay)
        const shown = milliseconds === 0 ? {} : { delay: milliseconds }
        await call.ask(showPresence, { body: { number: toChat(call.body.number), presence, ...shown } })
      }
      return { presence }
    },
  },
  {
    ...shared,
    path: '/chat/updateBlockStatus',
    name: 'updateBlockStatus',
    summary: 'Block a person, or unblock them',
    status: 201,
    operations: [blockPerson],
    body: object({ number, status: choice('What is done.', 'block', 'unblock') }, ['number', 'status']),
    async handle(call) {
      await call.ask(blockPerson, { body: { number: toChat(call.body.number), block: call.body.status === 'block' } })
      return { block: 'success' }
    },
  },
  {
    ...shared,
    path: '/chat/findContacts',
    name: 'findContacts',
    summary: 'List contacts',
    status: 200,
    operations: [listContacts],
    differs:
      'At most 1000 contacts are in an answer; `page` and `offset` give the others. Pictures are not in the list.',
    body: object({ where, ...page }),
    handle: findContacts,
  },
  {
    ...shared,
    path: '/chat/findChats',
    name: 'findChats',
    summary: 'List chats, the one with the newest message first',
    status: 200,
    operations: [findChats, findMessages],
    differs: '`lastMessage` is the whole message if a chat is named in `where`, else null.',
    body: object({ where, ...page }),
    handle: chatsFound,
  },
  {
    ...shared,
    method: 'GET',
    path: '/chat/findChatByRemoteJid',
    name: 'findChatByRemoteJid',
    summary: 'Show one chat',
    status: 200,
    operations: [findChats],
    query: object({ remoteJid: { ...text('The chat.', 100), minLength: 1 } }, ['remoteJid']),
    async handle(call) {
      const { chats } = await call.ask<{ chats: readonly Json[] }>(findChats, {
        body: { wa_chatid: toJid(call.query.remoteJid), limit: 1 },
      })
      const [chat] = chats
      return chat === undefined ? null : chatEntry(chat, call)
    },
  },
  {
    ...shared,
    path: '/chat/fetchProfilePictureUrl',
    name: 'fetchProfilePictureUrl',
    summary: 'Show the address of the picture of a person or group',
    status: 200,
    operations: [tellChatDetails],
    body: object({ number }),
    async handle(call) {
      const wuid = toJid(call.body.number)
      const { image } = await call.ask(tellChatDetails, { body: { number: wuid } })
      return { wuid, profilePictureUrl: asText(image) === '' ? null : image }
    },
  },
]

/** Returns the chat of a call, which names it by itself or by a message. */
function namedChat({ body }: DialectCall): string {
  const { remoteJid } = asObject(asObject(body.lastMessage).key)
  return toJid(asText(body.chat) || remoteJid)
}

/** Returns the page that a call asks for, in either spelling. */
export function evolutionPage({ page: at, offset, take, skip }: Json, size: number): { limit: number; offset: number } {
  const limit = Math.min(Number(take ?? offset ?? 0) || size, PAGE_MAX)
  return { limit, offset: skip === undefined ? (Math.max(1, Number(at ?? 1)) - 1) * limit : Number(skip) }
}

async function findContacts(call: DialectCall): Promise<readonly Json[]> {
  const { id, remoteJid, pushName } = asObject(call.body.where)
  const jid = asText(remoteJid) || asText(id)
  const search = jid === '' ? asText(pushName) : (jid.split('@')[0] ?? '')
  const { contacts } = await call.ask<{ contacts: readonly Json[] }>(listContacts, {
    body: { ...evolutionPage(call.body, PAGE_MAX), ...(search === '' ? {} : { search: search.slice(0, 200) }) },
  })
  const instanceId = call.instance?.id
  return contacts
    .filter((contact) => jid === '' || contact.jid === jid || contact.lid === jid)
    .map(({ jid: address, contact_name: saved, push_name: pushed }) => ({
      id: address,
      remoteJid: address,
      pushName: asText(saved) || asText(pushed),
      profilePicUrl: null,
      createdAt: null,
      updatedAt: null,
      instanceId,
      isGroup: String(address).endsWith('@g.us'),
      isSaved: asText(saved) !== '',
      type: String(address).endsWith('@g.us') ? 'group' : asText(saved) === '' ? 'group_member' : 'contact',
    }))
}

async function chatsFound(call: DialectCall): Promise<readonly Json[]> {
  const { remoteJid } = asObject(call.body.where)
  const jid = asText(remoteJid) === '' ? '' : toJid(remoteJid)
  const { chats } = await call.ask<{ chats: readonly Json[] }>(findChats, {
    body: { ...evolutionPage(call.body, PAGE_MAX), ...(jid === '' ? {} : { wa_chatid: jid }) },
  })
  if (jid === '' || chats.length === 0) return chats.map((chat) => chatEntry(chat, call))
  const { messages } = await call.ask<{ messages: readonly Json[] }>(findMessages, { body: { chatid: jid, limit: 1 } })
  const [last] = messages
  const newest = last === undefined ? null : evolutionMessage(last, { instanceId: call.instance?.id ?? '' })
  return chats.map((chat) => ({ ...chatEntry(chat, call), lastMessage: newest }))
}

function chatEntry(chat: Json, { instance }: DialectCall): Json {
  const at = Number(chat.wa_lastMsgTimestamp ?? 0)
  return {
    id: chat.id,
    remoteJid: chat.wa_chatid,
    pushName: asText(chat.name) || asText(chat.wa_name) || null,
    profilePicUrl: asText(chat.image) || null,
    updatedAt: at > 0 ? new Date(at).toISOString() : null,
    windowStart: null,
    windowExpires: null,
    windowActive: false,
    lastMessage: null,
    unreadCount: Number(chat.wa_unreadCount ?? 0),
    isSaved: asText(chat.wa_contactName) !== '',
    instanceId: instance?.id,
  }
}
