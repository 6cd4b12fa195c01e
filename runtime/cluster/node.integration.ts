import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type TestRedis, testRedis } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { openTestStore, testLog } from '../../test/support/store.js'
import { connectRedis } from '../connect/redis.js'
import { redisAt } from '../connect/redis-place.js'
import { signalProcess } from '../embedded/processes.js'
import { startLease } from './lease.js'
import { connectLeases, createLeases } from './leases.js'
import { type ClusterNode, type ProbeResult, startClusterNode } from './node.js'
import { defaultTiming, type Timing } from './ownership/protocol.js'
import { createShardTable } from './shard-table.js'

/** The default, three times as fast; what must stay above the noise of a busy machine less so. */
const timing = Object.fromEntries(
  Object.entries(defaultTiming).map(([name, ms]) => [name, name === 'leaseKeptMs' ? ms : Math.ceil(ms / 3)]),
) as unknown as Timing

interface TestNode {
  readonly name: string
  readonly incarnation: string
  readonly node: ClusterNode
  /** Shards whose actors may act, with their epochs. */
  readonly acting: ReadonlyMap<number, number>
  readonly ended: readonly string[]
  isOpen(): boolean
  /** As kill -9: nothing is said or asked any more. */
  kill(): Promise<void>
  /** How often a shard was given to it, and taken from it. */
  readonly counts: { activated: number; deactivated: number }
}

interface Scene {
  readonly redis: TestRedis
  start(name: string, address?: string): Promise<TestNode>
  /** The living nodes share all shards, each shard acts on one, and SQL says the same. */
  shared(nodes: readonly TestNode[], withinMs?: number): Promise<void>
}

/** Nodes of one process, over real stores; what they ask of each other are calls. */
async function scene(t: TestContext): Promise<Scene> {
  const store = await openTestStore(t)
  await store.rows('UPDATE shard_owner SET owner = NULL')
  const redis = await testRedis(t)
  const listening = new Map<string, TestNode & { isKilled: boolean }>()
  let starts = 0

  async function start(name: string, address = `${name}:1`): Promise<TestNode> {
    starts += 1
    const incarnation = `${name}-${starts}`
    const pool = new pg.Pool({ ...store.database.clientConfig, max: 2, statement_timeout: timing.commandTimeoutMs })
    pool.on('error', () => {})
    const client = connectLeases(connectRedis(redisAt(redis.url)), timing.commandTimeoutMs)
    const lease = startLease({
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
    const node = startClusterNode({
      incarnation,
      nodeId: name,
      address,
      version: '1.0.0',
      timing,
      table: createShardTable({ pool, incarnation }),
      leases: createLeases({
        redis: client,
        incarnation,
        keptMs: timing.leaseKeptMs,
        replicas: 0,
        commandTimeoutMs: timing.commandTimeoutMs,
      }),
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
        announce() {
          for (const other of listening.values()) if (!other.isKilled) other.node.hint()
        },
      },
      actors: {
        activate(shard, epoch) {
          acting.set(shard, epoch)
          counts.activated += 1
        },
        deactivate: stopActors,
        quiet: async (shard) => stopActors(shard),
        fence: () => acting.clear(),
        stopAll: async () => acting.clear(),
      },
      canLogin: () => true,
      onEnd: (reason) => ended.push(reason),
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
    const made = { name, incarnation, node, acting, ended, counts, isOpen: () => lease.isOpen(), kill, isKilled: false }
    listening.set(address, made)
    t.after(kill)
    return made
  }

  async function shared(nodes: readonly TestNode[], withinMs = 20_000): Promise<void> {
    await eventually(
      async () => {
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
    )
    const sizes = nodes.map(({ acting }) => acting.size)
    await eventually(
      () => nodes.map(({ acting }) => acting.size),
      (now) => Math.max(...now) - Math.min(...now) <= 1,
      withinMs,
    ).catch(() => assert.fail(`not shared evenly: ${sizes.join()}`))
  }

  return { redis, start, shared }
}

describe('nodes of a cluster', () => {
  it('share the shards evenly; one that joins gets its part, one that drains gives all away, and nothing else moves', async (t) => {
    const { start, shared } = await scene(t)
    const one = await start('one')
    await shared([one])
    const two = await start('two')
    await shared([one, two])
    const three = await start('three')
    await shared([one, two, three])
    assert.equal(one.counts.activated, 256)
    assert.equal(two.counts.activated, 128)
    assert.ok(three.counts.activated <= 86, `${three.counts.activated}`)
    const before = one.counts.activated + three.counts.activated
    const given = two.acting.size
    two.node.drain()
    await eventually(
      () => two.ended,
      (ended) => ended.length > 0,
      20_000,
    )
    assert.deepEqual(two.ended, ['left'])
    await shared([one, three])
    assert.equal(one.counts.activated + three.counts.activated - before, given)
  })

  it('take over what a killed one had, and only that', async (t) => {
    const { start, shared } = await scene(t)
    const nodes = [await start('one'), await start('two'), await start('three')]
    await shared(nodes)
    const [killed, ...living] = nodes as [TestNode, TestNode, TestNode]
    const sum = (what: keyof TestNode['counts']) => living.reduce((total, { counts }) => total + counts[what], 0)
    const [activated, deactivated, had] = [sum('activated'), sum('deactivated'), killed.acting.size]
    await killed.kill()
    await shared(living)
    assert.equal(sum('activated') - activated, had)
    assert.equal(sum('deactivated'), deactivated)
  })

  it('one that is started again in its place has its own back, and nothing moves', async (t) => {
    const { start, shared } = await scene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    const [hadOne, hadTwo] = [[...one.acting.keys()], [...two.acting.keys()]]
    await one.kill()
    const again = await start('one')
    await shared([again, two])
    assert.deepEqual([...again.acting.keys()].toSorted(), hadOne.toSorted())
    assert.deepEqual([...two.acting.keys()].toSorted(), hadTwo.toSorted())
  })

  it('a second one of the same name ends, and the first does not notice', async (t) => {
    const { start, shared } = await scene(t)
    const one = await start('one')
    await shared([one])
    const second = await start('one', 'elsewhere:1')
    await eventually(
      () => second.ended,
      (ended) => ended.length > 0,
      20_000,
    )
    assert.deepEqual(second.ended, ['nameTaken'])
    assert.equal(second.counts.activated, 0)
    assert.equal(one.counts.deactivated, 0)
  })

  it('keep what they have while Redis is paused, dead and empty again, and nothing moves', async (t) => {
    const { redis, start, shared } = await scene(t)
    const nodes = [await start('one'), await start('two')]
    await shared(nodes)
    const before = nodes.map(({ counts }) => ({ ...counts }))
    signalProcess(redis.pid, 'SIGSTOP')
    await pause(2 * timing.leaseMs)
    signalProcess(redis.pid, 'SIGCONT')
    await pause(timing.leaseMs)
    await redis.kill()
    await pause(2 * timing.leaseMs)
    await redis.start({ empty: true })
    await pause(2 * timing.leaseMs)
    await shared(nodes)
    assert.deepEqual(
      nodes.map(({ counts }) => ({ ...counts })),
      before,
    )
  })
})
