import { type ChatAddress, toChatId } from '../../schemas/jid.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import { knownChat } from './known-chat.js'
import { orUnknown } from './outcome.js'
import type { SendsContext } from './sends/context.js'

/** Maximum of receipts that are sent when a chat is marked as read. */
const READ_MAX = 100

/**
 * Sends read receipts and stores them. `rest` says what becomes of the other messages of their chats: `read` sets the unread count to 0,
 * `unread` lowers it by the messages that were really changed.
 */
export async function markMessagesRead(
  context: SendsContext,
  messages: readonly MessageForActor[],
  rest: 'read' | 'unread' = 'read',
): Promise<void> {
  const connection = await context.connection()
  await connection.messages.markRead(messages)
  const chats = new Map(messages.map(({ chat }) => [toChatId(chat), chat]))
  const set = rest === 'read' ? { wa_unreadCount: 0 } : {}
  await context.journal.write([
    {
      type: 'message.update',
      messageids: messages.map(({ messageid }) => messageid),
      fromMe: false,
      set: { status: 'read' },
      ...(rest === 'unread' ? { lowersUnread: true } : {}),
    },
    ...[...chats.values()].map((chat) => ({ type: 'chat', chat, set, announce: true }) as const),
  ])
}

/** Marks the chat of a send as read, if the send asked for it. A chat without unread messages is left as it is. */
export async function readAfterSend(context: SendsContext, chat: ChatAddress): Promise<void> {
  const record = await context.reader.chat(context.id, chat)
  if (record !== null && record.wa_unreadCount !== 0) await markChat(context, toChatId(chat), true)
}

/**
 * Marks a chat as read or as unread, on all devices.
 * @throws GatewayError INVALID_NUMBER, CHAT_NOT_FOUND
 */
export async function markChat(context: SendsContext, number: string, isRead: boolean): Promise<void> {
  const { id, journal, reader } = context
  const connection = await context.connection()
  const { address: chat, record } = await knownChat(id, number, reader)
  const unread = Number(record.wa_unreadCount)
  const received = isRead && unread > 0 ? await reader.lastReceived(id, chat, Math.min(unread, READ_MAX)) : []
  if (received.length > 0) await markMessagesRead(context, received)
  // Receipts reach the other devices too. A mark of unread, or messages that are not stored, need a change of the chat.
  if (!isRead || received.length === 0) {
    const last = await reader.lastMessage(id, chat)
    await orUnknown(() => connection.settings.markChat(chat, isRead, last))
  }
  const wa_unreadCount = isRead ? 0 : unread === 0 ? -1 : unread
  await journal.write([{ type: 'chat', chat, set: { wa_unreadCount }, announce: true, known: true }])
}
