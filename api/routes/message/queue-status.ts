import type { QueueStatusReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const tellQueue = instanceRoute({
  method: 'GET',
  path: '/message/async',
  name: 'tellQueue',
  area: 'Message',
  scope: 'read',
  summary: 'Show the state of the asynchronous send queue',
  schema: 'message/queue-status.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<QueueStatusReply> {
    const queue = await ports.router.ask(instance.id, { type: 'queueStatus' })
    return { response: sentences[queue.status], instanceId: instance.id, queue }
  },
})

const sentences = {
  idle: 'Nothing is queued',
  queued: 'Messages are queued',
  processing: 'A message of the queue is being sent',
  waiting_connection: 'The queue waits for a connection',
  resetting: 'The queue is being emptied',
} as const
