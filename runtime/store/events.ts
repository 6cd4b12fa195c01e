/** Events as they are read back, for webhooks and streams, and the envelope in which they leave. */
import type pg from 'pg'
import { EVENT_SCHEMA_VERSION } from '../../schemas/event-kinds.js'
import type { EventKind } from '../../schemas/generated.js'
import type { InstanceId } from '../../schemas/ids.js'
import { readUser } from '../../schemas/jid.js'
import { chatDefaults } from './chat-record.js'
import { messageDefaults } from './message-record.js'

// Bound: 1,048,576, 40,000 values, an event.

/** An event and what its envelope says about the instance. */
export interface StoredEvent {
  readonly instance: InstanceId
  readonly instanceName: string
  /** Digits of the own number, '' when not paired. */
  readonly owner: string
  /** The place in the instance's log, without gaps. */
  readonly sequence: number
  /** The place among all instances' events, growing, with gaps. */
  readonly position: number
  readonly eventId: string
  readonly kind: EventKind
  /** For `isExcluded`; null when the event is no message. */
  readonly flags: number | null
  readonly created: Date
  /** As stored: JSON, with the defaults of records left out; `eventBody` fills them in. */
  readonly body: string
  /** Trace of the call that caused it; null when none did. */
  readonly traceparent: string | null
}

export interface Events {
  /** Reads events of one instance, after a sequence, in order. */
  eventsAfter(instance: InstanceId, sequence: number, limit: number): Promise<readonly StoredEvent[]>
  /** Reads events of all instances, after a position, in order. */
  eventsAfterPosition(position: number, limit: number): Promise<readonly StoredEvent[]>
  /** The newest sequence of an instance; 0 when it has no event. */
  lastSequence(instance: InstanceId): Promise<number>
  /** The newest position; 0 when there is no event. */
  lastPosition(): Promise<number>
  /** Returns the loss if the store does not have all events of an instance up to a sequence; null if it has them. */
  lossAtSequence(instance: InstanceId, sequence: number): Promise<EventLoss | null>
  /** Returns the loss if the store does not have all events up to a position; null if it has them. */
  lossAtPosition(position: number): Promise<EventLoss | null>
  /**
   * The transactions that write to the log now, by names that are not used again. One that has drawn a position is among them until what it
   * wrote can be seen.
   */
  writers(): Promise<readonly string[]>
}

/** The store went back in time and lost events. */
export interface EventLoss {
  /** The place at which a reader continues. */
  readonly cursor: number
  readonly era: number
  readonly lostFrom: Date | null
  readonly lostUntil: Date | null
}

/**
 * Numbers of an era: when the store goes back, sequences and positions continue at the next multiple, so that none is used twice
 * (`0105_event_eras.sql`, which has the same numbers).
 */
const SEQUENCES_OF_ERA = 1_000_000_000
const POSITIONS_OF_ERA = 100_000_000_000

export const eventColumns = `e.instance_id, e.sequence, e.position, e.event_id, e.kind, e.flags, e.created, e.body,
  e.traceparent,  i.name AS instance_name, i.owner_jid`

// A transaction that inserts holds this lock from before it draws a position until after its commit. Exact where a bound by transaction ids is not:
// of two transactions the older one may draw the later position. And it is of this table only: a backup, or a long transaction elsewhere,
// holds nobody up.
const WRITERS = `
  SELECT DISTINCT virtualtransaction AS name FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'event'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

interface PlaceRow {
  /** The highest number that was given out. */
  readonly end: number
  /** The newest event of the era of the number that was asked about. */
  readonly survived: number
  readonly era: number
  readonly lost_from: Date | null
  readonly lost_until: Date | null
}

const LOSS = 'h.era, h.lost_from, h.lost_until'
// $1 instance   $2 first sequence of the next era
const PLACE_OF_SEQUENCE = `
  SELECT s.last AS end, ${LOSS}, COALESCE((SELECT e.sequence FROM event AS e WHERE e.instance_id = $1 AND e.sequence < $2
    ORDER BY e.sequence DESC LIMIT 1), 0) AS survived
  FROM event_sequence AS s, store_history AS h WHERE s.instance_id = $1`
// $1 first position of the next era
const PLACE_OF_POSITION = `
  SELECT p.last_value AS end, ${LOSS},
    COALESCE((SELECT e.position FROM event AS e WHERE e.position < $1 ORDER BY e.position DESC LIMIT 1), 0) AS survived
  FROM event_position_seq AS p, store_history AS h`

export interface EventRow {
  readonly instance_id: InstanceId
  readonly sequence: number
  readonly position: number
  readonly event_id: string
  readonly kind: EventKind
  readonly flags: number | null
  readonly created: Date
  readonly body: string
  readonly traceparent: string | null
  readonly instance_name: string
  readonly owner_jid: string | null
}

export function createEvents(pool: pg.Pool): Events {
  return {
    async eventsAfter(instance, sequence, limit) {
      const { rows } = await pool.query<EventRow>(
        `SELECT ${eventColumns} FROM event AS e JOIN instance AS i ON i.id = e.instance_id
         WHERE e.instance_id = $1 AND e.sequence > $2 ORDER BY e.sequence LIMIT $3`,
        [instance, sequence, limit],
      )
      return rows.map(toEvent)
    },
    async eventsAfterPosition(position, limit) {
      const { rows } = await pool.query<EventRow>(
        `SELECT ${eventColumns} FROM event AS e JOIN instance AS i ON i.id = e.instance_id
         WHERE e.position > $1 ORDER BY e.position LIMIT $2`,
        [position, limit],
      )
      return rows.map(toEvent)
    },
    async lastSequence(instance) {
      const { rows } = await pool.query<{ last: number }>('SELECT last FROM event_sequence WHERE instance_id = $1', [
        instance,
      ])
      return rows[0]?.last ?? 0
    },
    async lastPosition() {
      const { rows } = await pool.query<{ last: number | null }>('SELECT max(position) AS last FROM event')
      return rows[0]?.last ?? 0
    },
    async lossAtSequence(instance, sequence) {
      const { rows } = await pool.query<PlaceRow>(PLACE_OF_SEQUENCE, [instance, nextEra(sequence, SEQUENCES_OF_ERA)])
      return rows[0] === undefined ? null : lossAt(sequence, rows[0], SEQUENCES_OF_ERA)
    },
    async lossAtPosition(position) {
      const { rows } = await pool.query<PlaceRow>(PLACE_OF_POSITION, [nextEra(position, POSITIONS_OF_ERA)])
      return rows[0] === undefined ? null : lossAt(position, rows[0], POSITIONS_OF_ERA)
    },
    async writers() {
      return (await pool.query<{ name: string }>(WRITERS)).rows.map(({ name }) => name)
    },
  }
}

function nextEra(place: number, size: number): number {
  return (Math.floor(place / size) + 1) * size
}

/** An era begins at a multiple without an event of its own, at which a reader stands that has read nothing of it. */
function lossAt(place: number, { end, survived, era, ...lost }: PlaceRow, size: number): EventLoss | null {
  const loss = { era, lostFrom: lost.lost_from, lostUntil: lost.lost_until }
  if (place > end) return { cursor: end, ...loss }
  const isOfFormerEra = nextEra(place, size) <= end
  return isOfFormerEra && place > survived && place % size !== 0 ? { cursor: place, ...loss } : null
}

export function toEvent(row: EventRow): StoredEvent {
  return {
    instance: row.instance_id,
    instanceName: row.instance_name,
    owner: row.owner_jid === null ? '' : readUser(row.owner_jid),
    sequence: row.sequence,
    position: row.position,
    eventId: row.event_id,
    kind: row.kind,
    flags: row.flags,
    created: row.created,
    body: row.body,
    traceparent: row.traceparent,
  }
}

/** Facts about the server that events contain. */
export interface EventOrigin {
  /** URL at which clients reach the API. */
  readonly url: () => string
  /** Returns a link to the file of a message record; empty when it has none. */
  readonly fileUrl: (instance: InstanceId, record: Readonly<Record<string, unknown>>, fromMs: number) => string
}

/**
 * The flat body in which an event leaves, as users of such gateways know it. Without the instance's token, which other gateways put in: who
 * reads one event could then act for the account. Only deliveries to a webhook that asks for it have it.
 */
export function envelope(event: StoredEvent, origin: EventOrigin): Record<string, unknown> {
  return {
    BaseUrl: origin.url(),
    EventType: event.kind,
    instanceName: event.instanceName,
    owner: event.owner,
    eventId: event.eventId,
    sequence: event.sequence,
    schemaVersion: EVENT_SCHEMA_VERSION,
    timestamp: event.created.getTime(),
    ...eventBody(event, origin),
  }
}

/** Kinds of events with the record of a chat or message. */
const WITH_RECORDS: ReadonlySet<EventKind> = new Set(['messages', 'status', 'newsletter_messages', 'chats', 'leads'])

/** The body without envelope, its records complete. */
function eventBody(event: StoredEvent, { fileUrl }: EventOrigin): Record<string, unknown> {
  const body = JSON.parse(event.body) as Record<string, unknown>
  if (WITH_RECORDS.has(event.kind)) {
    if (isObject(body.chat)) body.chat = { ...chatDefaults, ...body.chat }
    if (isObject(body.message)) {
      const message: Record<string, unknown> = { ...messageDefaults, ...body.message }
      // From the event's own time, so that a delivery that is repeated says the same.
      message.fileURL = fileUrl(event.instance, message, event.created.getTime())
      body.message = message
    }
  }
  if (event.kind === 'connection' && isObject(body.instance))
    body.instance = { name: event.instanceName, ...body.instance }
  return body
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
