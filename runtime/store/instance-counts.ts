/** Numbers of instances by status, which triggers keep (`migrations/0141_instance_counts.sql`). */
import type pg from 'pg'
import type { Figures } from '../../schemas/ports/figures.js'
import type { Search } from './timed-search.js'

/** The present status of the instances of a row, as `PRESENT_STATUS` of an instance. */
const STATUS = `
  CASE WHEN k.status_epoch = COALESCE(o.epoch, 0) THEN k.status WHEN k.desired_connected THEN 'connecting' ELSE 'disconnected' END`
const COUNTS = `
  SELECT COALESCE(sum(instances) FILTER (WHERE status = 'disconnected'), 0)::int AS disconnected,
    COALESCE(sum(instances) FILTER (WHERE status = 'connecting'), 0)::int AS connecting,
    COALESCE(sum(instances) FILTER (WHERE status = 'connected'), 0)::int AS connected,
    COALESCE(sum(instances) FILTER (WHERE status <> 'connected' AND desired_connected), 0)::int AS missing
  FROM (
    SELECT ${STATUS} AS status, k.desired_connected, k.instances FROM instance_count AS k LEFT JOIN shard_owner AS o ON o.shard = k.shard
  ) AS one`

// Rows of transactions that are under way are left for the next time. Of two nodes that do this at once, one finds nothing.
const ADD_UP = `
  WITH found AS (SELECT ctid FROM instance_count FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM instance_count WHERE ctid = ANY(ARRAY(SELECT ctid FROM found)) RETURNING *)
  INSERT INTO instance_count
  SELECT shard, status_epoch, status, desired_connected, sum(instances) FROM gone GROUP BY 1, 2, 3, 4 HAVING sum(instances) <> 0`

/** Returns how many instances have which status. */
export async function readInstanceCounts(search: Search): Promise<Figures['instances']> {
  const [counts] = await search<Figures['instances']>(COUNTS, [])
  if (counts === undefined) throw new Error('PostgreSQL counted nothing.')
  return counts
}

/** Adds the differences up that triggers have written. The sums stay what they are at every moment. */
export async function addUpInstanceCounts(pool: pg.Pool): Promise<void> {
  await pool.query(ADD_UP)
}
