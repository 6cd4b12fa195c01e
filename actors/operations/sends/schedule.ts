import type { ScheduleRequest, SendReply } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { withChosenId } from './chosen-id.js'
import { scheduledExample } from './scheduled-example.js'

/** Sends a message at a time of its own; now, if that is less than two seconds ahead. */
export const schedule = operation('schedule', {
  // The owner looks for the row of the message id first; see `schemas/shard-moved.ts`.
  repeat: (command: ScheduleRequest) => (command.isRepeat ? command : { ...command, isRepeat: true }),
  example: ({ messageid, schedule: { atMs, asked, zone } }: ScheduleRequest): SendReply =>
    scheduledExample(messageid, { send_at: new Date(atMs).toISOString(), asked, timezone: zone, revision: 1 }),
  run: (context: InstanceContext, command: ScheduleRequest): Promise<SendReply> =>
    withChosenId(context, command, () =>
      context.sends.send({ type: 'schedule', ...command }).catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      }),
    ),
})
