import type { MessageForActor } from '../../../schemas/stored-message.js'
import { markMessagesRead } from '../../instance/reading.js'
import { bareMessageId } from '../../instance/sends/send-content.js'
import type { InstanceContext } from '../context.js'
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
