/** Finds or makes the conversation of a chat. */
import { type ChatwootChat, newSource } from '../store/chatwoot/chat-rows.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { ChatwootApi } from './chatwoot-api.js'
import { type ChatwootPerson, ContactPlace } from './contact-place.js'
import type { ChatwootParts } from './parts.js'
import { ChatwootRefusal } from './refusal.js'

export interface ConversationPlace {
  readonly api: ChatwootApi
  readonly config: ChatwootConfig
  readonly contacts: ContactPlace
  row: ChatwootChat
}

type Parts = Pick<ChatwootParts, 'store' | 'outgoing'>

export function createChatwootApi({ outgoing }: Pick<ChatwootParts, 'outgoing'>, config: ChatwootConfig): ChatwootApi {
  const { url, accountId, token, instance } = config
  return new ChatwootApi(outgoing, { url, accountId, token, owner: instance })
}

/** @throws ChatwootRefusal */
export async function conversationPlace(
  parts: Parts,
  config: ChatwootConfig,
  chatId: number,
  person: ChatwootPerson,
): Promise<ConversationPlace> {
  const { chats } = parts.store
  const { instance, inboxId } = config
  const api = createChatwootApi(parts, config)
  const contacts = new ContactPlace({ api, chats, instance, inboxId })
  const row = await chats.ensure(instance, chatId)
  try {
    return await withConversation(parts, { api, config, contacts, row: await contacts.ensure(row, person) })
  } catch (error) {
    if (!(error instanceof ChatwootRefusal) || error.kind !== 'missing' || row.contactId === null) throw error
    // The contact was deleted there. Chatwoot takes its place in the inbox away later, so its `source_id` is still taken.
    const gone = { ...FORGOTTEN, sourceId: newSource() }
    await chats.update(instance, chatId, gone)
    const anew = { ...row, ...gone }
    return await withConversation(parts, { api, config, contacts, row: await contacts.ensure(anew, person) })
  }
}

/** Forgets a conversation that was deleted there, and gives another one. @throws ChatwootRefusal */
export async function otherConversation(parts: Parts, place: ConversationPlace): Promise<ConversationPlace> {
  const { row, config } = place
  const gone = { conversationId: null, formerId: row.conversationId, isAsked: false, newestId: 0, seenId: 0 }
  await parts.store.chats.update(config.instance, row.chatId, gone)
  return await withConversation(parts, { ...place, row: { ...row, ...gone } })
}

const FORGOTTEN = {
  contactId: null,
  hasInbox: false,
  conversationId: null,
  isAsked: false,
  newestId: 0,
  seenId: 0,
  phone: '',
}

async function withConversation({ store }: Parts, place: ConversationPlace): Promise<ConversationPlace> {
  const { api, config, row } = place
  if (row.conversationId !== null) return place
  const contactId = Number(row.contactId)
  const isFresh = config.createNewConversation && !row.isAsked
  const open = isFresh ? [] : await api.listConversations(contactId)
  const known = open.find(({ inboxId, id }) => inboxId === config.inboxId && id !== row.formerId)
  if (known === undefined) await store.chats.update(config.instance, row.chatId, { isAsked: true })
  const { id } =
    known ??
    (await api.createConversation({ inbox_id: config.inboxId, contact_id: contactId, source_id: row.sourceId }))
  // Of a conversation of our own every message counts; of one that was there, those that come from now on.
  const isOurs = known === undefined || row.isAsked
  const from = isOurs ? -1 : ((await api.messages(id, 0)).at(-1)?.id ?? -1)
  const changes = { conversationId: id, isAsked: false, newestId: from, seenId: from }
  await store.chats.update(config.instance, row.chatId, changes)
  return { ...place, row: { ...row, ...changes } }
}
