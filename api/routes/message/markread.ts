import type { MarkReadReply, MarkReadRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const markRead = instanceRoute<MarkReadRequest>({
  method: 'POST',
  path: '/message/markread',
  name: 'markRead',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Mark received messages as read',
  schema: 'message/markread.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'OUTCOME_UNKNOWN'],
  async handle({ instance, body }, { ports }): Promise<MarkReadReply> {
    const { results } = await ports.router.ask(instance.id, { type: 'markRead', ids: [...new Set(body.id)] })
    return { results: [...results] }
  },
})
