import type { ChatNotesReply, ChatNotesRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const showChatNotes = instanceRoute<ChatNotesRequest>({
  method: 'POST',
  path: '/chat/notes',
  name: 'showChatNotes',
  area: 'Chat',
  scope: 'read',
  keyChat: { chat: 'number' },
  summary: 'Show the note of a chat',
  schema: 'chat/notes.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body: { number } }, { ports }): Promise<ChatNotesReply> {
    const { chat, text } = await ports.router.ask(instance.id, { type: 'showNote', number })
    return { chat, wa_notes: text, source: 'database' }
  },
})
