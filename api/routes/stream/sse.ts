import { eventKinds, messageFilters, settledFilter } from '../../../schemas/event-kinds.js'
import type { EventKind, StreamQuery } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { Answer, eitherRoute } from '../../route.js'

// Bound: 1,048,576, a body or header of a request.

export const streamEvents = eitherRoute<undefined, StreamQuery>({
  method: 'GET',
  path: '/sse',
  name: 'streamEvents',
  area: 'Stream',
  scope: 'read',
  pairs: true,
  summary: 'Follow the events of the instance, or of all instances for the administrator, as server-sent events',
  tokenInQuery: true,
  schema: 'stream/sse.json',
  produces: 'text/event-stream',
  errors: ['INSTANCE_MOVING'],
  async handle({ instance, key, query, headers, isWelcome }, { ports }) {
    const after = lastEventId(headers['last-event-id']) ?? query.lastEventId
    const body = ports.streams.open({
      instance: instance?.id ?? null,
      events: key?.onlyPairs === true ? ['connection'] : (listed('events', query.events, eventKinds) as EventKind[]),
      excludeMessages: listed('excludeMessages', query.excludeMessages, messageFilters, settledFilter),
      ...(after === undefined ? {} : { after }),
      isWelcome,
    })
    return new Answer({
      type: 'text/event-stream; charset=utf-8',
      body,
      // Keeps proxies from holding the answer back until they have enough of it.
      headers: { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store, no-transform' },
    })
  },
})

function lastEventId(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '') return undefined
  if (!/^[A-Za-z0-9_.:-]{1,100}$/.test(header)) throw invalidField('Last-Event-ID', 'is not an id of our events')
  return header
}

function listed(
  field: string,
  text: string | undefined,
  known: readonly string[],
  settled: (name: string) => string = (name) => name,
): string[] {
  const names = (text ?? '')
    .split(',')
    .map((name) => settled(name.trim()))
    .filter((name) => name !== '')
  const stranger = names.find((name) => !known.includes(name))
  if (stranger !== undefined) throw invalidField(field, `must be of: ${known.join(', ')}`)
  return [...new Set(names)]
}
