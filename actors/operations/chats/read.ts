import { type ChatAddress, chatIdOf } from '../../../schemas/jid.js'
import type { InstanceContext, SendsContext } from '../context.js'
import { knownChat } from '../known-chat.js'
import { markMessagesRead } from '../messages/mark-read.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

interface ReadChatFields {
  readonly number: string
  readonly read: boolean
}

/** Maximum of receipts that are sent when a chat is marked as read. */
const READ_MAX = 100

/** Marks a chat as read or as unread, on all devices. */
export const readChat = operation('readChat', {
  // A receipt for a message that is read already says nothing new.
  repeat: true,
  example: null,
  async run(context: InstanceContext, { number, read }: ReadChatFields) {
    await markChat(context, number, read)
    return null
  },
})

/** Marks the chat of a send as read, if the send asked for it. A chat without unread messages is left as it is. */
export async function readAfterSend(context: SendsContext, chat: ChatAddress): Promise<void> {
  const record = await context.reader.chat(context.id, chat)
  if (record !== null && record.wa_unreadCount !== 0) await markChat(context, chatIdOf(chat), true)
}

async function markChat(context: SendsContext, number: string, isRead: boolean): Promise<void> {
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
