/** The shares that the nodes of a cluster have in its shards. */
import pg from 'pg'
import { eventually } from './eventually.js'
import type { Gateway } from './gateway.js'

export type Shares = Readonly<Record<string, number>>

/** Counts the shards of each living node, by SQL. */
export async function countShards(pool: pg.Pool): Promise<Shares> {
  const { rows } = await pool.query<{ name: string; shards: number }>(
    `SELECT n.node_id AS name, count(*)::integer AS shards FROM shard_owner AS s JOIN node AS n ON n.incarnation = s.owner
     WHERE NOT n.dead GROUP BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, shards }) => [name, shards]))
}

/** Returns whether these nodes alone own all shards, each as many as the others. */
export function areShared(shares: Shares, names: readonly string[]): boolean {
  const own = names.map((name) => shares[name] ?? 0)
  return own.reduce((sum, one) => sum + one, 0) === 256 && Math.max(...own) - Math.min(...own) <= 1
}

/**
 * Waits until the nodes of one cluster share its shards evenly. Until then an instance may move to the node that came last, which cuts its
 * connection, and also a pairing.
 */
export async function sharedEvenly(nodes: readonly Pick<Gateway, 'databaseUrl' | 'environment'>[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: nodes[0]?.databaseUrl ?? '', max: 1 })
  const names = nodes.map(({ environment }) => environment.NODE_ID ?? '')
  await eventually(
    () => countShards(pool),
    (shares) => areShared(shares, names),
  ).finally(() => pool.end())
}
