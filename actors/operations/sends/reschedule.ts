import type { RescheduleRequest } from '../../../schemas/scheduled-send.js'
import type { SendReply } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Changes the time or the text of a send that is scheduled. */
export const reschedule = operation('reschedule', {
  // The row keeps the id of its last change.
  repeat: true,
  example: ({ id, revision }: RescheduleRequest): SendReply => ({
    record: {
      id,
      messageid: id,
      chatid: '5511999990002@s.whatsapp.net',
      fromMe: true,
      messageType: 'text',
      messageTimestamp: 1,
      status: 'scheduled',
      owner: '5511999990001',
      schedule: {
        send_at: '2027-01-31T12:00:00.000Z',
        asked: '2027-01-31T09:00:00-03:00',
        timezone: '',
        expires_at: '2027-02-01T12:00:00.000Z',
        revision: revision + 1,
      },
    },
    warnings: [],
  }),
  run: ({ sends }: InstanceContext, command: RescheduleRequest): Promise<SendReply> => sends.reschedule(command),
})
