import type { QueueClearReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const clearQueue = instanceRoute({
  method: 'DELETE',
  path: '/message/async',
  name: 'clearQueue',
  area: 'Message',
  scope: 'token',
  summary: 'Cancel the sends that are queued',
  schema: 'message/queue-clear.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'QUEUE_BUSY', 'OUTCOME_UNKNOWN'],
  async handle({ instance }, { ports }): Promise<QueueClearReply> {
    const { canceled } = await ports.router.ask(instance.id, { type: 'queueClear' })
    return { response: 'The queue is empty', instanceId: instance.id, stats: { canceled } }
  },
})
