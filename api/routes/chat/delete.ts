import { GatewayError } from '../../../schemas/errors.js'
import type { DeleteChatReply, DeleteChatRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const deleteChat = instanceRoute<DeleteChatRequest>({
  method: 'POST',
  path: '/chat/delete',
  name: 'deleteChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Delete a chat or its messages, here and on the devices',
  schema: 'chat/delete.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<DeleteChatReply> {
    const stored = body.deleteChatDB ? 'chat' : body.deleteMessagesDB ? 'messages' : null
    const shown = body.clearChatWhatsApp ? 'clear' : body.deleteChatWhatsApp ? 'delete' : null
    if (stored === null && shown === null) {
      const why = 'or one of deleteMessagesDB, deleteChatWhatsApp, clearChatWhatsApp must be true'
      const message = `Invalid request: deleteChatDB ${why}.`
      throw new GatewayError('INVALID_REQUEST', { message, details: [{ field: 'deleteChatDB', why }] })
    }
    const { actions, errors } = await ports.router
      .ask(instance.id, { type: 'deleteChat', number: body.number, stored, shown })
      .catch(withText('Error deleting chat'))
    return {
      response: errors.length === 0 ? 'Chat deleted' : 'Chat deleted in part',
      actions: [...actions],
      errors: [...errors],
    }
  },
})
