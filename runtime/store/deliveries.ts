/** Deliveries as the delivery engine reads them. What becomes of them is written through the journal. */
import type pg from 'pg'
import { TOO_OLD } from '../../schemas/delivery-failure.js'
import type { InstanceId } from '../../schemas/ids.js'
import { type EventRow, eventColumns, type StoredEvent, toEvent } from './events.js'
import { keptStatement, queryKept } from './kept-statements.js'

/** Deliveries of one webhook that must leave in order: those of one chat, or of an instance's events without a chat. */
export interface DeliveryLane {
  readonly webhookId: string
  readonly lane: number
  readonly instance: InstanceId
}

export interface LaneDelivery extends DeliveryLane {
  readonly event: StoredEvent
  /** Failed attempts so far. */
  readonly attempts: number
  /** Time until its next attempt, by PostgreSQL's clock; 0 or less when it is due. What is behind the head of a lane waits for the head. */
  readonly dueInMs: number
  /** Of its last attempt; empty when there was none. */
  readonly lastError: string
}

/** A webhook that is switched on and has something waiting of an instance. */
export interface DeliveryBacklog {
  readonly webhookId: string
  readonly instance: InstanceId
  readonly url: string
}

/** A lane and its first delivery. */
export interface WaitingLane extends DeliveryLane {
  /** Failed ones so far. */
  readonly attempts: number
  /** As in `LaneDelivery`. */
  readonly dueInMs: number
  /** Of its last attempt; empty when there was none. */
  readonly lastError: string
}

export interface Deliveries {
  /** Returns the backlogs of instances of these shards. Costs a look at each instance and at each backlog, however many lanes it has. */
  backlogs(shards: readonly number[]): Promise<readonly DeliveryBacklog[]>
  /** Lanes of these backlogs that come after a lane (`after`): the first of each backlog, then the second of each, so that none hides the others. */
  listLanes(
    backlogs: readonly (Pick<DeliveryBacklog, 'webhookId' | 'instance'> & { readonly after: number | undefined })[],
    limit: number,
  ): Promise<readonly WaitingLane[]>
  /** Returns the first deliveries of each lane, in order, due or not; none of a lane that is done. */
  nextOfLanes(
    lanes: readonly Pick<DeliveryLane, 'webhookId' | 'lane'>[],
    limit: number,
  ): Promise<readonly (readonly LaneDelivery[])[]>
  /** Returns the age of the oldest delivery of all instances, by the clock of the database; 0 when none waits. */
  oldestAgeMs(): Promise<number>
  /**
   * Turns deliveries that have waited for longer, whoever owns their instances, into dead letters; the oldest first, at most so many.
   * Leaves those that somebody else is writing. Returns how many.
   */
  giveUpOlder(ageMs: number, limit: number): Promise<number>
  /** Counts all deliveries that wait, and all dead letters. */
  counts(): Promise<{ waiting: number; dead: number }>
}

// One step of the index `delivery_instance` for each backlog. What waits for a webhook that is switched off is left out.
// $1 shards
const BACKLOGS = `
  WITH RECURSIVE backlog AS (
    SELECT i.id AS instance_id, first.webhook_id FROM instance AS i CROSS JOIN LATERAL (
      SELECT d.webhook_id FROM delivery AS d WHERE d.instance_id = i.id ORDER BY d.webhook_id LIMIT 1
    ) AS first
    WHERE i.shard = ANY($1::smallint[])
    UNION ALL
    SELECT backlog.instance_id, following.webhook_id FROM backlog CROSS JOIN LATERAL (
      SELECT d.webhook_id FROM delivery AS d
      WHERE d.instance_id = backlog.instance_id AND d.webhook_id > backlog.webhook_id ORDER BY d.webhook_id LIMIT 1
    ) AS following
  )
  SELECT backlog.webhook_id, backlog.instance_id, w.url
  FROM backlog JOIN webhook AS w ON w.id = backlog.webhook_id AND w.enabled`

// By PostgreSQL's clock alone: those of the nodes may differ.
const DUE_IN = `(extract(epoch FROM d.next_attempt_at - clock_timestamp()) * 1000)::float8 AS due_in`

// One step of the same index for each lane, however many deliveries wait in it, and one of the primary key for its head. The recursion goes
// through all backlogs side by side, and ends with the limit.
// $1 instances   $2 webhooks   $3 after these lanes   $4 how many
const LANES = `
  WITH RECURSIVE lane AS (
    SELECT b.instance_id, b.webhook_id, first.lane
    FROM unnest($1::text[], $2::uuid[], $3::bigint[]) AS b(instance_id, webhook_id, after) CROSS JOIN LATERAL (
      SELECT d.lane FROM delivery AS d
      WHERE d.instance_id = b.instance_id AND d.webhook_id = b.webhook_id AND d.lane > b.after ORDER BY d.lane LIMIT 1
    ) AS first
    UNION ALL
    SELECT lane.instance_id, lane.webhook_id, following.lane FROM lane CROSS JOIN LATERAL (
      SELECT d.lane FROM delivery AS d
      WHERE d.instance_id = lane.instance_id AND d.webhook_id = lane.webhook_id AND d.lane > lane.lane ORDER BY d.lane LIMIT 1
    ) AS following
  )
  SELECT found.instance_id, found.webhook_id, found.lane, head.attempts, head.due_in, head.last_error
  FROM (SELECT * FROM lane LIMIT $4) AS found CROSS JOIN LATERAL (
    SELECT d.attempts, ${DUE_IN}, d.last_error FROM delivery AS d
    WHERE d.webhook_id = found.webhook_id AND d.lane = found.lane ORDER BY d.position LIMIT 1
  ) AS head`

// Each lane by itself, so that however many wait in it no more than the limit are looked at. The parameters are in
// subqueries, so that PostgreSQL does not plan with their values. With them it made a plan for each call, which took three times as long as the read.
// $1 webhooks   $2 lanes   $3 how many of each
const NEXT_OF_LANES = keptStatement(
  'next_of_lanes',
  `
  SELECT first.*, asked.place::int AS place
  FROM unnest((SELECT $1::uuid[]), (SELECT $2::bigint[])) WITH ORDINALITY AS asked (webhook_id, lane, place) CROSS JOIN LATERAL (
    SELECT d.webhook_id, d.lane, d.attempts, ${DUE_IN}, d.last_error, ${eventColumns}
    FROM delivery AS d
    JOIN event AS e ON e.position = d.position
    JOIN instance AS i ON i.id = e.instance_id
    WHERE d.webhook_id = asked.webhook_id AND d.lane = asked.lane ORDER BY d.position LIMIT (SELECT $3::bigint)
  ) AS first
  ORDER BY asked.place, first.position`,
)

const BEFORE_ALL_LANES = Number.MIN_SAFE_INTEGER

// $1 age in ms   $2 how many
const GIVE_UP = `
  WITH old AS (
    SELECT webhook_id, lane, position FROM delivery
    WHERE created < clock_timestamp() - $1::float8 * interval '1 millisecond'
    ORDER BY created LIMIT $2 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM delivery AS d USING old
    WHERE d.webhook_id = old.webhook_id AND d.lane = old.lane AND d.position = old.position
    RETURNING d.webhook_id, d.position, d.lane, d.instance_id, d.attempts, d.last_error, d.created
  ), buried AS (
    INSERT INTO dead_letter (webhook_id, position, lane, instance_id, attempts, last_error, url, status_code)
    SELECT gone.webhook_id, gone.position, gone.lane, gone.instance_id, gone.attempts,
      '${TOO_OLD}' || round(($1::float8 / 3600000)::numeric, 2)::float8 || ' hours.'
        || CASE WHEN gone.last_error = '' THEN '' ELSE ' ' || left(gone.last_error, 400) END,
      COALESCE(w.url, ''), 0
    FROM gone LEFT JOIN webhook AS w ON w.id = gone.webhook_id
    ON CONFLICT DO NOTHING
  )
  SELECT count(*) AS count FROM gone`

export function createDeliveries(pool: pg.Pool): Deliveries {
  const nextOfLanes: Deliveries['nextOfLanes'] = async (lanes, limit) => {
    const values = [lanes.map(({ webhookId }) => webhookId), lanes.map(({ lane }) => lane), limit]
    const rows = await queryKept<EventRow & LaneRow & HeadRow & { place: number }>(pool, NEXT_OF_LANES, values)
    const found = lanes.map((): LaneDelivery[] => [])
    for (const row of rows) found[row.place - 1]?.push(toDelivery(row))
    return found
  }
  return {
    async backlogs(shards) {
      if (shards.length === 0) return []
      const { rows } = await pool.query<Omit<LaneRow, 'lane'> & { url: string }>(BACKLOGS, [shards])
      return rows.map((row) => ({ webhookId: row.webhook_id, instance: row.instance_id, url: row.url }))
    },
    async listLanes(backlogs, limit) {
      if (backlogs.length === 0) return []
      const { rows } = await pool.query<LaneRow & HeadRow>(LANES, [
        backlogs.map((one) => one.instance),
        backlogs.map((one) => one.webhookId),
        backlogs.map((one) => one.after ?? BEFORE_ALL_LANES),
        limit,
      ])
      return rows.map((row) => ({
        ...toLane(row),
        attempts: row.attempts,
        dueInMs: row.due_in,
        lastError: row.last_error,
      }))
    },
    async oldestAgeMs() {
      const { rows } = await pool.query<{ age: number }>(
        `SELECT (extract(epoch FROM clock_timestamp() - created) * 1000)::float8 AS age FROM delivery ORDER BY created LIMIT 1`,
      )
      return Math.max(0, rows[0]?.age ?? 0)
    },
    async giveUpOlder(ageMs, limit) {
      const { rows } = await pool.query<{ count: number }>(GIVE_UP, [ageMs, limit])
      return rows[0]?.count ?? 0
    },
    nextOfLanes,
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

interface HeadRow {
  readonly attempts: number
  readonly due_in: number
  readonly last_error: string
}

function toDelivery(row: EventRow & LaneRow & HeadRow): LaneDelivery {
  const { attempts, due_in: dueInMs, last_error: lastError } = row
  return { ...toLane(row), attempts, dueInMs, lastError, event: toEvent(row) }
}

function toLane(row: LaneRow): DeliveryLane {
  return { webhookId: row.webhook_id, lane: row.lane, instance: row.instance_id }
}
