/** Deliveries that were given up: listed, and put back in their lanes; so are deliveries that a receiver has taken. */
import type pg from 'pg'
import type { EventKind } from '../../schemas/generated.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { DeliveryId } from '../../schemas/ports/deliveries.js'
import type { DeliveryLane } from './deliveries.js'
import { type EventRow, eventColumns, type StoredEvent, toEvent } from './events.js'
import { writeOnce } from './in-transaction.js'
import { isUuid } from './uuid.js'

export interface DeadLetter {
  readonly webhookId: string
  readonly event: StoredEvent
  readonly attempts: number
  /** URL, status (0: no answer) and error of the last attempt. */
  readonly url: string
  readonly statusCode: number
  readonly error: string
  readonly diedAt: Date
}

export interface DeadLetterFilter {
  /** Selects those that were given up then or later. */
  readonly diedFrom?: Date
  /** Selects events of this kind. */
  readonly kind?: EventKind
}

/** Which dead letters of the webhooks; all that is left out matches everything. */
export interface DeadLetterChoice extends DeadLetterFilter {
  readonly eventIds?: readonly string[]
  /** At most so many, the oldest events first. */
  readonly limit?: number
}

export interface Replayed {
  readonly lanes: readonly DeliveryLane[]
  readonly count: number
  /** Number of the given event ids for which a dead letter was found. */
  readonly eventIdsFound: number
  /** Dead letters that these webhooks still have. */
  readonly remaining: number
}

/** Dead letters of given webhooks. The caller checks that they belong to its instance. Others are not touched. */
export interface DeadLetters {
  /** The newest events first. A page ends early when its bodies are large together; it has one at least, if there is one. */
  list(
    webhookIds: readonly string[],
    page: DeadLetterFilter & { readonly limit: number; readonly offset: number },
  ): Promise<{ deadLetters: readonly DeadLetter[]; hasMore: boolean; total: number }>
  /** Puts them back in their lanes, due at once and with all their attempts before them. Resolves when committed. */
  replay(webhookIds: readonly string[], choice: DeadLetterChoice): Promise<Replayed>
  /**
   * Puts kept events in their lanes once more, whatever became of them. Leaves out those that wait already, that are no longer kept, and those of a kind that the
   * webhook does not take now. Counts found deliveries as found event ids.
   */
  resend(webhookIds: readonly string[], deliveries: readonly DeliveryId[]): Promise<Replayed>
}

/** Maximum of bytes of stored bodies in one page. */
const PAGE_MAX_BYTES = 4_194_304
const REPLAYED_AT_ONCE = 5_000

// Without its event there is nothing to deliver; the retention takes such a dead letter away.
const HAS_EVENT = 'EXISTS (SELECT FROM event WHERE event.position = d.position)'
// $3 kind, or null
const FITS_EVENT =
  'EXISTS (SELECT FROM event WHERE event.position = d.position AND ($3::text IS NULL OR event.kind = $3::text))'

/** Maximum that is counted of the dead letters that match. */
const COUNT_MAX = 100_000

const MATCHES = `webhook_id = ANY($1::uuid[]) AND ($2::timestamptz IS NULL OR d.created >= $2::timestamptz) AND ${FITS_EVENT}`

// $1 webhooks   $2 died from, or null   $3 kind, or null
const COUNT = `
  SELECT count(*) AS total FROM (SELECT FROM dead_letter AS d WHERE ${MATCHES} LIMIT ${COUNT_MAX}) AS matching`

// $1 webhooks   $2 died from, or null   $3 kind, or null   $4 rows, one more than the page   $5 offset   $6 bytes
const LIST = `
  SELECT * FROM (
    SELECT d.webhook_id, d.attempts, d.last_error, d.url, d.status_code, d.created AS died_at, ${eventColumns},
      sum(octet_length(e.body)) OVER newest_first AS bytes, row_number() OVER newest_first AS place,
      count(*) OVER () AS fetched
    FROM (
      SELECT * FROM dead_letter AS d WHERE ${MATCHES}
      ORDER BY position DESC, webhook_id LIMIT $4 OFFSET $5
    ) AS d
    JOIN event AS e ON e.position = d.position
    JOIN instance AS i ON i.id = e.instance_id
    WINDOW newest_first AS (ORDER BY d.position DESC, d.webhook_id)
  ) AS page
  WHERE place = 1 OR bytes <= $6 ORDER BY place`

// $1 webhooks   $2 event ids or null   $3 died from, or null   $4 how many   $5 kind, or null
const REPLAY = `
  WITH chosen AS (
    SELECT d.webhook_id, d.position, e.event_id FROM dead_letter AS d
    JOIN event AS e ON e.position = d.position
    WHERE d.webhook_id = ANY($1::uuid[])
      AND ($2::uuid[] IS NULL OR e.event_id = ANY($2::uuid[]))
      AND ($3::timestamptz IS NULL OR d.created >= $3::timestamptz)
      AND ($5::text IS NULL OR e.kind = $5::text)
    ORDER BY d.position LIMIT $4 FOR UPDATE OF d
  ), risen AS (
    DELETE FROM dead_letter AS d USING chosen
    WHERE d.webhook_id = chosen.webhook_id AND d.position = chosen.position
    RETURNING d.webhook_id, d.lane, d.position, d.instance_id, chosen.event_id
  ), queued AS (
    INSERT INTO delivery (webhook_id, lane, position, instance_id)
    SELECT webhook_id, lane, position, instance_id FROM risen ON CONFLICT DO NOTHING
  )
  SELECT webhook_id, lane, instance_id, event_id FROM risen`

// The locks wait for a deletion of the webhook or the instance that is under way, so that nothing is left behind for it. A dead letter would be delivered twice.
// The lane of a chat that was merged into another since is that of the former chat.
// $1 webhooks   $2 instances   $3 sequences, in the same order
const RESEND = `
  WITH wanted AS (
    SELECT w.id AS webhook_id, COALESCE(e.chat_id, -i.number) AS lane, e.position, e.instance_id, e.event_id
    FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS u(webhook_id, instance_id, sequence)
    JOIN webhook AS w ON w.id = u.webhook_id
    JOIN event AS e ON e.instance_id = u.instance_id AND e.sequence = u.sequence AND e.kind = ANY(w.events)
    JOIN instance AS i ON i.id = e.instance_id
    FOR KEY SHARE OF w, i
  ), risen AS (
    DELETE FROM dead_letter AS d USING wanted WHERE d.webhook_id = wanted.webhook_id AND d.position = wanted.position
  ), queued AS (
    INSERT INTO delivery (webhook_id, lane, position, instance_id)
    SELECT webhook_id, lane, position, instance_id FROM wanted ON CONFLICT DO NOTHING RETURNING webhook_id, position
  )
  SELECT webhook_id, lane, instance_id, event_id FROM queued JOIN wanted USING (webhook_id, position)`
// $1 webhooks
const REMAINING = `SELECT count(*) AS remaining FROM dead_letter AS d WHERE webhook_id = ANY($1::uuid[]) AND ${HAS_EVENT}`

interface DeadRow extends EventRow {
  readonly webhook_id: string
  readonly attempts: number
  readonly last_error: string
  readonly url: string
  readonly status_code: number
  readonly died_at: Date
  readonly fetched: number
}

interface RisenRow {
  readonly webhook_id: string
  readonly lane: number
  readonly instance_id: InstanceId
  readonly event_id: string
}

export function createDeadLetters(pool: pg.Pool): DeadLetters {
  return {
    async list(webhookIds, { limit, offset, diedFrom, kind }) {
      const matching = [webhookIds, diedFrom ?? null, kind ?? null]
      const [{ rows }, counted] = await Promise.all([
        pool.query<DeadRow>(LIST, [...matching, limit + 1, offset, PAGE_MAX_BYTES]),
        pool.query<{ total: number }>(COUNT, matching),
      ])
      const page = rows.slice(0, limit)
      const hasMore = page.length < (rows[0]?.fetched ?? 0)
      return { deadLetters: page.map(toDeadLetter), hasMore, total: counted.rows[0]?.total ?? 0 }
    },

    async replay(webhookIds, { eventIds, diedFrom, kind, limit = Number.POSITIVE_INFINITY }) {
      const wanted = eventIds?.filter(isUuid) ?? null
      const lanes = new Map<string, DeliveryLane>()
      const found = new Set<string>()
      let count = 0
      // In steps, so that no statement holds its locks for long.
      for (let isDone = false; !isDone; ) {
        const atOnce = Math.min(REPLAYED_AT_ONCE, limit - count)
        const values = [webhookIds, wanted, diedFrom ?? null, atOnce, kind ?? null]
        const { rows } = await writeOnce<RisenRow>(pool, REPLAY, values)
        for (const row of rows) {
          noteLane(lanes, row)
          found.add(row.event_id)
        }
        count += rows.length
        isDone = rows.length < atOnce || count >= limit
      }
      const eventIdsFound = wanted === null ? 0 : found.size
      return { lanes: [...lanes.values()], count, eventIdsFound, remaining: await remaining(webhookIds) }
    },

    async resend(webhookIds, deliveries) {
      const lanes = new Map<string, DeliveryLane>()
      const { rows } = await writeOnce<RisenRow>(pool, RESEND, [
        deliveries.map(({ webhookId }) => webhookId),
        deliveries.map(({ instance }) => instance),
        deliveries.map(({ sequence }) => sequence),
      ])
      for (const row of rows) noteLane(lanes, row)
      const count = rows.length
      return { lanes: [...lanes.values()], count, eventIdsFound: count, remaining: await remaining(webhookIds) }
    },
  }

  async function remaining(webhookIds: readonly string[]): Promise<number> {
    const { rows } = await pool.query<{ remaining: number }>(REMAINING, [webhookIds])
    return rows[0]?.remaining ?? 0
  }
}

function noteLane(lanes: Map<string, DeliveryLane>, row: RisenRow): void {
  const { webhook_id: webhookId, lane, instance_id: instance } = row
  lanes.set(`${webhookId}:${lane}`, { webhookId, lane, instance })
}

function toDeadLetter(row: DeadRow): DeadLetter {
  return {
    webhookId: row.webhook_id,
    event: toEvent(row),
    attempts: row.attempts,
    url: row.url,
    statusCode: row.status_code,
    error: row.last_error,
    diedAt: row.died_at,
  }
}
