import type { Chat, ChatDetailsRequest, CheckNumbersReply, CheckNumbersRequest } from '../../../schemas/generated.js'
import { toChatId } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'

export const checkNumbers = instanceRoute<CheckNumbersRequest>({
  method: 'POST',
  path: '/chat/check',
  name: 'checkNumbers',
  area: 'Chat',
  scope: 'send',
  summary: 'Check which numbers have an account',
  schema: 'chat/check.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<CheckNumbersReply> {
    const checked = await ports.router.ask(instance.id, {
      type: 'checkNumbers',
      numbers: body.numbers,
      country: instance.defaultCountry,
    })
    return checked.map(({ query, address, groupName, error }) => ({
      query,
      jid: address === null ? '' : toChatId(address),
      lid: address?.lid ?? '',
      isInWhatsapp: address !== null,
      verifiedName: '',
      groupName,
      error,
    }))
  },
})

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
