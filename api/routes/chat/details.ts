import type { Chat, ChatDetailsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const tellChatDetails = instanceRoute<ChatDetailsRequest>({
  method: 'POST',
  path: '/chat/details',
  name: 'tellChatDetails',
  area: 'Chat',
  scope: 'read',
  keyChat: { chat: 'number' },
  summary: 'Show all facts about a chat, with its picture',
  schema: 'chat/details.json',
  errors: ['INVALID_NUMBER', 'NOT_ON_NETWORK', 'INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<Chat> {
    const { number, preview = false } = body
    const record = await ports.router.ask(instance.id, { type: 'chatDetails', number, preview })
    const { owner } = instance
    return { ...record, owner, common_groups: record.wa_common_groups ?? '' } as Chat
  },
})
