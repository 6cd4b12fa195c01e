import type { EditChatNotesReply, EditChatNotesRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const editChatNotes = instanceRoute<EditChatNotesRequest>({
  method: 'POST',
  path: '/chat/notes/edit',
  name: 'editChatNotes',
  area: 'Chat',
  scope: 'token',
  summary: 'Write the note of a chat, on all devices of the account',
  schema: 'chat/notes-edit.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, notes } }, { ports }): Promise<EditChatNotesReply> {
    const { chat, text } = await ports.router
      .ask(instance.id, { type: 'editNote', number, text: notes })
      .catch(withText('Error editing chat notes'))
    return { chat, wa_notes: text, source: 'whatsapp' }
  },
})
