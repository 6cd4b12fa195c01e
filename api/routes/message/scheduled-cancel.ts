import { GatewayError } from '../../../schemas/errors.js'
import type { CancelScheduledQuery, CancelScheduledReply } from '../../../schemas/generated.js'
import { parseAddress } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'

export const cancelScheduled = instanceRoute<undefined, CancelScheduledQuery>({
  method: 'DELETE',
  path: '/message/scheduled',
  name: 'cancelScheduled',
  area: 'Message',
  scope: 'send',
  summary: 'Cancel messages that are scheduled: one, or all of a chat or with a `track_id`',
  schema: 'message/scheduled-cancel.json',
  errors: [
    'INVALID_NUMBER',
    'MESSAGE_NOT_FOUND',
    'SCHEDULE_TAKEN',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, query }, { ports }): Promise<CancelScheduledReply> {
    const { id, chat, track_id: trackId } = query
    if ([id, chat, trackId].filter((one) => one !== undefined).length !== 1)
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: exactly one of id, chat and track_id must be given.',
        details: [{ field: 'id', why: 'exactly one of id, chat and track_id must be given' }],
      })
    if (chat !== undefined) parseAddress(chat, 'chat')
    const { canceled, messageid } = await ports.router.ask(instance.id, {
      type: 'cancelScheduled',
      ...(id === undefined ? {} : { id }),
      ...(chat === undefined ? {} : { chat }),
      ...(trackId === undefined ? {} : { trackId }),
    })
    return { response: 'Canceled', canceled, ...(messageid === undefined ? {} : { messageid }) }
  },
})
