import { checkEventNames, eventNameWarnings, messageFilters, settledFilter } from '../../../schemas/event-kinds.js'
import type { ListEventsQuery, StreamQuery } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { Answer, eitherRoute, instanceRoute, type Route } from '../../route.js'

const streamEvents = eitherRoute<undefined, StreamQuery>({
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
    const events = key?.onlyPairs === true ? ['connection'] : splitNames(query.events)
    checkEventNames(events)
    const body = ports.streams.open({
      instance: instance?.id ?? null,
      events,
      warnings: eventNameWarnings(events),
      excludeMessages: readFilters(query.excludeMessages),
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

const listEvents = instanceRoute<undefined, ListEventsQuery>({
  method: 'GET',
  path: '/events',
  isSearch: true,
  name: 'listEvents',
  area: 'Stream',
  scope: 'read',
  summary: 'List stored events of the instance, for a client that was away',
  schema: 'stream/events.json',
  errors: [],
  async handle({ instance, query, warnings }, { ports }): Promise<Answer> {
    const { since, limit = 100 } = query
    const events = splitNames(query.events)
    checkEventNames(events)
    warnings.push(...eventNameWarnings(events))
    const page = await ports.streams.page({
      instance: instance.id,
      ...(since === undefined ? {} : { since: since === 'latest' ? since : Number(since) }),
      limit,
      events,
      excludeMessages: readFilters(query.excludeMessages),
    })
    const { cursor, hasMore, isExpired, loss } = page
    const reset =
      loss === null && !isExpired
        ? null
        : {
            reason: loss === null ? 'expired' : 'lost',
            lostFrom: loss?.lostFrom?.toISOString() ?? null,
            lostUntil: loss?.lostUntil?.toISOString() ?? null,
          }
    const rest = { cursor: String(cursor), hasMore, reset, ...(warnings.length === 0 ? {} : { warnings }) }
    return new Answer({
      body: `{"events":[${page.events.join()}],${JSON.stringify(rest).slice(1)}`,
      type: 'application/json; charset=utf-8',
    })
  },
})

function lastEventId(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '') return undefined
  // Bound: 1,048,576, a body or header of a request.
  if (!/^[A-Za-z0-9_.:-]{1,100}$/.test(header)) throw invalidField('Last-Event-ID', 'is not an id of our events')
  return header
}

/** @throws GatewayError INVALID_REQUEST for an unknown one: without it, the stream would have what its reader wants left out */
function readFilters(text: string | undefined): string[] {
  const names = splitNames(text, settledFilter)
  const known: readonly string[] = messageFilters
  if (names.every((name) => known.includes(name))) return names
  throw invalidField('excludeMessages', `must be of: ${known.join(', ')}`)
}

function splitNames(text = '', settled: (name: string) => string = (name) => name): string[] {
  // Bound: 16,384, a field of a query.
  const names = text.split(',').map((name) => settled(name.trim()))
  return [...new Set(names.filter((name) => name !== ''))]
}

/** Routes of the area, in the order of the documentation. */
export const streamRoutes: readonly Route[] = [streamEvents, listEvents]
