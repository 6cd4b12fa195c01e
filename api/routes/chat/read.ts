import type { ReadChatReply, ReadChatRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'

export const readChat = instanceRoute<ReadChatRequest>({
  method: 'POST',
  path: '/chat/read',
  name: 'readChat',
  area: 'Chat',
  scope: 'send',
  keyChat: { chat: 'number' },
  summary: 'Mark a chat as read, or as unread',
  schema: 'chat/read.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<ReadChatReply> {
    await ports.router.ask(instance.id, { type: 'readChat', number: body.number, read: body.read })
    return { response: body.read ? 'Chat marked as read' : 'Chat marked as unread' }
  },
})
