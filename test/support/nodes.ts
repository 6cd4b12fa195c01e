/** For tests of the cluster: nodes of one process, over real stores; what they ask of each other are calls. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { createClusterRows, createClusterView } from '../../runtime/cluster/cluster-view.js'
import type { NodeObserver, ProbeResult } from '../../runtime/cluster/core-commands.js'
import { type NodeLease, startLease } from '../../runtime/cluster/lease.js'
import { connectLeases, createLeases } from '../../runtime/cluster/leases.js'
import { type ClusterNode, startClusterNode } from '../../runtime/cluster/node.js'
import { defaultTiming, type Timing } from '../../runtime/cluster/ownership/protocol.js'
import { createShardTable } from '../../runtime/cluster/shard-table.js'
import { StoreWatch } from '../../runtime/cluster/store-watch.js'
import { connectRedis } from '../../runtime/connect/redis.js'
import { redisAt } from '../../runtime/connect/redis-place.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ClusterView } from '../../schemas/ports/cluster.js'
import { type TestRedis, testRedis } from './embedded.js'
import { eventually, PATIENCE_MS } from './eventually.js'
import { openTestStore, type TestStore, testLog } from './store.js'

/** The default, three times as fast; what must stay above the noise of a busy machine less so. */
export const timing = Object.fromEntries(
  Object.entries(defaultTiming).map(([name, ms]) => [name, name === 'leaseKeptMs' ? ms : Math.ceil(ms / 3)]),
) as unknown as Timing

export interface TestNode {
  readonly name: string
  readonly incarnation: string
  readonly node: ClusterNode
  readonly lease: NodeLease
  /** Events for administrators. */
  readonly view: ClusterView
  /** Shards whose actors may act, with their epochs. */
  readonly acting: ReadonlyMap<number, number>
  readonly ended: readonly string[]
  isOpen(): boolean
  /** As kill -9: nothing is sent afterwards. */
  kill(): Promise<void>
  /** How often a shard was given to it, and taken from it. */
  readonly counts: { activated: number; deactivated: number }
}

/** Nobody can take over a shard. */
export const lockShards = 'SELECT FROM shard_owner FOR UPDATE'
/** Nobody can show in SQL that it lives. */
export const lockNodes = 'LOCK TABLE node IN EXCLUSIVE MODE'

export interface NodeGiven {
  readonly address?: string
  readonly observe?: NodeObserver
  /** Work that the actors of a shard finish before it moves. */
  readonly quiet?: (shard: number) => Promise<void>
}

export interface NodesScene {
  readonly redis: TestRedis
  readonly store: TestStore
  start(name: string, given?: NodeGiven): Promise<TestNode>
  /** An instance of that shard, which should be connected. */
  instanceIn(shard: number): Promise<InstanceId>
  /** Locks what the statement locks, until the returned function is called. */
  lock(statement: string): Promise<() => Promise<void>>
  /** The living nodes share all shards, each shard acts on one, and SQL says the same. */
  shared(nodes: readonly TestNode[], withinMs?: number): Promise<void>
}

/** Nodes that look as if they may be dying are given nothing, and on a machine with much to do they look so again and again. */
const SHARING_MS = 3 * PATIENCE_MS

export async function startNodesScene(t: TestContext, shards?: number): Promise<NodesScene> {
  const store = await openTestStore(t, shards === undefined ? {} : { shards })
  await store.rows('UPDATE shard_owner SET owner = NULL')
  const redis = await testRedis(t)
  const listening = new Map<string, TestNode & { isKilled: boolean }>()
  let starts = 0

  const start: NodesScene['start'] = async (
    name,
    { address = `${name}:1`, observe = {}, quiet = async () => {} } = {},
  ) => {
    starts += 1
    const incarnation = `${name}-${starts}`
    const pool = new pg.Pool({ ...store.database.clientConfig, max: 2, statement_timeout: timing.commandTimeoutMs })
    pool.on('error', () => {})
    const client = connectLeases(connectRedis(redisAt(redis.url)), timing.commandTimeoutMs)
    client.on('error', () => {})
    const lease = startLease({
      watchdog: null,
      redis: redisAt(redis.url),
      replicas: 0,
      database: store.database.place,
      incarnation,
      timing,
      onRefused: () => node.refused(),
    })
    const acting = new Map<number, number>()
    const ended: string[] = []
    const counts = { activated: 0, deactivated: 0 }
    const stopActors = (shard: number) => {
      if (acting.delete(shard)) counts.deactivated += 1
    }
    const announce = (): void => {
      for (const other of listening.values())
        if (!other.isKilled && other.incarnation !== incarnation) other.node.hint()
    }
    const table = createShardTable({ pool, incarnation })
    const leases = createLeases({
      redis: client,
      incarnation,
      keptMs: timing.leaseKeptMs,
      replicas: 0,
      commandTimeoutMs: timing.commandTimeoutMs,
    })
    const watch = new StoreWatch({
      table,
      leases,
      incarnation,
      nodeId: name,
      onIdentity: (identity) => lease.follow(identity),
      tell: async () => false,
      onNews: () => {},
      reconnect: () => {},
      log: testLog,
    })
    const node = startClusterNode({
      incarnation,
      nodeId: name,
      address,
      version: '1.0.0',
      shards: store.shards.length,
      timing,
      startsWith: [],
      table,
      store: watch,
      leases,
      lease,
      peers: {
        async probe({ incarnation: wanted, nodeId, address: at }): Promise<ProbeResult> {
          const other = listening.get(at)
          if (other === undefined || other.isKilled) return 'refused'
          if (other.incarnation === wanted) return other.isOpen() ? 'alive' : 'closed'
          return other.name === nodeId ? 'restarted' : 'silent'
        },
        async pull({ address: at }, shard, epoch) {
          const other = listening.get(at)
          if (other === undefined || other.isKilled) throw new Error('refused')
          return await other.node.pullAsked(shard, epoch, incarnation)
        },
        announce,
      },
      actors: {
        activate(shard, epoch) {
          acting.set(shard, epoch)
          counts.activated += 1
        },
        deactivate: stopActors,
        async quiet(shard) {
          await quiet(shard)
          stopActors(shard)
        },
        fence: () => acting.clear(),
        stopAll: async () => acting.clear(),
      },
      canLogin: () => true,
      onEnd: (reason) => ended.push(reason),
      observe,
      log: testLog,
    })
    const kill = async (): Promise<void> => {
      if (made.isKilled) return
      made.isKilled = true
      acting.clear()
      // Nothing that it still tries reaches anyone.
      await lease.close()
      client.disconnect()
      await pool.end()
      node.stop()
    }
    const made = {
      name,
      incarnation,
      node,
      lease,
      view: createClusterView({ rows: createClusterRows(pool), incarnation, node, store: watch, announce }),
      acting,
      ended,
      counts,
      isOpen: () => lease.isOpen(),
      kill,
      isKilled: false,
    }
    listening.set(address, made)
    t.after(kill)
    return made
  }

  const shared: NodesScene['shared'] = async (nodes, withinMs = SHARING_MS) => {
    await eventually(
      async () => {
        requireLiving(nodes)
        const rows = await store.rows<{ owner: string | null; epoch: number }>(
          'SELECT owner, epoch FROM shard_owner ORDER BY shard',
        )
        return rows.every(({ owner, epoch }, shard) => {
          const actors = nodes.filter(({ acting }) => acting.has(shard))
          return actors.length === 1 && actors[0]?.incarnation === owner && actors[0]?.acting.get(shard) === epoch
        })
      },
      (isShared) => isShared,
      withinMs,
    ).catch((error: Error) => assert.fail(`${describeNodes(nodes)}: ${error.message}`))
    const sizes = () => nodes.map(({ acting }) => acting.size)
    const before = sizes()
    await eventually(
      () => {
        requireLiving(nodes)
        return sizes()
      },
      (now) => Math.max(...now) - Math.min(...now) <= 1,
      withinMs,
    ).catch((error: Error) =>
      assert.fail(`Shared unevenly, ${before.join()} at first. ${describeNodes(nodes)}: ${error.message}`),
    )
  }

  async function instanceIn(shard: number): Promise<InstanceId> {
    let id = ''
    do id = `r${randomBytes(7).toString('hex')}`
    while (store.findShard(id) !== shard)
    const values = [id, randomBytes(32)]
    await store.rows('INSERT INTO instance (id, name, token_hash, desired_connected) VALUES ($1, $1, $2, true)', values)
    return id as InstanceId
  }

  async function lock(statement: string): Promise<() => Promise<void>> {
    const client = new pg.Client(store.database.clientConfig)
    await client.connect()
    t.after(() => client.end())
    await client.query('BEGIN')
    await client.query(statement)
    return async () => void (await client.query('COMMIT'))
  }

  return { redis, store, start, instanceIn, lock, shared }
}

/** @throws AssertionError if a node has ended, as one does that was declared dead: it gets no shards any longer */
function requireLiving(nodes: readonly TestNode[]): void {
  const over = nodes.filter(({ ended }) => ended.length > 0)
  if (over.length > 0) assert.fail(`ended: ${over.map(({ name, ended }) => `${name} (${ended.join()})`).join(', ')}`)
}

function describeNodes(nodes: readonly TestNode[]): string {
  return nodes
    .map(
      ({ name, acting, isOpen }) =>
        `${name} acts on ${acting.size} shards, its guard is ${isOpen() ? 'open' : 'closed'}`,
    )
    .join('; ')
}
