import type { PinChatReply, PinChatRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const pinChat = instanceRoute<PinChatRequest>({
  method: 'POST',
  path: '/chat/pin',
  name: 'pinChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Pin a chat to the top, or unpin it',
  schema: 'chat/pin.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, pin } }, { ports }): Promise<PinChatReply> {
    await ports.router
      .ask(instance.id, { type: 'setChat', number, setting: { kind: 'pin', isSet: pin } })
      .catch(withText('Error pinning chat'))
    return { response: pin ? 'Chat pinned' : 'Chat unpinned' }
  },
})
