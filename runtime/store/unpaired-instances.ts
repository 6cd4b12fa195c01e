/** Deletes instances that were never paired, so that abandoned ones do not gather. Their other rows go with the next round of retention. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { inTransaction } from './in-transaction.js'

export interface UnpairedInstancesOptions {
  readonly pool: pg.Pool
  /** Time after the last change of an instance. */
  readonly afterMs: number
  /** Called for each deleted instance: nodes must forget it. */
  readonly onDeleted: (id: InstanceId) => void
}

const IDS_AT_ONCE = 500

// An instance that was logged out keeps its platform, and one with chats its data. PostgreSQL's clock decides: a wrong clock of a node would
// delete instances that were just made.
// $1 time since the last change, ms
const IS_ABANDONED = `
  i.owner_jid IS NULL AND i.owner_lid IS NULL AND i.platform = '' AND i.profile_name = '' AND i.last_activity_at IS NULL
  AND i.exported_at IS NULL
  AND COALESCE(i.pairing_ends, '-infinity') < clock_timestamp() AND COALESCE(i.admitted_until, '-infinity') < clock_timestamp()
  AND greatest(i.created, i.updated) < clock_timestamp() - $1::float8 * interval '1 millisecond'
  AND NOT EXISTS (SELECT FROM chat AS c WHERE c.instance_id = i.id)`
// $2 limit
const FIND = `SELECT i.id FROM instance AS i WHERE ${IS_ABANDONED} ORDER BY i.created, i.id LIMIT $2`
// $1 id
const LOCK_SHARD = 'SELECT FROM shard_owner WHERE shard = shard_of($1) FOR UPDATE'
// Looks once more: a pairing may have begun meanwhile.
// $2 id
const DELETE = `
  WITH gone AS (DELETE FROM instance AS i WHERE i.id = $2 AND ${IS_ABANDONED} RETURNING i.id)
  INSERT INTO deleted_instance (id) SELECT id FROM gone ON CONFLICT DO NOTHING RETURNING id`

/** Resolves with the deleted instances. Safe to run on several nodes at once. */
export async function deleteUnpairedInstances(
  { pool, afterMs, onDeleted }: UnpairedInstancesOptions,
  signal?: AbortSignal,
): Promise<readonly InstanceId[]> {
  const deleted: InstanceId[] = []
  const { rows } = await pool.query<{ id: InstanceId }>(FIND, [afterMs, IDS_AT_ONCE])
  for (const { id } of rows) {
    if (signal?.aborted === true) break
    const isDeleted = await inTransaction(pool, async (client) => {
      // As in `deleteInstance`: nothing of the journal is under way.
      await client.query(LOCK_SHARD, [id])
      return (await client.query(DELETE, [afterMs, id])).rowCount === 1
    })
    if (!isDeleted) continue
    deleted.push(id)
    onDeleted(id)
  }
  return deleted
}
