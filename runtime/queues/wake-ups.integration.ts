import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import { seededRandom, seedOf } from '../../test/durability/random.js'
import { testFolder, testRedis } from '../../test/support/embedded.js'
import { connectRedis } from '../connect/redis.js'
import { redisAt } from '../connect/redis-place.js'
import { startRedis } from '../embedded/redis.js'
import { findRedis } from '../embedded/redis-binary.js'
import { createQueueConnections, removeQueuesOf } from './connections.js'
import { createWakeUps, type WakeUpOptions } from './wake-ups.js'

const logger = pino({ level: 'silent' })

async function eventually(isTrue: () => Promise<boolean> | boolean, what: string, timeoutMs = 10_000): Promise<void> {
  const untilMs = Date.now() + timeoutMs
  while (!(await isTrue())) {
    if (Date.now() > untilMs) assert.fail(`Never: ${what}`)
    await new Promise((done) => setTimeout(done, 5))
  }
}

function wakeUps(
  t: TestContext,
  server: { url: string },
  options: Partial<WakeUpOptions> & Pick<WakeUpOptions, 'handle'>,
) {
  const redis = connectRedis(redisAt(server.url))
  const connections = createQueueConnections({ redis, node: `n-${randomUUID()}`, logger })
  const made = createWakeUps({
    redis: connections,
    kind: 'test',
    concurrency: 8,
    sweep: async () => [],
    logger,
    ...options,
  })
  t.after(async () => {
    await made.close()
    connections.close()
  })
  return { ...made, connections }
}

/** Lanes with numbered work, as SQL would hold it; asserts that a lane never runs twice at once. */
function lanesOfWork(random: () => number = () => 0.5) {
  const due = new Map<string, number>()
  const seen = new Map<string, number>()
  const running = new Set<string>()
  let runs = 0
  return {
    commit: (lane: string) => void due.set(lane, (due.get(lane) ?? 0) + 1),
    due: () => [...due].filter(([lane, count]) => (seen.get(lane) ?? 0) < count).map(([lane]) => lane),
    runs: () => runs,
    handle: async (lane: string) => {
      assert.ok(!running.has(lane), 'a lane runs twice at once')
      running.add(lane)
      runs += 1
      // The read, then work, so that a commit in between is only found by another run.
      const read = due.get(lane) ?? 0
      for (let turn = random() * 3; turn > 0; turn -= 1) await new Promise((done) => setImmediate(done))
      seen.set(lane, read)
      running.delete(lane)
    },
  }
}

describe('wake-ups', () => {
  it('are never lost, and a lane never runs twice at once', async (t) => {
    const random = seededRandom(seedOf(t))
    const work = lanesOfWork(random)
    const { wake } = wakeUps(t, await testRedis(t), { handle: work.handle })
    for (let count = 0; count < 5000; count += 1) {
      const lane = `lane-${Math.floor(random() * 20)}`
      work.commit(lane)
      wake(lane)
      if (random() < 0.3) await new Promise((done) => setImmediate(done))
    }
    await eventually(() => work.due().length === 0, 'all work is seen')
    assert.ok(work.runs() < 5000)
  })

  it('are not lost when the work comes after the read of a run that is under way', async (t) => {
    const reads: number[] = []
    let committed = 1
    const made = wakeUps(t, await testRedis(t), {
      handle: async (lane) => {
        reads.push(committed)
        if (committed < 5) {
          await new Promise((done) => setImmediate(done))
          committed += 1
          made.wake(lane)
        }
      },
    })
    made.wake('lane')
    await eventually(() => reads.at(-1) === 5, 'the last commit is read')
    assert.deepEqual(reads, [1, 2, 3, 4, 5])
  })

  it('of one lane come together while it is awake', async (t) => {
    const work = lanesOfWork()
    const { wake } = wakeUps(t, await testRedis(t), { handle: work.handle })
    for (let count = 0; count < 1000; count += 1) {
      work.commit('lane')
      wake('lane')
    }
    await eventually(() => work.due().length === 0, 'all work is seen')
    // The first may begin at once, when Redis is not reached yet; the others are seen together.
    assert.ok(work.runs() <= 2)
  })

  it('run at most as many lanes at once as allowed, and no lane keeps the others waiting', async (t) => {
    let now = 0
    let most = 0
    const order: string[] = []
    const made = wakeUps(t, await testRedis(t), {
      concurrency: 2,
      handle: async (lane) => {
        now += 1
        most = Math.max(most, now)
        order.push(lane)
        await new Promise((done) => setImmediate(done))
        // This one always has more to do.
        if (lane === 'greedy' && order.length < 200) made.wake('greedy')
        now -= 1
      },
    })
    made.wake('greedy')
    for (let count = 0; count < 20; count += 1) made.wake(`lane-${count}`)
    await eventually(() => new Set(order).size === 21, 'every lane had its turn')
    assert.equal(most, 2)
  })

  it('go on from memory when Redis is away, and through Redis when it is back', async (t) => {
    const folder = testFolder(t)
    const url = path.join(folder, 'redis.sock')
    const binary = await findRedis(process.env.POSTHORN_TEST_CACHE ?? folder, logger)
    const start = () => startRedis({ folder, socket: url, logFile: path.join(folder, 'log'), binary, options: [] })
    let server = await start()
    t.after(() => server.stop())
    const work = lanesOfWork()
    const { wake, connections } = wakeUps(t, { url }, { handle: work.handle })
    await eventually(() => connections.client.status === 'ready', 'Redis is reached')
    await server.stop()
    const startedMs = Date.now()
    for (let count = 0; count < 100; count += 1) {
      work.commit(`lane-${count}`)
      wake(`lane-${count}`)
    }
    await eventually(() => work.due().length === 0, 'all work is seen without Redis')
    assert.ok(Date.now() - startedMs < 3000)
    server = await start()
    await eventually(() => connections.client.status === 'ready', 'Redis is back')
    work.commit('after')
    wake('after')
    await eventually(() => work.due().length === 0, 'work is seen again')
  })

  it('are not lost when Redis loses its data, or does not answer', async (t) => {
    const server = await testRedis(t)
    const work = lanesOfWork()
    const { wake, connections } = wakeUps(t, server, { handle: work.handle })
    await eventually(() => connections.client.status === 'ready', 'Redis is reached')
    process.kill(server.pid, 'SIGSTOP')
    for (const lane of ['a', 'b', 'c']) {
      work.commit(lane)
      wake(lane)
    }
    await eventually(() => work.due().length === 0, 'work is seen while Redis is silent', 4000)
    process.kill(server.pid, 'SIGCONT')
    for (let round = 0; round < 20; round += 1) {
      work.commit(`lane-${round}`)
      wake(`lane-${round}`)
      await connections.client.flushall()
    }
    await eventually(() => work.due().length === 0, 'work is seen though jobs were lost', 5000)
  })

  it('come from the sweep for work that nobody announced, and again after a failure', async (t) => {
    const work = lanesOfWork()
    work.commit('forgotten')
    let failures = 0
    wakeUps(t, await testRedis(t), {
      sweep: async () => work.due(),
      handle: async (lane) => {
        if (failures === 0) {
          failures += 1
          throw new Error('The store is away.')
        }
        await work.handle(lane)
      },
    })
    await eventually(() => work.due().length === 0, 'the work is seen after a failure')
    assert.equal(failures, 1)
  })

  it('leave nothing in Redis when they are closed, and wait for lanes that run', async (t) => {
    const server = await testRedis(t)
    let ended = false
    const made = wakeUps(t, server, {
      handle: async () => {
        await new Promise((done) => setTimeout(done, 100))
        ended = true
      },
    })
    made.wake('lane')
    await eventually(() => made.counts().running === 1, 'the lane runs')
    await made.close()
    assert.ok(ended)
    const keys = await made.connections.client.keys('*')
    assert.deepEqual(
      keys.filter((key) => !/:(id|stalled-check)$/.test(key)),
      [],
    )
  })

  it('of a node that does not come back are removed, and those of others stay', async (t) => {
    const server = await testRedis(t)
    const redis = connectRedis(redisAt(server.url))
    const bystander = connectRedis(redisAt(server.url)).toSlotOf('', {})
    t.after(() => bystander.disconnect())
    const left = async () => new Set((await bystander.keys('*')).map((key) => key.slice(0, key.indexOf('}') + 1)))
    const nodes = ['a*', 'a*b', 'ab', 'a']
    for (const node of nodes) {
      const connections = createQueueConnections({ redis, node, logger })
      const { wake, close } = connections.createWakeUps({
        kind: 'test',
        concurrency: 1,
        sweep: async () => [],
        logger,
        handle: async () => {},
      })
      await eventually(() => connections.client.status === 'ready', 'Redis is reached')
      wake('lane')
      await eventually(async () => (await left()).has(`{posthorn:queues:${node}}`), 'the queue is there')
      await close()
      connections.close()
    }
    const of = (names: readonly string[]) => new Set(names.map((name) => `{posthorn:queues:${name}}`))
    assert.deepEqual(await left(), of(nodes))
    await removeQueuesOf(redis, 'a*')
    assert.deepEqual(await left(), of(['a*b', 'ab', 'a']))
  })
})
