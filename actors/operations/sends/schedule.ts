import type { ScheduleRequest, SendReply } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { scheduledExample } from './scheduled-example.js'

/** Sends a message at a time of its own; now, if that is less than two seconds ahead. */
export const schedule = operation('schedule', {
  // The owner looks for the row of the message id first; see `schemas/shard-moved.ts`.
  repeat: (command: ScheduleRequest) => (command.isRepeat ? command : { ...command, isRepeat: true }),
  example: ({ messageid, schedule: { atMs, asked, zone } }: ScheduleRequest): SendReply =>
    scheduledExample(messageid, { send_at: new Date(atMs).toISOString(), asked, timezone: zone, revision: 1 }),
  run: ({ sends, limits }: InstanceContext, command: ScheduleRequest): Promise<SendReply> =>
    sends.send({ type: 'schedule', ...command }).catch(async (error: unknown) => {
      throw await limits.explained(error)
    }),
})
