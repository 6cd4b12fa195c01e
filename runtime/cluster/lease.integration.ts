import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { testRedis } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { startDatabaseProxy } from '../../test/support/proxy.js'
import { openTestStore } from '../../test/support/store.js'
import { redisAt } from '../connect/redis-place.js'
import { signalProcess } from '../embedded/processes.js'
import { startLease } from './lease.js'
import { defaultTiming, type Timing } from './ownership/protocol.js'
import { now } from './proof.js'
import { createShardTable } from './shard-table.js'

/** The default, twice as fast: a busy machine keeps it. */
const timing = Object.fromEntries(
  Object.entries(defaultTiming).map(([name, ms]) => [name, name === 'leaseKeptMs' ? ms : ms / 2]),
) as unknown as Timing

async function scene(t: TestContext, given: Partial<Timing> = {}) {
  const store = await openTestStore(t)
  const redis = await testRedis(t)
  const config = store.database.clientConfig
  const proxy = await startDatabaseProxy(t, config.connectionString ?? '')
  const pool = new pg.Pool({ ...config, max: 1 })
  t.after(() => pool.end())
  const table = createShardTable({ pool, incarnation: 'one' })
  const refusals: string[] = []
  const lease = startLease({
    redis: redisAt(redis.url),
    replicas: 0,
    database: { connectionString: proxy.connectionString },
    incarnation: 'one',
    watchdog: null,
    timing: { ...timing, ...given },
    onRefused: (why) => refusals.push(why),
  })
  t.after(() => lease.close())
  assert.equal(lease.isOpen(), false)
  const sentAt = now()
  assert.equal(await table.register({ nodeId: 'a', address: '127.0.0.1:1', version: '1.0.0', shards: 256 }, null), true)
  lease.begin(sentAt)
  await eventually(() => lease.isOpen())
  /** How often it was seen closed. */
  async function closedDuring(ms: number): Promise<number> {
    let closed = 0
    for (const end = performance.now() + ms; performance.now() < end; await pause(5)) if (!lease.isOpen()) closed += 1
    return closed
  }
  const revision = async () =>
    (await table.read()).nodes.find(({ incarnation }) => incarnation === 'one')?.revision ?? 0
  return { redis, proxy, table, lease, refusals, closedDuring, revision }
}

describe('the proof that a node lives', () => {
  it('is kept by Redis alone, also while the main thread stands still', async (t) => {
    const { lease, closedDuring, revision } = await scene(t)
    await pause(2_000)
    const before = await revision()
    const until = performance.now() + 4_000
    while (performance.now() < until);
    assert.equal(lease.isOpen(), true)
    assert.equal(await closedDuring(1_000), 0)
    assert.equal(await revision(), before)
  })

  it('is kept by SQL while Redis is paused, dead or empty, without a gap', async (t) => {
    const { redis, closedDuring, revision } = await scene(t)
    await pause(1_000)
    const before = await revision()
    signalProcess(redis.pid, 'SIGSTOP')
    assert.equal(await closedDuring(4_000), 0)
    assert.ok((await revision()) > before)
    signalProcess(redis.pid, 'SIGCONT')
    assert.equal(await closedDuring(1_000), 0)
    await redis.kill()
    assert.equal(await closedDuring(4_000), 0)
    await redis.start({ empty: true })
    assert.equal(await closedDuring(4_000), 0)
    const client = new Redis(redis.url)
    t.after(() => client.disconnect())
    assert.equal(await client.scard('{posthorn:cluster}:leases'), 1)
  })

  it('is kept by Redis while SQL is away', async (t) => {
    const { proxy, closedDuring } = await scene(t)
    await pause(2_000)
    proxy.cut()
    assert.equal(await closedDuring(4_000), 0)
    proxy.mend()
  })

  it('ends in time when both are away, and comes back with SQL', async (t) => {
    const { redis, proxy, lease } = await scene(t)
    await pause(1_000)
    proxy.cut()
    await redis.kill()
    const awayMs = performance.now()
    // The last moment at which it was seen open: a look that comes late says nothing.
    let openMs = awayMs
    await eventually(() => {
      const lookedMs = performance.now()
      const isOpen = lease.isOpen()
      if (isOpen) openMs = lookedMs
      return !isOpen
    })
    assert.ok(openMs - awayMs <= timing.guardMs + 50, `${openMs - awayMs} ms`)
    await redis.start()
    await pause(1_400)
    assert.equal(lease.isOpen(), false, 'Redis alone cannot open it again')
    proxy.mend()
    await eventually(() => lease.isOpen())
  })

  it('ends when the node is declared dead, and notifies its holder', async (t) => {
    const { redis, table, lease, refusals, revision } = await scene(t)
    await redis.kill()
    await pause(400)
    await eventually(async () => (await table.declareDead('one', await revision())) === 'dead')
    await eventually(() => !lease.isOpen())
    await pause(1_000)
    assert.equal(lease.isOpen(), false)
    assert.equal(refusals.length, 1)
  })

  it('is not kept for a main thread that hangs', async (t) => {
    const { lease } = await scene(t, { mainSilenceMs: 1_000 })
    const until = performance.now() + 3_000
    while (performance.now() < until);
    assert.equal(lease.isOpen(), false)
    await eventually(() => lease.isOpen())
  })

  it('says when it leaves', async (t) => {
    const { redis, lease } = await scene(t)
    const client = new Redis(redis.url)
    t.after(() => client.disconnect())
    await eventually(
      () => client.exists('{posthorn:cluster}:lease:one'),
      (exists) => exists === 1,
    )
    await lease.leave()
    assert.equal(await client.hget('{posthorn:cluster}:lease:one', 'left'), '1')
    await pause(timing.guardMs + 100)
    assert.equal(lease.isOpen(), false)
  })
})
