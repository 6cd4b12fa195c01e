import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Redis } from 'ioredis'
import pino from 'pino'
import { testRedis } from '../test/support/embedded.js'
import { eventually } from '../test/support/eventually.js'
import { createRateLimiter, type RateLimiter } from './rate-limits.js'

function node(t: TestContext, url: string, points: number): RateLimiter & { redis: Redis } {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
  redis.on('error', () => undefined)
  const limiter = createRateLimiter({
    counted: 'address_rate',
    name: 'test',
    limit: { points, durationMs: 60_000 },
    redis,
    redisKeyPrefix: 'test:',
    logger: pino({ level: 'silent' }),
  })
  t.after(() => {
    limiter.close()
    redis.disconnect()
  })
  return Object.assign(limiter, { redis })
}

function isLeft(limiter: RateLimiter): boolean {
  try {
    limiter.check('one')
    return true
  } catch {
    return false
  }
}

describe('a rate limit over two nodes', () => {
  it('counts what the other node has let through', async (t) => {
    const { url } = await testRedis(t)
    const [one, other] = [node(t, url, 10), node(t, url, 10)]
    await eventually(() => one.redis.status === 'ready' && other.redis.status === 'ready')
    for (let call = 0; call < 8; call += 1) one.take('one')
    await eventually(async () => (await one.redis.get('test:limit:test:one')) === '8')
    other.take('one')
    await eventually(async () => (await one.redis.get('test:limit:test:one')) === '9')
    // The other node has heard of the nine by now, or hears of them with the answer that is under way.
    await eventually(() => {
      if (isLeft(other)) other.take('one')
      return !isLeft(other)
    })
    const total = Number(await one.redis.get('test:limit:test:one'))
    assert.ok(total <= 11, `${total} calls were let through of 10`)
  })
})

describe('while Redis takes commands and does not answer', () => {
  it('a limit continues counting, with no more than one command under way for each key', async (t) => {
    const { url, pid } = await testRedis(t)
    const one = node(t, url, 1_000_000)
    await eventually(() => one.redis.status === 'ready')
    one.take('one')
    await eventually(async () => (await one.redis.get('test:limit:test:one')) === '1')
    process.kill(pid, 'SIGSTOP')
    let asked = 0
    const send = one.redis.sendCommand.bind(one.redis)
    one.redis.sendCommand = (...command) => {
      asked += 1
      return send(...command)
    }
    const until = performance.now() + 600
    await eventually(() => {
      one.take('one')
      return performance.now() > until
    })
    assert.equal(asked, 1)
    process.kill(pid, 'SIGCONT')
    await eventually(async () => Number(await one.redis.get('test:limit:test:one')) > 5)
  })
})

describe('while Redis is away', () => {
  it('a limit continues counting on each node, and no call waits or fails', async (t) => {
    const { url, pid } = await testRedis(t)
    const one = node(t, url, 5)
    await eventually(() => one.redis.status === 'ready')
    one.take('one')
    await eventually(async () => (await one.redis.get('test:limit:test:one')) === '1')
    process.kill(pid, 'SIGKILL')
    await eventually(() => one.redis.status !== 'ready')
    for (let call = 0; call < 4; call += 1) one.take('one')
    assert.throws(() => one.take('one'), { code: 'RATE_LIMITED' })
    one.take('another')
  })
})
