/** Finds the chat of a conversation, and binds a conversation that an agent opened to its chat. */
import { readPhoneNumber } from '../../schemas/phone-number.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import type { ChatwootParts } from './parts.js'
import type { AgentMessage } from './webhook-facts.js'

// Bound: 150,000, a field of Chatwoot or of a message.

type Parts = Pick<ChatwootParts, 'store'>

/** Returns a number or JID; null if the contact has none. */
export async function recipientOf(
  { store }: Parts,
  { instance }: ChatwootConfig,
  message: AgentMessage,
): Promise<string | null> {
  const chat = await store.chats.byConversation(instance, message.conversationId)
  const known = chat === null ? null : await store.chats.addressOf(instance, chat.chatId)
  if (known !== null) return known
  const { identifier, phone } = message
  if (/^[\d-]+@(s\.whatsapp\.net|lid|g\.us)$/.test(identifier)) return identifier
  return digitsOfPhone(phone) || null
}

/** Returns the digits of a contact's number, which Chatwoot has with + and country code; empty if they are none that can be reached. */
function digitsOfPhone(phone: string): string {
  const read = readPhoneNumber(phone)
  return 'digits' in read ? read.digits : ''
}

/** From now on the chat goes on in the conversation in which the agent wrote last. */
export async function bindConversation(
  { store }: Parts,
  { instance }: ChatwootConfig,
  message: AgentMessage,
  record: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { conversationId, contactId, contactSource, cwId, phone } = message
  const chatId = await store.chats.chatOf(instance, String(record.chatid))
  if (chatId === null) return
  const chat = await store.chats.ensure(instance, chatId)
  if (chat.conversationId === conversationId) return
  const contact =
    contactId > 0 && contactSource !== '' && chat.contactId !== contactId
      ? { contactId, sourceId: contactSource, hasInbox: true, phone: digitsOfPhone(phone) }
      : {}
  await store.chats.update(instance, chatId, {
    ...{ conversationId, isAsked: false, newestId: 0, seenId: cwId - 1 },
    ...contact,
  })
}
