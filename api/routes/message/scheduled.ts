import { GatewayError } from '../../../schemas/errors.js'
import type { Message, ScheduledQuery, ScheduledReply } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { parseAddress } from '../../../schemas/jid.js'
import type { ScheduledPlace } from '../../../schemas/ports/chats.js'
import { readInstant } from '../../../schemas/send-time.js'
import { instanceRoute } from '../../route.js'

// Bound: 1,048,576, a body or header of a request.

export const listScheduled = instanceRoute<undefined, ScheduledQuery>({
  method: 'GET',
  path: '/message/scheduled',
  isSearch: true,
  name: 'listScheduled',
  area: 'Message',
  scope: 'read',
  summary: 'List the messages that are scheduled, the first that is due first',
  schema: 'message/scheduled.json',
  errors: ['INVALID_NUMBER'],
  async handle({ instance, query }, { ports }): Promise<ScheduledReply> {
    const { id, chat, track_id, status = 'scheduled', from, to, cursor, limit = 100 } = query
    const { messages, last, hasMore } = await ports.scheduled.list(instance.id, {
      ...(id === undefined ? {} : { id: id.slice(id.lastIndexOf(':') + 1) as MessageId }),
      ...(chat === undefined ? {} : { chat: parseAddress(chat, 'chat') }),
      ...(track_id === undefined ? {} : { trackId: track_id }),
      ...(status === 'all' ? {} : { status }),
      ...(from === undefined ? {} : { fromMs: readInstant(from, 'from') }),
      ...(to === undefined ? {} : { toMs: readInstant(to, 'to') }),
      ...(cursor === undefined ? {} : { after: parsePlace(cursor) }),
      limit,
    })
    return {
      messages: messages as unknown as Message[],
      hasMore,
      ...(hasMore && last !== null ? { nextCursor: `${last.atMs}.${last.position}` } : {}),
    }
  },
})

/** @throws GatewayError INVALID_REQUEST */
function parsePlace(cursor: string): ScheduledPlace {
  const [, at, position] = /^(\d{1,15})\.(\d{1,18})$/.exec(cursor) ?? []
  if (at !== undefined && position !== undefined) return { atMs: Number(at), position }
  const why = 'is not a cursor of this list'
  throw new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: cursor ${why}.`,
    details: [{ field: 'cursor', why }],
  })
}
