/** Deliveries as the delivery engine reads them. What becomes of them is written through the journal. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { type EventRow, eventColumns, type StoredEvent, toEvent } from './events.js'

/** Deliveries of one webhook that must leave in order: those of one chat, or of an instance's events without a chat. */
export interface Lane {
  readonly webhookId: string
  readonly lane: number
  readonly instance: InstanceId
}

export interface LaneDelivery extends Lane {
  readonly event: StoredEvent
  /** Failed attempts so far. */
  readonly attempts: number
  /** Only the head of a lane waits; what is behind it waits for it. */
  readonly nextAttemptAt: Date
}

export interface Deliveries {
  /** Lanes of instances of these shards whose head is due: the longest waiting of each webhook, then the next of each, so that none hides the others. */
  dueLanes(now: Date, limit: number, shards: readonly number[]): Promise<readonly Lane[]>
  /** When the next head of theirs that is not due yet will be; null when there is none. */
  nextDueAt(now: Date, shards: readonly number[]): Promise<Date | null>
  /** The first deliveries of a lane, in order, due or not; empty when it is done. */
  nextOfLane(webhookId: string, lane: number, limit: number): Promise<readonly LaneDelivery[]>
  /** How many wait, and how many are dead, in all. */
  counts(): Promise<{ waiting: number; dead: number }>
}

// A loose scan: one step of the index for each lane, however many deliveries wait in it.
// $1 now
const HEADS = `
  WITH RECURSIVE head AS (
    (SELECT webhook_id, lane, instance_id, next_attempt_at FROM delivery ORDER BY webhook_id, lane, position LIMIT 1)
    UNION ALL
    SELECT following.* FROM head CROSS JOIN LATERAL (
      SELECT d.webhook_id, d.lane, d.instance_id, d.next_attempt_at FROM delivery AS d
      WHERE (d.webhook_id, d.lane) > (head.webhook_id, head.lane)
      ORDER BY d.webhook_id, d.lane, d.position LIMIT 1
    ) AS following
  )`

// What waits for a webhook that is switched off, or is another node's, must not hide the others from a look that is bounded.
// $2 shards
const IS_OURS = `EXISTS (SELECT FROM webhook AS w WHERE w.id = head.webhook_id AND w.enabled)
  AND EXISTS (SELECT FROM instance AS i WHERE i.id = head.instance_id AND i.shard = ANY($2::smallint[]))`

export function createDeliveries(pool: pg.Pool): Deliveries {
  return {
    async dueLanes(now, limit, shards) {
      const { rows } = await pool.query<LaneRow>(
        `${HEADS} SELECT webhook_id, lane, instance_id FROM (
           SELECT head.*, row_number() OVER (PARTITION BY webhook_id ORDER BY next_attempt_at) AS turn
           FROM head WHERE next_attempt_at <= $1 AND ${IS_OURS}
         ) AS due ORDER BY turn, next_attempt_at LIMIT $3`,
        [now, shards, limit],
      )
      return rows.map(toLane)
    },
    async nextDueAt(now, shards) {
      const { rows } = await pool.query<{ next: Date | null }>(
        `${HEADS} SELECT min(next_attempt_at) AS next FROM head WHERE next_attempt_at > $1 AND ${IS_OURS}`,
        [now, shards],
      )
      return rows[0]?.next ?? null
    },
    async nextOfLane(webhookId, lane, limit) {
      const { rows } = await pool.query<EventRow & LaneRow & { attempts: number; next_attempt_at: Date }>(
        `SELECT d.webhook_id, d.lane, d.attempts, d.next_attempt_at, ${eventColumns}
         FROM delivery AS d
         JOIN event AS e ON e.position = d.position
         JOIN instance AS i ON i.id = e.instance_id
         WHERE d.webhook_id = $1 AND d.lane = $2 ORDER BY d.position LIMIT $3`,
        [webhookId, lane, limit],
      )
      return rows.map((row) => ({
        ...toLane(row),
        attempts: row.attempts,
        nextAttemptAt: row.next_attempt_at,
        event: toEvent(row),
      }))
    },
    async counts() {
      const { rows } = await pool.query<{ waiting: number; dead: number }>(
        'SELECT (SELECT count(*) FROM delivery) AS waiting, (SELECT count(*) FROM dead_letter) AS dead',
      )
      return rows[0] ?? { waiting: 0, dead: 0 }
    },
  }
}

interface LaneRow {
  readonly webhook_id: string
  readonly lane: number
  readonly instance_id: InstanceId
}

function toLane(row: LaneRow): Lane {
  return { webhookId: row.webhook_id, lane: row.lane, instance: row.instance_id }
}
