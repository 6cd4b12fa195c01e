import type { FindMessagesReply, FindMessagesRequest, Message } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const findMessages = instanceRoute<FindMessagesRequest>({
  method: 'POST',
  path: '/message/find',
  isSearch: true,
  name: 'findMessages',
  area: 'Message',
  scope: 'read',
  keyChat: { chat: 'chatid', isNarrowed: true },
  summary: 'Search the stored messages, newest first',
  schema: 'message/find.json',
  errors: ['INVALID_NUMBER'],
  async handle({ instance, body }, { ports }): Promise<FindMessagesReply> {
    const { id, chatid, track_source, track_id, status, limit = 100, offset = 0 } = body
    const { messages, hasMore } = await ports.messages.find(instance.id, {
      ...(id ? { id } : {}),
      ...(chatid ? { chatid } : {}),
      ...(track_source ? { trackSource: track_source } : {}),
      ...(track_id ? { trackId: track_id } : {}),
      ...(status ? { status: status.toLowerCase() } : {}),
      limit,
      offset,
    })
    return {
      returnedMessages: messages.length,
      messages: messages.map((message) => ({
        ...message,
        fileURL: ports.media.linkTo(instance.id, message),
      })) as unknown as Message[],
      limit,
      offset,
      nextOffset: offset + messages.length,
      hasMore,
    }
  },
})
