/** Events of a batch get their place in the log, and one delivery for each webhook that wants them. */
import { randomUUID } from 'node:crypto'
import type { InstanceId } from '../../../schemas/ids.js'
import { bigintArray, intArray, textArray } from '../arrays.js'
import { isExcluded } from '../event-filter.js'
import type { StoredEvent } from '../events.js'
import type { CommittedEvent, CommittedLane, InstanceFacts, NewEvent } from './batch.js'
import { keyOf } from './batch.js'
import type { Statements } from './connection.js'

// Sequences without gaps: the counter moves in the transaction that writes the events. An instance without a counter fails the
// transaction, since a sequence is never null.
// $1 instances  $2 events of each  |  per event: $3 instance  $4 ordinal in the instance, from 1  $5 event id  $6 kind  $7 chat
// $8 flags  $9 body  $10 traceparent  |  $11 created, ms
const COUNTER = `
  WITH counter AS (
    UPDATE event_sequence AS s SET last = s.last + u.events
    FROM unnest($1::text[], $2::bigint[]) AS u(instance_id, events)
    WHERE s.instance_id = u.instance_id
    RETURNING s.instance_id, s.last - u.events AS base
  )`
const INSERT = `
  INSERT INTO event (instance_id, sequence, event_id, kind, chat_id, flags, body, created, traceparent)
  SELECT e.instance_id, counter.base + e.ordinal, e.event_id::uuid, e.kind, e.chat_id, e.flags, e.body,
    to_timestamp($11::bigint / 1000.0), e.traceparent
  FROM unnest($3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::int[], $9::text[],
    $10::text[]) WITH ORDINALITY AS e(instance_id, ordinal, event_id, kind, chat_id, flags, body, traceparent, place)
  LEFT JOIN counter ON counter.instance_id = e.instance_id
  ORDER BY e.place`
const APPEND = `${COUNTER} ${INSERT}`
// With deliveries, each of them: $12 webhook  $13 lane  $14 instance  $15 ordinal
// Returns their places, in their order, and whether others waited in their lanes before.
const APPEND_WITH_DELIVERIES = `${COUNTER}, appended AS (
    ${INSERT}
    RETURNING instance_id, sequence, position
  ), wanted AS (
    SELECT d.webhook_id::uuid AS webhook_id, d.lane, appended.position, appended.sequence, d.instance_id, d.place
    FROM unnest($12::text[], $13::bigint[], $14::text[], $15::bigint[]) WITH ORDINALITY
      AS d(webhook_id, lane, instance_id, ordinal, place)
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
  const ofEvents = [
    textArray([...counts.keys()]),
    bigintArray([...counts.values()]),
    textArray(events.map((one) => one.instance)),
    bigintArray(ordinals),
    textArray(events.map((one) => one.eventId)),
    textArray(events.map((one) => one.kind)),
    bigintArray(events.map((one) => one.chatId)),
    intArray(events.map((one) => one.flags)),
    textArray(events.map((one) => one.body)),
    textArray(events.map((one) => one.traceparent)),
    now.getTime(),
  ]
  const appended = events.map(({ instance }) => ({ instance }))
  if (deliveries.length === 0) return { events: appended, lanes: [], sent: client.query(APPEND, ofEvents) }
  const sent = client.query<PutDelivery>(APPEND_WITH_DELIVERIES, [
    ...ofEvents,
    textArray(deliveries.map((one) => one.webhookId)),
    bigintArray(deliveries.map((one) => one.lane)),
    textArray(deliveries.map((one) => one.instance)),
    bigintArray(deliveries.map((one) => one.ordinal)),
  ])
  const lanes = new Map<string, OpenLane>()
  for (const { webhookId, lane, instance } of deliveries)
    lanes.set(keyOf(webhookId, lane), { webhookId, lane, instance })
  const noted = sent.then(({ rows }) => noteFirst(lanes, deliveries, rows, facts, now))
  return { events: appended, lanes: [...lanes.values()], sent: noted }
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
    const [open, row] = [lanes.get(keyOf(webhookId, lane)), rows[index]]
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
