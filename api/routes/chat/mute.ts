import type { MuteChatReply, MuteChatRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const muteChat = instanceRoute<MuteChatRequest>({
  method: 'POST',
  path: '/chat/mute',
  name: 'muteChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Mute a chat for 8 hours, a week or for good, or unmute it',
  schema: 'chat/mute.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, muteEndTime } }, { ports }): Promise<MuteChatReply> {
    await ports.router
      .ask(instance.id, { type: 'setChat', number, setting: { kind: 'mute', hours: muteEndTime } })
      .catch(withText('Error muting chat'))
    return { response: muteEndTime === 0 ? 'Chat unmuted' : 'Chat muted' }
  },
})
