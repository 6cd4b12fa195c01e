/**
 * Tells the nodes that the store went back, as docs/decisions/0042-store-that-goes-back.md describes: a node that runs, or starts later, sees
 * the new era, drops what it knows and connects its instances again.
 */
import type { ClientBase } from 'pg'

export interface StoreMarks {
  readonly era: number
  readonly counter: number
  readonly epoch: number
}

/** Changes of owners between the reading of the marks, or the last copy of them, and the restore. */
const UNSEEN = 1_000_000

/** Returns zeros for a store that is empty, or of a release that has no such marks. */
export async function readMarks(client: ClientBase): Promise<StoreMarks> {
  const { rows } = await client.query<{ has: boolean }>(
    "SELECT to_regclass('store_history') IS NOT NULL AND to_regclass('shard_owner') IS NOT NULL AS has",
  )
  if (rows[0]?.has !== true) return { era: 0, counter: 0, epoch: 0 }
  const { rows: marks } = await client.query<StoreMarks>(
    `SELECT era, counter::float8 AS counter, (SELECT coalesce(max(epoch), 0)::float8 FROM shard_owner) AS epoch FROM store_history`,
  )
  return marks[0] ?? { era: 0, counter: 0, epoch: 0 }
}

/**
 * Returns statements that begin an era in a restored store, in the transaction in which they run. They have no parameters, since `psql` runs
 * them as well; all that is put into them are numbers and times.
 */
export function eraAfterRestore(before: StoreMarks, madeAt: Date): string {
  const { era, counter, epoch } = before
  return `
    SELECT FROM shard_owner ORDER BY shard FOR UPDATE;
    UPDATE store_history SET era = greatest(era, ${Math.trunc(era)}) + 1,
      counter = greatest(counter, ${Math.trunc(counter)}) + ${UNSEEN}, era_began = now(), cause = 'restore',
      noticed_by = 'posthorn restore', lost_from = '${madeAt.toISOString()}', lost_until = greatest(now(), '${madeAt.toISOString()}');
    UPDATE shard_owner SET owner = NULL, epoch = greatest(epoch, ${Math.trunc(epoch)}) + ${UNSEEN}, updated = now();`
}

export async function hasHistory(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>("SELECT to_regclass('store_history') IS NOT NULL AS has")
  return rows[0]?.has === true
}
