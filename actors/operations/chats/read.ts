import { markChat } from '../../instance/reading.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface ReadChatFields {
  readonly number: string
  readonly read: boolean
}

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
