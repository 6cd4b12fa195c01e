import type { ChatEphemeralReply, ChatEphemeralRequest } from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { disappearingOf } from '../group/ephemeral.js'
import { groupErrors } from '../group/record.js'

export const chatEphemeral = instanceRoute<ChatEphemeralRequest>({
  method: 'POST',
  path: '/chat/ephemeral',
  name: 'chatEphemeral',
  area: 'Chat',
  scope: 'token',
  summary: 'Let messages of a chat disappear, for all who are in it',
  schema: 'chat/ephemeral.json',
  errors: [...groupErrors, 'CHAT_NOT_FOUND', 'NOT_SUPPORTED', 'SEND_REFUSED'],
  async handle({ instance, body: { number, duration } }, { ports }): Promise<ChatEphemeralReply> {
    const { seconds, response, ephemeral } = disappearingOf(duration)
    const messageid = newMessageId()
    const { chat } = await ports.router.ask(instance.id, { type: 'setDisappearing', messageid, number, seconds })
    return { response, chat, ephemeral }
  },
})
