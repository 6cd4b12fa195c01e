/**
 * Numbers that triggers keep: of instances by status (`migrations/0141_instance_counts.sql`) and of dead letters by webhook
 * (`migrations/0144_dead_letter_counts.sql`).
 */
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
const addUp = (table: string, keys: readonly string[], number: string): string => `
  WITH found AS (SELECT ctid FROM ${table} FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM found)) RETURNING *)
  INSERT INTO ${table} SELECT ${keys.join(', ')}, sum(${number}) FROM gone GROUP BY ${keys.join(', ')} HAVING sum(${number}) <> 0`
const ADD_UP = [
  addUp('instance_count', ['shard', 'status_epoch', 'status', 'desired_connected'], 'instances'),
  addUp('dead_letter_count', ['webhook_id'], 'letters'),
]

/** Returns how many instances have which status. */
export async function readInstanceCounts(search: Search): Promise<Figures['instances']> {
  const [counts] = await search<Figures['instances']>(COUNTS, [])
  if (counts === undefined) throw new Error('PostgreSQL counted nothing.')
  return counts
}

// A row counts until the next one, so none is written while the numbers stay as they are. That of the present five minutes has the newest numbers.
const NOTE = `
  WITH present AS (${COUNTS}), last AS (SELECT * FROM account_state ORDER BY at DESC LIMIT 1)
  INSERT INTO account_state (at, connected, connecting, disconnected)
  SELECT to_timestamp(floor(extract(epoch FROM now()) / 300) * 300), p.connected, p.connecting, p.disconnected
  FROM present AS p LEFT JOIN last AS l ON true
  WHERE (p.connected, p.connecting, p.disconnected)
    IS DISTINCT FROM (COALESCE(l.connected, 0), COALESCE(l.connecting, 0), COALESCE(l.disconnected, 0))
  ON CONFLICT (at) DO UPDATE SET connected = excluded.connected, connecting = excluded.connecting, disconnected = excluded.disconnected`

/** Notes how many instances have which status now, if that has changed. */
export async function noteAccountStates(pool: pg.Pool): Promise<void> {
  await pool.query(NOTE)
}

/** Adds the differences up that triggers have written. The sums stay what they are at every moment. */
export async function addUpCounts(pool: pg.Pool): Promise<void> {
  for (const statement of ADD_UP) await pool.query(statement)
}
