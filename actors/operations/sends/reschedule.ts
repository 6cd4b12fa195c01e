import type { RescheduleRequest } from '../../../schemas/scheduled-send.js'
import type { SendReply } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { scheduledExample } from './scheduled-example.js'

/** Changes the time or the text of a send that is scheduled. */
export const reschedule = operation('reschedule', {
  // The row keeps the id of its last change.
  repeat: true,
  example: ({ id, revision }: RescheduleRequest): SendReply =>
    scheduledExample(id, {
      send_at: '2027-01-31T12:00:00.000Z',
      asked: '2027-01-31T09:00:00-03:00',
      timezone: '',
      revision: revision + 1,
    }),
  run: ({ sends }: InstanceContext, command: RescheduleRequest): Promise<SendReply> => sends.reschedule(command),
})
