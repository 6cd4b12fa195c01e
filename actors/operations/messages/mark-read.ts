import { chatIdOf } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { bareMessageId } from '../../instance/sends/send-content.js'
import type { InstanceContext, SendsContext } from '../context.js'
import { operation } from '../operation.js'

interface MarkedMessage {
  readonly message_id: string
  readonly status: 'success' | 'failed'
  readonly error?: string
}

/** Marks received messages as read, by their ids. Needs a connection only when there is something to mark. */
export const markRead = operation('markRead', {
  // A receipt for a message that is read already says nothing new.
  repeat: true,
  example: { results: [] },
  async run(context: InstanceContext, { ids }: { readonly ids: readonly string[] }) {
    const messages = await context.reader.messagesNamed(context.id, ids)
    const received = messages.filter((message) => !message.fromMe)
    if (received.length > 0) await markMessagesRead(context, received)
    return { results: ids.map((id) => resultOf(id, messages)) }
  },
})

function resultOf(id: string, messages: readonly MessageForActor[]): MarkedMessage {
  const message = messages.find(({ messageid, record }) => [messageid, record.id].includes(bareMessageId(id)))
  if (message === undefined) return { message_id: id, status: 'failed', error: 'Message not found' }
  if (message.fromMe) return { message_id: id, status: 'failed', error: 'The message is our own' }
  return { message_id: id, status: 'success' }
}

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
  const chats = new Map(messages.map(({ chat }) => [chatIdOf(chat), chat]))
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
