/** Messages that are still to be sent, of all instances. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'

/** An instance that has work with a time of its own. */
export interface DueInstance {
  readonly id: InstanceId
  /** Milliseconds until the first of it is due. 0 or less: now. */
  readonly inMs: number
}

export interface Outbox {
  /** Instances of these shards that should be connected and have something queued. */
  instancesWithQueued(shards: readonly number[]): Promise<readonly InstanceId[]>
  /** Returns the instances of these shards that have work which is due now or within that time, by PostgreSQL's clock. */
  instancesDue(shards: readonly number[], withinMs: number): Promise<readonly DueInstance[]>
}

// One look into the index per instance, however much is queued.
// $1 shards
const WITH_QUEUED = `
  SELECT i.id FROM instance AS i
  WHERE i.desired_connected AND i.shard = ANY($1::smallint[])
    AND EXISTS (SELECT FROM message AS m WHERE m.instance_id = i.id AND m.outbox = 1)`

/**
 * The kinds of work with a time of its own, a statement each that returns the columns `id` and `due`, the time of the earliest. Each
 * makes one look into a partial index per instance, however much waits.
 * $1 shards   $2 milliseconds within which it is due
 */
const KINDS: readonly string[] = [
  // Scheduled sends, of instances without a connection too: from their time on they are queued, and their age is counted.
  `SELECT i.id, s.due FROM instance AS i CROSS JOIN LATERAL (
     SELECT due FROM scheduled_send WHERE instance_id = i.id AND status = 'scheduled' ORDER BY due LIMIT 1) AS s
   WHERE i.shard = ANY($1::smallint[])`,
  // The next message of each campaign, and campaigns that are being deleted, which need no connection.
  `SELECT i.id, c.due FROM instance AS i CROSS JOIN LATERAL (
     SELECT min(CASE WHEN c.status = 'deleting' THEN now() ELSE GREATEST(c.scheduled_at, p.next_at) END) AS due
     FROM campaign AS c JOIN campaign_progress AS p ON p.instance_id = c.instance_id AND p.folder_id = c.id
     WHERE c.instance_id = i.id AND c.status IN ('scheduled', 'sending', 'deleting')
       AND (i.desired_connected OR c.status = 'deleting')) AS c
   WHERE i.shard = ANY($1::smallint[]) AND c.due IS NOT NULL`,
  // Turns of agents that wait for their time, or whose owner has ended.
  `SELECT i.id, t.due_at AS due FROM instance AS i CROSS JOIN LATERAL (
     SELECT due_at FROM agent_turn WHERE instance_id = i.id AND ended IS NULL ORDER BY due_at LIMIT 1) AS t
   WHERE i.shard = ANY($1::smallint[])`,
]

const DUE = `
  SELECT id, (extract(epoch FROM min(due) - now()) * 1000)::float8 AS in_ms FROM (${KINDS.join(' UNION ALL ')}) AS kinds
  WHERE due <= now() + $2::bigint * interval '1 millisecond' GROUP BY id`

export function createOutbox(pool: pg.Pool): Outbox {
  return {
    async instancesWithQueued(shards) {
      const { rows } = await pool.query<{ id: InstanceId }>(WITH_QUEUED, [shards])
      return rows.map(({ id }) => id)
    },
    async instancesDue(shards, withinMs) {
      const { rows } = await pool.query<{ id: InstanceId; in_ms: number }>(DUE, [shards, withinMs])
      return rows.map(({ id, in_ms: inMs }) => ({ id, inMs }))
    },
  }
}
