import type { CancelScheduledReply, CancelScheduledRequest } from '../../../schemas/scheduled-send.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Cancels sends that are scheduled. */
export const cancelScheduled = operation('cancelScheduled', {
  repeat: true,
  example: { canceled: 1 },
  run: ({ sends }: InstanceContext, command: CancelScheduledRequest): Promise<CancelScheduledReply> =>
    sends.cancelScheduled(command),
})
