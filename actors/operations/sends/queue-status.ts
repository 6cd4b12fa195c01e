import type { QueueStatus } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Answers with the state of the queue of asynchronous sends. */
export const queueStatus = operation('queueStatus', {
  repeat: true,
  example: {
    status: 'idle',
    pending: 0,
    processingNow: false,
    acceptingNewMessages: true,
    sessionReady: true,
    resetting: false,
  },
  run: ({ sends }: InstanceContext): Promise<QueueStatus> => sends.queueStatus(),
})
