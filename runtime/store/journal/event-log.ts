/** Events of a batch get their place in the log, and one delivery for each webhook that wants them. */
import { randomUUID } from 'node:crypto'
import type { InstanceId } from '../../../schemas/ids.js'
import { bigintArray, textArray } from '../arrays.js'
import { isExcluded } from '../event-filter.js'
import type { StoredEvent } from '../events.js'
import { type Cells, givenRows, prepareStatement } from '../given-rows.js'
import type { CommittedEvent, CommittedLane, InstanceFacts, NewEvent } from './batch.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'
import type { Value } from './wave.js'

// Sequences without gaps: the counter moves in the transaction that writes the events. An instance without a counter fails the
// transaction, since a sequence is never null.
// $1 created, ms   $2 instances   $3 events of each
const COUNTER = `
  WITH counter AS (
    UPDATE event_sequence AS s SET last = s.last + u.events
    FROM unnest($2::text[], $3::bigint[]) AS u(instance_id, events)
    WHERE s.instance_id = u.instance_id
    RETURNING s.instance_id, s.last - u.events AS base
  )`
// Of one instance: nothing is joined, and nothing sorted.
// $1 created, ms   $2 instance   $3 its events
const COUNTER_OF_ONE = `
  WITH counter AS (
    UPDATE event_sequence AS s SET last = s.last + $3::bigint WHERE s.instance_id = $2::text
    RETURNING s.instance_id, s.last - $3::bigint AS base
  )`
const EVENT_COLUMNS = [
  ['event_id', 'text'],
  ['kind', 'text'],
  ['chat_id', 'bigint'],
  ['flags', 'int'],
  ['body', 'text'],
  ['traceparent', 'text'],
  ['instance_id', 'text'],
  // Place in its instance, from 1.
  ['ordinal', 'bigint'],
] as const
const DELIVERY_COLUMNS = [
  ['webhook_id', 'text'],
  ['lane', 'bigint'],
  ['instance_id', 'text'],
  // Of its event.
  ['ordinal', 'bigint'],
] as const
const givenEvents = givenRows({ alias: 'e', columns: EVENT_COLUMNS, place: 'place', from: 4 })
const givenDeliveries = givenRows({
  alias: 'd',
  columns: DELIVERY_COLUMNS,
  place: 'place',
  from: 4 + EVENT_COLUMNS.length,
})

const INTO = 'INSERT INTO event (instance_id, sequence, event_id, kind, chat_id, flags, body, created, traceparent)'
const EVENT = 'e.event_id::uuid, e.kind, e.chat_id, e.flags, e.body, to_timestamp($1::bigint / 1000.0), e.traceparent'
const ofSeveral = (source: string) => `
  ${INTO}
  SELECT e.instance_id, counter.base + e.ordinal, ${EVENT}
  FROM ${source} LEFT JOIN counter ON counter.instance_id = e.instance_id
  ORDER BY e.place`
// Their ordinals are their places.
const ofOne = (source: string) => `
  ${INTO}
  SELECT $2::text, (SELECT base FROM counter) + e.ordinal, ${EVENT}
  FROM ${source}`

// With deliveries, returns their places, in their order, and whether others waited in their lanes before.
const delivering = (insert: string, source: string) => `, appended AS (
    ${insert}
    RETURNING instance_id, sequence, position
  ), wanted AS (
    SELECT d.webhook_id::uuid AS webhook_id, d.lane, appended.position, appended.sequence, d.instance_id, d.place
    FROM ${source}
    JOIN counter ON counter.instance_id = d.instance_id
    JOIN appended ON appended.instance_id = d.instance_id AND appended.sequence = counter.base + d.ordinal
  ), put AS (
    INSERT INTO delivery (webhook_id, lane, position, instance_id)
    SELECT webhook_id, lane, position, instance_id FROM wanted
  )
  SELECT wanted.position, wanted.sequence, EXISTS (
    SELECT FROM delivery AS former WHERE former.webhook_id = wanted.webhook_id AND former.lane = wanted.lane
  ) AS waits
  FROM wanted ORDER BY wanted.place`

// Events of one instance without deliveries, the most frequent case.
const appendOfOne = prepareStatement(givenEvents, (source) => `${COUNTER_OF_ONE} ${ofOne(source)}`)
const APPEND_OF_SEVERAL = `${COUNTER} ${ofSeveral(givenEvents.many)}`
const withDeliveries = (head: string, insert: string) => ({
  one: head + delivering(insert, givenDeliveries.one),
  many: head + delivering(insert, givenDeliveries.many),
})
const APPEND_WITH_DELIVERIES = {
  one: withDeliveries(COUNTER_OF_ONE, ofOne(givenEvents.one)),
  many: withDeliveries(COUNTER_OF_ONE, ofOne(givenEvents.many)),
  several: withDeliveries(COUNTER, ofSeveral(givenEvents.many)),
}

export interface Webhook {
  readonly id: string
  readonly events: readonly string[]
  readonly exclude_messages: readonly string[]
}

/** The enabled webhooks that events of these instances may go to, by instance; key '' holds the global ones. */
export type WebhooksByInstance = ReadonlyMap<string, readonly Webhook[]>

/** Events and lanes by which readers and deliveries wake after the commit, and the statement under way. */
export interface SentEvents {
  readonly events: readonly CommittedEvent[]
  /** Complete when `sent` has resolved. */
  readonly lanes: readonly CommittedLane[]
  readonly sent: Promise<unknown>
}

interface NewDelivery {
  readonly webhookId: string
  readonly lane: number
  readonly instance: InstanceId
  /** Place of its event among those of the instance in this batch, from 1. */
  readonly ordinal: number
  readonly event: NewEvent & { readonly eventId: string }
}

interface PutDelivery {
  readonly position: number
  readonly sequence: number
  readonly waits: boolean
}

interface OpenLane extends CommittedLane {
  first?: StoredEvent[]
}

export function sendEvents(
  client: Statements,
  newEvents: readonly NewEvent[],
  facts: ReadonlyMap<string, InstanceFacts>,
  webhooks: WebhooksByInstance,
  now: Date,
): SentEvents {
  if (newEvents.length === 0) return { events: [], lanes: [], sent: Promise.resolve() }
  const events = newEvents.map((event) => ({ ...event, eventId: event.eventId ?? randomUUID() }))
  const counts = new Map<InstanceId, number>()
  const ordinals = events.map(({ instance }) => {
    const ordinal = (counts.get(instance) ?? 0) + 1
    counts.set(instance, ordinal)
    return ordinal
  })
  const deliveries: NewDelivery[] = []
  for (const [index, event] of events.entries()) {
    const { instance } = event
    for (const { id: webhookId } of matching(webhooks, event)) {
      const lane = event.chatId ?? -(facts.get(instance)?.number ?? 0)
      deliveries.push({ webhookId, lane, instance, ordinal: ordinals[index] ?? 0, event })
    }
  }
  const appended = events.map(({ instance }) => ({ instance }))
  const rows = { events: events.map(eventCells(ordinals)), deliveries: deliveries.map(deliveryCells) }
  const sent = client.query<PutDelivery>(...composeAppend(counts, rows, now))
  if (deliveries.length === 0) return { events: appended, lanes: [], sent }
  const lanes = new Map<string, OpenLane>()
  for (const { webhookId, lane, instance } of deliveries)
    lanes.set(joinKey(webhookId, lane), { webhookId, lane, instance })
  const noted = sent.then(({ rows }) => noteFirst(lanes, deliveries, rows, facts, now))
  return { events: appended, lanes: [...lanes.values()], sent: noted }
}

/** Returns the statement that appends events, with their deliveries. */
function composeAppend(
  counts: ReadonlyMap<InstanceId, number>,
  { events, deliveries }: { readonly events: readonly Cells[]; readonly deliveries: readonly Cells[] },
  now: Date,
): [text: string, values: Value[]] {
  const head = [now.getTime(), ...toCounterValues(counts)]
  if (deliveries.length === 0 && counts.size === 1) {
    const [text, values] = appendOfOne(events)
    return [text, [...head, ...values]]
  }
  const values = [...head, ...givenEvents.valuesOfOneOrMany(events)]
  if (deliveries.length === 0) return [APPEND_OF_SEVERAL, values]
  const { one, many } = APPEND_WITH_DELIVERIES[counts.size > 1 ? 'several' : events.length === 1 ? 'one' : 'many']
  return [deliveries.length === 1 ? one : many, [...values, ...givenDeliveries.valuesOfOneOrMany(deliveries)]]
}

function toCounterValues(counts: ReadonlyMap<InstanceId, number>): Value[] {
  const [only] = counts
  if (counts.size === 1 && only !== undefined) return [only[0], only[1]]
  return [textArray([...counts.keys()]), bigintArray([...counts.values()])]
}

/** In the order of `EVENT_COLUMNS`. */
function eventCells(ordinals: readonly number[]) {
  return (event: NewEvent & { readonly eventId: string }, index: number): Cells => {
    const { eventId, kind, chatId, flags, body, traceparent, instance } = event
    return [eventId, kind, chatId, flags, body, traceparent, instance, ordinals[index]]
  }
}

/** In the order of `DELIVERY_COLUMNS`. */
function deliveryCells({ webhookId, lane, instance, ordinal }: NewDelivery): Cells {
  return [webhookId, lane, instance, ordinal]
}

/** Notes the events of lanes in which nothing waited, so that their deliveries need not be read. */
function noteFirst(
  lanes: ReadonlyMap<string, OpenLane>,
  deliveries: readonly NewDelivery[],
  rows: readonly PutDelivery[],
  facts: ReadonlyMap<string, InstanceFacts>,
  now: Date,
): void {
  for (const [index, { webhookId, lane, instance, event }] of deliveries.entries()) {
    const [open, row] = [lanes.get(joinKey(webhookId, lane)), rows[index]]
    if (open === undefined || row === undefined || row.waits) continue
    const { position, sequence } = row
    const { eventId, kind, flags, body, traceparent = null } = event
    const { name: instanceName = '', owner = '' } = facts.get(instance) ?? {}
    const known = { eventId, kind, flags, body, traceparent, created: now }
    open.first ??= []
    open.first.push({ instance, instanceName, owner, sequence, position, ...known })
  }
}

function* matching(webhooks: WebhooksByInstance, event: NewEvent): Generator<Webhook> {
  for (const scope of [event.instance, '']) {
    for (const webhook of webhooks.get(scope) ?? []) {
      if (webhook.events.includes(event.kind) && !isExcluded(event.kind, event.flags, webhook.exclude_messages)) {
        yield webhook
      }
    }
  }
}
