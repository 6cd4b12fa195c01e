import type { RefreshChatNotesReply, RefreshChatNotesRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const refreshChatNotes = instanceRoute<RefreshChatNotesRequest>({
  method: 'POST',
  path: '/chat/notes/refresh',
  name: 'refreshChatNotes',
  area: 'Chat',
  scope: 'token',
  summary: 'Read the notes of chats again from WhatsApp',
  schema: 'chat/notes-refresh.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'HISTORY_RUNNING', ...changeErrors],
  async handle({ instance, body: { number, force = false } }, { ports }): Promise<RefreshChatNotesReply> {
    const { chat, text } = await ports.router
      .ask(instance.id, { type: 'refreshNote', number, isWhole: force })
      .catch(withText('Error refreshing chat notes'))
    return { chat, wa_notes: text, source: 'whatsapp' }
  },
})
