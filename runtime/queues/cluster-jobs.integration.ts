import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { WorkKey } from '../../schemas/work.js'
import { cacheFolder, testFolder, testRedis } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { openTestStore, type TestStore, testLog } from '../../test/support/store.js'
import { connectRedis } from '../connect/redis.js'
import { redisAt } from '../connect/redis-place.js'
import { startRedis } from '../embedded/redis.js'
import { findRedis } from '../embedded/redis-binary.js'
import { createClusterJobStore } from '../store/cluster-jobs.js'
import { SessionLocks } from '../store/session-locks.js'
import { type ClusterJobsOptions, createClusterJobs } from './cluster-jobs.js'
import { createQueueConnections, removeNodeQueues } from './connections.js'
import type { ClusterJobStore, Processor } from './processor.js'

const HOUR_MS = 3_600_000
/** A time that does not come in a test. */
const NEVER_MS = 24 * HOUR_MS

/** A kind of work that counts its runs, and fails the test when two are under way at once. */
function countedJob(name: string, options: Partial<Processor> = {}) {
  const ran: string[] = []
  let underWay = 0
  const on = (node: string): Processor => ({
    name,
    everyMs: HOUR_MS,
    ...options,
    async run(signal) {
      assert.equal(underWay, 0, 'the job runs twice at once')
      underWay += 1
      ran.push(node)
      try {
        return (await options.run?.(signal)) ?? {}
      } finally {
        underWay -= 1
      }
    },
  })
  return { on, ran }
}

function startNode(
  t: TestContext,
  store: TestStore,
  url: string,
  node: string,
  processors: readonly Processor[],
  options: Partial<ClusterJobsOptions> = {},
) {
  const connections = createQueueConnections({ redis: connectRedis(redisAt(url)), logger: testLog })
  const jobs = createClusterJobs({
    redis: connections,
    store: jobStore(t, store, node),
    processors,
    logger: testLog,
    lookEveryMs: NEVER_MS,
    overdueMs: NEVER_MS,
    ...options,
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= jobs.close().then(() => connections.close())
    return closed
  }
  t.after(close)
  return { jobs, close, reached: () => eventually(() => connections.client.status === 'ready') }
}

/** Of a node with a session of its own, in which it has its locks. */
function jobStore(t: TestContext, { database: { pool, direct } }: TestStore, node: string): ClusterJobStore {
  const session = new pg.Pool({ ...direct, max: 1, idleTimeoutMillis: 0 })
  session.on('error', () => {})
  t.after(() => session.end())
  return createClusterJobStore({ pool, locks: new SessionLocks(session), node })
}

const makeDue = (store: TestStore, name: string) =>
  store.rows("UPDATE cluster_job SET due = now() - interval '1 second' WHERE name = $1", [name])
/** Waits until a run has written its end and its next time, which would hide a time that a test sets meanwhile. */
const ended = (store: TestStore, name: string) =>
  eventually(
    () => store.rows('SELECT FROM cluster_job WHERE name = $1 AND due > now() AND ended IS NOT NULL', [name]),
    (rows) => rows.length === 1,
  )
const known = (store: TestStore, name: string) =>
  eventually(
    () => store.rows('SELECT FROM cluster_job WHERE name = $1', [name]),
    (rows) => rows.length === 1,
  )

describe('a job of the cluster', () => {
  it('is given up until its next time when its nodes ended themselves twice over it', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    const given: string[] = []
    const blocked = {
      isGivenUp: ({ kind, id }: WorkKey) => kind === 'job' && id === 'poison' && given.length === 0,
      forget: ({ id }: WorkKey) => void given.push(id),
    }
    const poison = countedJob('poison', { everyMs: HOUR_MS })
    const fine = countedJob('fine', { everyMs: HOUR_MS })
    const node = startNode(t, store, url, 'a', [poison.on('a'), fine.on('a')], { blocked })
    await Promise.all([known(store, 'poison'), known(store, 'fine')])
    await node.jobs.request('poison')
    await node.jobs.request('fine')
    await eventually(() => fine.ran.length > 0 && given.length > 0)
    const failure = () => store.rows<{ failure: string }>("SELECT failure FROM cluster_job WHERE name = 'poison'")
    const [row] = await eventually(failure, ([one]) => one?.failure != null)
    assert.match(row?.failure ?? '', /twice/)
    assert.deepEqual([given, poison.ran], [['poison'], []])
    await node.jobs.request('poison')
    await eventually(() => poison.ran.length === 1)
  })

  it('runs once for each due time, though all nodes offer it, and only one run is under way at a time', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    const work = countedJob('work', {
      run: async () => {
        await new Promise((done) => setTimeout(done, 30))
        return {}
      },
    })
    const nodes = ['a', 'b', 'c'].map((node) => startNode(t, store, url, node, [work.on(node)]))
    await known(store, 'work')
    for (const { reached } of nodes) await reached()
    for (let round = 1; round <= 5; round += 1) {
      await makeDue(store, 'work')
      await Promise.all(nodes.map(({ jobs }) => jobs.lookNow()))
      await ended(store, 'work')
      await Promise.all(nodes.map(({ jobs }) => jobs.lookNow()))
      assert.equal(work.ran.length, round)
    }
    // A job of before that comes late, to a node that does not look whether it is due.
    const plan = { name: 'work', everyMs: HOUR_MS }
    const late = jobStore(t, store, 'late').runAlone(plan, () => assert.fail('it runs again'))
    assert.equal(await late, null)
    // The next time is about an hour away.
    const [row] = await store.rows<{ minutes: number }>(
      'SELECT (extract(epoch FROM due - now()) / 60)::float8 AS minutes FROM cluster_job',
    )
    assert.ok(row !== undefined && row.minutes > 50 && row.minutes <= 60, `${row?.minutes} minutes`)
  })

  it('is made again when Redis lost it with all its data', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    const work = countedJob('work')
    // This node offers jobs and can run none of this name, as one of a former release.
    const offers = startNode(t, store, url, 'offers', [{ ...work.on('offers'), name: 'other' }])
    await offers.reached()
    const redis = new Redis(url)
    t.after(() => redis.disconnect())
    const b = startNode(t, store, url, 'b', [work.on('b')])
    await known(store, 'work')
    await b.reached()
    for (let round = 1; round <= 8; round += 1) {
      await makeDue(store, 'work')
      void b.jobs.lookNow()
      await redis.flushall()
      await eventually(
        async () => {
          await b.jobs.lookNow()
          return work.ran.length
        },
        (runs) => runs >= round,
      )
      await ended(store, 'work')
      assert.equal(work.ran.length, round)
    }
  })

  it('is offered again when Redis lost it while a node took it', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    const work = countedJob('work')
    const { jobs, reached } = startNode(t, store, url, 'a', [work.on('a')])
    await known(store, 'work')
    await reached()
    // Due only after the job was lost: otherwise the node may offer it at the same moment, and has it twice.
    const [row] = await store.rows<{ due: string }>(
      `UPDATE cluster_job SET due = clock_timestamp() + interval '5 seconds' WHERE name = 'work'
       RETURNING extract(epoch FROM due)::text AS due`,
    )
    const redis = new Redis(url)
    t.after(() => redis.disconnect())
    // A job that a node has got, of which nothing is left.
    await redis.lpush('{posthorn:jobs}:jobs:wait', `work@${row?.due}`)
    await eventually(
      async () => [await redis.llen('{posthorn:jobs}:jobs:wait'), await redis.llen('{posthorn:jobs}:jobs:active')],
      (lengths) => lengths.every((length) => length === 0),
    )
    await eventually(
      async () => {
        await jobs.lookNow()
        return work.ran.length
      },
      (runs) => runs === 1,
    )
  })

  it('runs while Redis is away, and over Redis again when it is back', async (t) => {
    const store = await openTestStore(t)
    const folder = testFolder(t)
    const url = path.join(folder, 'redis.sock')
    const binary = await findRedis(cacheFolder(), testLog)
    const start = () => startRedis({ folder, socket: url, logFile: path.join(folder, 'log'), binary, options: [] })
    let server = await start()
    t.after(() => server.stop())
    const work = countedJob('work')
    const { jobs, reached } = startNode(t, store, url, 'a', [work.on('a')])
    await known(store, 'work')
    await reached()
    const runs = (count: number) =>
      eventually(
        () => work.ran.length,
        (ran) => ran === count,
      )
    await server.stop()
    await makeDue(store, 'work')
    await eventually(
      async () => {
        await jobs.lookNow()
        return work.ran.length
      },
      (ran) => ran === 1,
    )
    await ended(store, 'work')
    // Due while Redis comes back: nobody looks but the connection.
    await makeDue(store, 'work')
    server = await start()
    await runs(2)
  })

  it('runs where it is overdue when Redis is silent', async (t) => {
    const store = await openTestStore(t)
    const server = await testRedis(t)
    const work = countedJob('work')
    const { jobs, reached } = startNode(t, store, server.url, 'a', [work.on('a')], { overdueMs: 60_000 })
    await known(store, 'work')
    await reached()
    process.kill(server.pid, 'SIGSTOP')
    t.after(() => void process.kill(server.pid, 'SIGCONT'))
    await makeDue(store, 'work')
    await jobs.lookNow()
    assert.equal(work.ran.length, 0)
    await store.rows("UPDATE cluster_job SET due = now() - interval '61 seconds'")
    await jobs.lookNow()
    await eventually(
      () => work.ran.length,
      (ran) => ran === 1,
    )
    process.kill(server.pid, 'SIGCONT')
  })

  it('is taken over from a node that stops in the middle, and keeps no node waiting', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    let isLong = true
    const long = countedJob('long', {
      run: (signal) =>
        new Promise((done) => {
          if (isLong) signal.addEventListener('abort', () => done({}), { once: true })
          else done({})
        }),
    })
    const short = countedJob('short')
    const a = startNode(t, store, url, 'a', [long.on('a'), short.on('a')])
    await known(store, 'long')
    await a.reached()
    await a.jobs.request('long')
    await eventually(
      () => long.ran.length,
      (ran) => ran === 1,
    )
    // The time of the claim has come, and the run still continues.
    await makeDue(store, 'long')
    // This one runs what is due itself, since the job could come to the node that is at it.
    const b = startNode(t, store, url, 'b', [long.on('b'), short.on('b')], { overdueMs: 0 })
    await b.reached()
    await b.jobs.lookNow()
    await b.jobs.request('short')
    await eventually(
      () => short.ran.length,
      (ran) => ran === 1,
    )
    assert.deepEqual(long.ran, ['a'])
    isLong = false
    await a.close()
    await eventually(
      async () => {
        await b.jobs.lookNow()
        return long.ran
      },
      (ran) => ran.length === 2,
    )
    assert.deepEqual(long.ran, ['a', 'b'])
  })

  it('is tried again after a failure, runs at most as often as allowed on request, and shows its result to all nodes', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    let isBroken = true
    const work = countedJob('work', {
      everyMs: null,
      run: async () => {
        if (isBroken) throw new Error('The source is away.')
        return { result: { version: 7 } }
      },
    })
    const a = startNode(t, store, url, 'a', [work.on('a')])
    const b = startNode(t, store, url, 'b', [work.on('b')])
    await known(store, 'work')
    await Promise.all([a.reached(), b.reached()])
    const row = async () =>
      (
        await store.rows<{ failure: string | null; due: string; seconds: number }>(
          'SELECT failure, due::text AS due, extract(epoch FROM due - now())::float8 AS seconds FROM cluster_job',
        )
      )[0]
    assert.equal((await row())?.due, 'infinity')
    await a.jobs.request('work')
    const failed = await eventually(row, (found) => found?.failure !== null)
    assert.equal(failed?.failure, 'The source is away.')
    assert.ok(failed.seconds > 60 && failed.seconds <= 300, `${failed.seconds} s`)
    isBroken = false
    await b.jobs.request('work', 60_000)
    assert.ok(((await row())?.seconds ?? 0) > 30, 'it is not yet due again')
    await b.jobs.request('work')
    const done = await eventually(row, (found) => found?.failure === null)
    assert.equal(done?.due, 'infinity')
    for (const { jobs } of [a, b]) {
      await jobs.lookNow()
      assert.deepEqual(jobs.states()[0]?.result, { version: 7 })
    }
    // Either node may have taken each run.
    const total = (outcome: string) =>
      [...a.jobs.counts(), ...b.jobs.counts()]
        .filter((counted) => counted.outcome === outcome)
        .reduce((sum, { count }) => sum + count, 0)
    assert.deepEqual([total('done'), total('failed')], [1, 1])
  })

  it('that renews its claim is not due while it runs, soon due when its node dies, and runs again when requested meanwhile', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    let end = (): void => {}
    const work = countedJob('work', {
      everyMs: null,
      claimMs: 60,
      run: () =>
        new Promise((done) => {
          end = () => done({})
        }),
    })
    const { jobs, reached } = startNode(t, store, url, 'a', [work.on('a')])
    await known(store, 'work')
    await reached()
    const due = async () => (await store.rows<{ due: string }>('SELECT due::text AS due FROM cluster_job'))[0]?.due
    await jobs.request('work')
    const claims = new Set<string | undefined>()
    await eventually(async () => claims.add(await due()).size > 4)
    assert.equal(work.ran.length, 1)
    await store.rows('UPDATE cluster_job SET due = now()')
    const requested = await due()
    await eventually(due, (now) => now !== requested)
    end()
    await eventually(
      () => work.ran.length,
      (ran) => ran === 2,
    )
    end()
    await eventually(due, (now) => now === 'infinity')
  })

  it('is due when the clock of PostgreSQL was set back by much', async (t) => {
    const store = await openTestStore(t)
    const { url } = await testRedis(t)
    const work = countedJob('work')
    const { jobs, reached } = startNode(t, store, url, 'a', [work.on('a')])
    await known(store, 'work')
    await reached()
    await store.rows("UPDATE cluster_job SET due = now() + interval '1 year'")
    await jobs.lookNow()
    await eventually(
      () => work.ran.length,
      (ran) => ran === 1,
    )
  })
})

it('the queues of a node of the former release are removed when it does not come back, and nothing else is', async (t) => {
  const server = await testRedis(t)
  const redis = new Redis(server.url)
  t.after(() => redis.disconnect())
  const keys = ['a*', 'a*b', 'ab', 'a'].map((node) => `{posthorn:queues:${node}}:send:id`)
  for (const key of [...keys, '{posthorn:jobs}:jobs:id']) await redis.set(key, '1')
  await removeNodeQueues(connectRedis(redisAt(server.url)), 'a*')
  assert.deepEqual((await redis.keys('*')).toSorted(), [...keys.slice(1), '{posthorn:jobs}:jobs:id'].toSorted())
})
