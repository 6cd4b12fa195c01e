import type { StatusViewsReply, StatusViewsRequest } from '../../../schemas/generated.js'
import { chatIdOf, userOf } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'

export const listViews = instanceRoute<StatusViewsRequest>({
  method: 'POST',
  path: '/message/views',
  name: 'listStatusViews',
  area: 'Message',
  scope: 'read',
  summary: 'List who has received and seen a status post of this account',
  schema: 'message/views.json',
  errors: ['MESSAGE_NOT_FOUND', 'INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<StatusViewsReply> {
    const { id, limit = 100, offset = 0 } = body
    const { report, reached, delivered, seen, views, messageid } = await ports.router.ask(instance.id, {
      type: 'statusViews',
      id,
      limit,
      offset,
    })
    return {
      messageid,
      audience: report.audience,
      recipients: report.recipients,
      // The account itself is one of the people.
      reached: Math.min(reached, report.recipients),
      delivered,
      seen,
      viewers: views.map(({ person, name, deliveredMs, seenMs }) => ({
        jid: chatIdOf(person),
        lid: person.lid ?? '',
        phone: person.pn === undefined ? '' : userOf(person.pn),
        name,
        delivered: new Date(deliveredMs).toISOString(),
        seen: seenMs === null ? '' : new Date(seenMs).toISOString(),
      })),
      hasMore: offset + views.length < delivered,
    }
  },
})
