/** The shares that the nodes of a cluster have in its shards. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { eventually } from './eventually.js'
import type { Gateway } from './gateway.js'

export type Shares = Readonly<Record<string, number>>

/** A node that is a process of its own, under the name NODE_ID. */
type SharingNode = Pick<Gateway, 'environment' | 'isRunning' | 'output'>

/** Characters of the output of a node that has ended. */
const TAIL_CHARS = 1_500

/** Counts the shards of each living node, by SQL. */
export async function countShards(pool: pg.Pool): Promise<Shares> {
  const { rows } = await pool.query<{ name: string; shards: number }>(
    `SELECT n.node_id AS name, count(*)::integer AS shards FROM shard_owner AS s JOIN node AS n ON n.incarnation = s.owner
     WHERE NOT n.dead GROUP BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, shards }) => [name, shards]))
}

/**
 * Waits until these nodes alone own all shards of their cluster, each as many as the others. Until then an instance may move to the node that
 * came last, which cuts its connection, and also a pairing. If that does not happen, the error names the nodes whose process has ended.
 */
export async function waitUntilShared(pool: pg.Pool, nodes: readonly SharingNode[], withinMs?: number): Promise<void> {
  // Schemas of former releases do not record the number.
  const { rows } = await pool.query<{ shards: number }>('SELECT count(*)::integer AS shards FROM shard_owner')
  const all = rows[0]?.shards ?? 0
  const names = nodes.map(readName)
  await eventually(
    () => countShards(pool),
    (shares) => areShared(shares, names, all),
    withinMs,
  ).catch((error: Error) =>
    assert.fail([`${names.join(', ')} do not share ${all} shards. ${error.message}`, ...listEnded(nodes)].join('\n')),
  )
}

/** As `waitUntilShared`, for gateways without a pool of the test's own. */
export async function sharedEvenly(nodes: readonly (SharingNode & Pick<Gateway, 'databaseUrl'>)[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: nodes[0]?.databaseUrl ?? '', max: 1 })
  await waitUntilShared(pool, nodes).finally(() => pool.end())
}

function areShared(shares: Shares, names: readonly string[], all: number): boolean {
  const own = names.map((name) => shares[name] ?? 0)
  return own.reduce((sum, one) => sum + one, 0) === all && Math.max(...own) - Math.min(...own) <= 1
}

function listEnded(nodes: readonly SharingNode[]): readonly string[] {
  return nodes
    .filter(({ isRunning }) => !isRunning)
    .map((node) => `The process of ${readName(node)} has ended. Its last output:\n${node.output().slice(-TAIL_CHARS)}`)
}

function readName({ environment }: SharingNode): string {
  return environment.NODE_ID ?? ''
}
