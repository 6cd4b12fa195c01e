import { GatewayError } from '../../../schemas/errors.js'
import type { EditScheduledReply, EditScheduledRequest } from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { sendReply } from '../send/reply.js'
import { scheduleOf } from '../send/schedule.js'

export const editScheduled = instanceRoute<EditScheduledRequest>({
  method: 'POST',
  path: '/message/scheduled/edit',
  name: 'editScheduled',
  area: 'Message',
  scope: 'send',
  summary: 'Change a message that is scheduled: its time, its text, or its `track_id`',
  schema: 'message/scheduled-edit.json',
  errors: [
    'MESSAGE_NOT_FOUND',
    'SCHEDULE_TAKEN',
    'SCHEDULE_CHANGED',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<EditScheduledReply> {
    const { id, revision, text, track_id, expire_after } = body
    const schedule = body.send_at === undefined ? null : scheduleOf(body, warnings)
    if (schedule === null && text === undefined && track_id === undefined && expire_after === undefined)
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: send_at, expire_after, text or track_id must say what is to change.',
        details: [{ field: 'send_at', why: 'must be given, or expire_after, text or track_id' }],
      })
    const { record, warnings: found } = await ports.router.ask(instance.id, {
      type: 'reschedule',
      messageid: newMessageId(),
      id,
      revision,
      ...(schedule === null ? {} : { schedule }),
      ...(expire_after === undefined ? {} : { expireAfterMs: expire_after }),
      ...(text === undefined ? {} : { text }),
      ...(track_id === undefined ? {} : { trackId: track_id }),
    })
    warnings.push(...found)
    return sendReply(record)
  },
})
