/** Deliveries of webhooks as callers see them: those that wait, those that were given up, and the newest that were taken. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import type { DeliveryAttempt, DeliveryQuery, DeliveryRow, DeliveryState } from '../../schemas/ports/deliveries.js'
import { type EventRow, eventColumns, type StoredEvent, toEvent } from './events.js'
import { formatCursor, parseCursor } from './page-cursor.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

// Bound: 1,048,576, a field of a request.

/** Deliveries of given webhooks. The caller checks that they belong to its scope. */
export interface DeliveryList {
  /**
   * The newest events first. A page with filters may end early; then `next` goes on behind it. With an instance, cursors say nothing about
   * the events of others.
   * @throws GatewayError INVALID_REQUEST for a cursor of another list
   */
  list(
    webhookIds: readonly string[],
    instance: InstanceId | null,
    query: Omit<DeliveryQuery, 'webhookId'>,
  ): Promise<{ deliveries: readonly DeliveryRow[]; next: string | null }>
  /** Returns null when there is no such delivery. */
  show(
    webhookId: string,
    instance: InstanceId,
    sequence: number,
  ): Promise<{ delivery: DeliveryRow; event: StoredEvent; attempts: readonly DeliveryAttempt[] } | null>
}

/** Deliveries that a page with filters looks at. */
const LOOKED_AT_MAX = 2_000
const NUMBER_FORM = /^\d{1,15}$/
const WEBHOOK_FORM = /^[0-9a-f]{32}$/
const LAST_WEBHOOK = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// The columns of each source: of deliveries that wait, that are dead, and that were taken.
const SOURCES: Readonly<Record<'delivery' | 'dead_letter' | 'webhook_success', string>> = {
  delivery: `CASE WHEN attempts = 0 THEN 'waiting' ELSE 'failed' END AS state, attempts, next_attempt_at,
    NULL::timestamptz AS ended, '' AS url, 0 AS status_code, last_error AS error, NULL::int AS duration_ms`,
  dead_letter: `'dead' AS state, attempts, NULL::timestamptz AS next_attempt_at, created AS ended, url, status_code,
    last_error AS error, NULL::int AS duration_ms`,
  webhook_success: `'delivered' AS state, attempts, NULL::timestamptz AS next_attempt_at, created AS ended, url, status_code,
    '' AS error, duration_ms`,
}

/** Sources and conditions by the state that a caller asks for. */
const OF_STATE: Readonly<Record<DeliveryState | 'any', readonly [source: keyof typeof SOURCES, condition: string][]>> =
  {
    any: [
      ['delivery', 'true'],
      ['dead_letter', 'true'],
      ['webhook_success', 'true'],
    ],
    waiting: [['delivery', 'attempts = 0']],
    failed: [['delivery', 'attempts > 0']],
    dead: [['dead_letter', 'true']],
    delivered: [['webhook_success', 'true']],
  }

// An event that was sent again was taken several times: its newest row stands for it.
// $1 webhooks   $2 position and $3 webhook before which the page begins   $4 rows of each source
const part = ([source, condition]: readonly [source: keyof typeof SOURCES, condition: string], choice: number) => `
  (SELECT${source === 'webhook_success' ? ' DISTINCT ON (position, webhook_id)' : ''} ${choice} AS choice, webhook_id, position, ${SOURCES[source]}
   FROM ${source}
   WHERE webhook_id = ANY($1::uuid[]) AND ${condition} AND (position, webhook_id) < ($2::bigint, $3::uuid)
   ORDER BY position DESC, webhook_id DESC${source === 'webhook_success' ? ', id DESC' : ''} LIMIT $4)`

// The last row that was looked at is returned too, since the next page may begin there.
// $5 kinds or null   $6 from or null   $7 to or null   $8 rows
const listStatement = (state: DeliveryState | 'any') => `
  WITH candidate AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY position DESC, webhook_id DESC) AS place
    FROM (
      SELECT DISTINCT ON (position, webhook_id) * FROM (${OF_STATE[state].map(part).join(' UNION ALL ')}) AS sources
      ORDER BY position DESC, webhook_id DESC, choice
    ) AS one_each
    ORDER BY position DESC, webhook_id DESC LIMIT $4
  ), looked AS (
    SELECT c.*, e.instance_id, e.sequence, e.event_id, e.kind, e.created AS event_created,
      ($5::text[] IS NULL OR e.kind = ANY($5)) AND ($6::timestamptz IS NULL OR e.created >= $6)
        AND ($7::timestamptz IS NULL OR e.created < $7) AS matches
    FROM candidate AS c JOIN event AS e ON e.position = c.position
  )
  SELECT *, (SELECT count(*) FROM candidate) AS candidates FROM looked
  WHERE place IN (SELECT place FROM looked WHERE matches ORDER BY place LIMIT $8)
    OR place = (SELECT max(place) FROM looked)
  ORDER BY place`

// A number that is not among those of its instance stands for the next one.
// $1 instance   $2 sequence
const POSITION_OF = 'SELECT position FROM event WHERE instance_id = $1 AND sequence >= $2 ORDER BY sequence LIMIT 1'

// $1 instance   $2 sequence
const EVENT = `
  SELECT ${eventColumns} FROM event AS e JOIN instance AS i ON i.id = e.instance_id
  WHERE e.instance_id = $1 AND e.sequence = $2`

// $1 webhook   $2 position   $3 instance, by whose index the deliveries that wait are found
const ONE = `
  SELECT * FROM (
    SELECT 1 AS choice, webhook_id, position, ${SOURCES.delivery} FROM delivery
    WHERE instance_id = $3 AND webhook_id = $1::uuid AND position = $2
    UNION ALL
    SELECT 2, webhook_id, position, ${SOURCES.dead_letter} FROM dead_letter WHERE webhook_id = $1::uuid AND position = $2
    UNION ALL
    (SELECT 3, webhook_id, position, ${SOURCES.webhook_success} FROM webhook_success
     WHERE webhook_id = $1::uuid AND position = $2 ORDER BY id DESC LIMIT 1)
  ) AS found ORDER BY choice LIMIT 1`

// $1 webhook   $2 position
const ATTEMPTS = `
  SELECT created AS at, attempts, url, status_code, error, duration_ms, headers, answer
  FROM webhook_error WHERE webhook_id = $1::uuid AND position = $2
  UNION ALL
  SELECT created, attempts, url, status_code, '', duration_ms, headers, answer
  FROM webhook_success WHERE webhook_id = $1::uuid AND position = $2
  ORDER BY at`

interface FoundRow {
  readonly webhook_id: string
  readonly position: number
  readonly state: DeliveryState
  readonly attempts: number
  readonly next_attempt_at: Date | null
  readonly ended: Date | null
  readonly url: string
  readonly status_code: number
  readonly error: string
  readonly duration_ms: number | null
}

interface ListedRow extends FoundRow {
  readonly instance_id: InstanceId
  readonly sequence: number
  readonly event_id: string
  readonly kind: DeliveryRow['kind']
  readonly event_created: Date
  readonly matches: boolean
  /** Number of rows that were looked at. */
  readonly candidates: number
}

interface AttemptRow {
  readonly at: Date
  readonly attempts: number
  readonly url: string
  readonly status_code: number
  readonly error: string
  readonly duration_ms: number | null
  readonly headers: string | null
  readonly answer: string | null
}

export function createDeliveryList(pool: pg.Pool, timeoutMs = SEARCH_TIMEOUT_MS): DeliveryList {
  const search = createSearch(pool, timeoutMs)
  return {
    async list(webhookIds, instance, { state, kinds, from, to, limit, cursor }) {
      if (webhookIds.length === 0) return { deliveries: [], next: null }
      const isFiltered = kinds !== undefined || from !== undefined || to !== undefined
      const lookedAt = isFiltered ? LOOKED_AT_MAX : limit + 1
      const before = cursor === undefined ? null : await beginning(pool, instance, cursor)
      const rows = await search<ListedRow>(listStatement(state ?? 'any'), [
        ...[webhookIds, before?.position ?? Number.MAX_SAFE_INTEGER, before?.webhookId ?? LAST_WEBHOOK, lookedAt],
        ...[kinds ?? null, from ?? null, to ?? null, limit + 1],
      ])
      const matching = rows.filter(({ matches }) => matches)
      const shown = matching.slice(0, limit)
      const isCut = matching.length > limit
      const last = rows.at(-1)
      const end = isCut ? shown.at(-1) : (last?.candidates ?? 0) >= lookedAt ? last : undefined
      return {
        deliveries: shown.map((row) => toDelivery(row, row)),
        next: end === undefined ? null : toCursor(end, instance),
      }
    },

    async show(webhookId, instance, sequence) {
      const [eventRow] = await search<EventRow>(EVENT, [instance, sequence])
      if (eventRow === undefined) return null
      const [row] = await search<FoundRow>(ONE, [webhookId, eventRow.position, instance])
      if (row === undefined) return null
      const attempts = await search<AttemptRow>(ATTEMPTS, [webhookId, eventRow.position])
      const delivery = toDelivery(row, { ...eventRow, event_created: eventRow.created })
      return { delivery, event: toEvent(eventRow), attempts: attempts.map(toAttempt) }
    },
  }
}

/** Returns the place before which a page begins. @throws GatewayError INVALID_REQUEST */
async function beginning(pool: pg.Pool, instance: InstanceId | null, cursor: string) {
  const { place, id } = parseCursor(cursor, NUMBER_FORM)
  if (!WEBHOOK_FORM.test(id)) throw invalidField('cursor', 'is not the cursor of a page in this order')
  if (instance === null) return { position: Number(place), webhookId: id }
  const { rows } = await pool.query<{ position: number }>(POSITION_OF, [instance, place])
  return { position: rows[0]?.position ?? Number.MAX_SAFE_INTEGER, webhookId: id }
}

function toCursor(row: ListedRow, instance: InstanceId | null): string {
  const place = instance === null ? row.position : row.sequence
  return formatCursor({ place: String(place), id: row.webhook_id.replaceAll('-', '') })
}

function toDelivery(
  row: FoundRow,
  event: Pick<ListedRow, 'instance_id' | 'sequence' | 'event_id' | 'kind' | 'event_created'>,
): DeliveryRow {
  return {
    webhookId: row.webhook_id,
    instance: event.instance_id,
    sequence: event.sequence,
    eventId: event.event_id,
    kind: event.kind,
    created: event.event_created,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    ended: row.ended,
    url: row.url,
    statusCode: row.status_code,
    error: row.error,
    durationMs: row.duration_ms,
  }
}

function toAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    at: row.at,
    number: row.attempts,
    url: row.url,
    statusCode: row.status_code,
    error: row.error,
    durationMs: row.duration_ms,
    // Bound: 16,384, the headers of an answer.
    headers: row.headers === null ? null : (JSON.parse(row.headers) as Record<string, string>),
    answer: row.answer ?? '',
  }
}
