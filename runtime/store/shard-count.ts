/**
 * The number of shards of a cluster: chosen at its first start, changed only while no node runs (docs/decisions/0055-number-of-shards.md). The row
 * in `cluster_shards` says it, and `shard_of` in SQL divides by it.
 */
import type pg from 'pg'
import { OperatorError } from '../../schemas/operator-error.js'
import { DEFAULT_SHARDS } from './shard.js'

// Ours: the text of our own function.

/** A power of two from 256 on, so that each change upwards is to a multiple. */
export const SHARD_COUNTS: readonly number[] = [256, 512, 1_024, 2_048, 4_096]

/** The migration that made `cluster_shards`. Programs that do not know it know only 256 shards. */
const COUNT_MIGRATION = 145

/** Returns the number of shards of the cluster; null before its first start. Changes nothing, so a schema of a former release may ask, too. */
export async function readShardCount(client: pg.ClientBase): Promise<number | null> {
  // Schemas of former releases have no such table, and 256 shards.
  const { rows: found } = await client.query<{ has: boolean }>(
    "SELECT to_regclass('cluster_shards') IS NOT NULL AS has",
  )
  if (found[0]?.has !== true) return DEFAULT_SHARDS
  const { rows } = await client.query<{ shards: number }>('SELECT shards FROM cluster_shards')
  return rows[0]?.shards ?? null
}

/**
 * Returns the number of shards of the cluster. Records it if this is the first start. The caller holds the lock of migrations.
 * @param wanted CLUSTER_SHARDS
 * @throws OperatorError when the cluster has another number
 */
export async function recordShards(client: pg.ClientBase, wanted: number | undefined): Promise<number> {
  const known = await readShardCount(client)
  if (known === null) {
    const shards = wanted ?? DEFAULT_SHARDS
    await inOneTransaction(client, async () => await setShards(client, DEFAULT_SHARDS, shards))
    return shards
  }
  if (wanted === undefined || wanted === known) return known
  const way = wanted > known ? `stop all nodes and run "posthorn shards ${wanted}"` : 'it can only grow'
  throw new OperatorError(
    `CLUSTER_SHARDS is ${wanted}, and this cluster has ${known} shards. Unset it, or set it to ${known}; to change the number of shards, ${way}.`,
  )
}

/**
 * Gives the cluster more shards, all or none. Shards lose their owners, and get epochs above those of the shards that covered their instances, so
 * that no former owner can write.
 * @param lock of migrations, for the transaction
 * @returns the former number
 * @throws OperatorError when a node lives, or the number is not above the present one
 */
export async function changeShards(client: pg.ClientBase, shards: number, lock: number): Promise<number> {
  return await inOneTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [lock])
    const known = (await readShardCount(client)) ?? DEFAULT_SHARDS
    if (shards === known) throw new OperatorError(`The cluster has ${known} shards already; nothing was changed.`)
    if (shards < known || shards % known !== 0)
      throw new OperatorError(
        `The cluster has ${known} shards, and their number can only grow: ${shards} is no multiple of it. Nothing was changed.`,
      )
    // No node comes or goes from here on; whoever has read the number before is refused when it registers.
    await client.query('LOCK TABLE node IN SHARE ROW EXCLUSIVE MODE')
    await requireNoNodes(client)
    await setShards(client, known, shards)
    return known
  })
}

async function requireNoNodes(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT node_id AS name FROM node WHERE NOT dead ORDER BY node_id LIMIT 5',
  )
  if (rows.length === 0) return
  throw new OperatorError(
    `Nodes of this cluster run, or were killed (${rows.map(({ name }) => name).join(', ')}). Stop all of them in order (SIGTERM); if some were killed, start one node, wait until it is ready, and stop it. Nothing was changed.`,
  )
}

/** Changes the number in the transaction under way. Locks the shards in the order in which all others do. */
async function setShards(client: pg.ClientBase, known: number, shards: number): Promise<void> {
  if (shards !== known) {
    await client.query('LOCK TABLE instance IN SHARE ROW EXCLUSIVE MODE')
    await client.query('SELECT FROM shard_owner ORDER BY shard FOR UPDATE')
    await redefineShardFunction(client, known, shards)
    await client.query(
      `INSERT INTO shard_owner (shard, epoch)
       SELECT n, o.epoch FROM generate_series($1::int, $2::int - 1) AS n JOIN shard_owner AS o ON o.shard = n % $1::int`,
      [known, shards],
    )
    await client.query('UPDATE shard_owner SET owner = NULL, epoch = epoch + 1, updated = now()')
    // PostgreSQL computes a stored column again when what it is made of is written.
    await client.query('UPDATE instance SET id = id')
    await client.query('DELETE FROM instance_count')
    await client.query(
      `INSERT INTO instance_count (shard, status_epoch, status, desired_connected, instances)
       SELECT shard, status_epoch, status, desired_connected, count(*) FROM instance GROUP BY 1, 2, 3, 4`,
    )
    // An older program would look for instances in the wrong shards: it refuses the schema from now on.
    await client.query('UPDATE migration SET oldest = greatest(oldest, $1) WHERE version = $1', [COUNT_MIGRATION])
  }
  await client.query(
    'INSERT INTO cluster_shards (shards) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET shards = excluded.shards',
    [shards],
  )
}

async function redefineShardFunction(client: pg.ClientBase, known: number, shards: number): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    "SELECT pg_get_functiondef('shard_of(text)'::regprocedure) AS text",
  )
  const parts = (rows[0]?.text ?? '').split(`hash % ${known})`)
  if (parts.length !== 2) throw new Error(`The function shard_of of this database does not divide by ${known}.`)
  await client.query(parts.join(`hash % ${shards})`))
}

async function inOneTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
