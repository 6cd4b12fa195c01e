import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Redis } from 'ioredis'
import { pino } from 'pino'
import { testRedis } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { connectRedis } from '../connect/redis.js'
import { redisAt } from '../connect/redis-place.js'
import { createReceiverStates, mergedState } from './receiver-states.js'

const log = pino({ level: 'silent' })
const HOOK = 'https://receiver.example/hook?key=secret'
const OTHER = 'https://receiver.example/other'
const CLOSED = { state: 'closed', since: null, nextAttemptAt: null }

async function connect(t: TestContext, url: string): Promise<Redis> {
  const redis = connectRedis(redisAt(url)).toAllSlots(log) as Redis
  t.after(() => redis.disconnect())
  await eventually(() => redis.status === 'ready')
  return redis
}

describe('the states of receivers', () => {
  it('are those of all nodes, and end with the last node that leaves a receiver alone', async (t) => {
    const { url } = await testRedis(t)
    const redis = await connect(t, url)
    const [one, two] = ['one', 'two'].map((incarnation) => createReceiverStates({ redis, incarnation, log }))
    assert.ok(one !== undefined && two !== undefined)
    assert.deepEqual(await two.read([HOOK, OTHER]), [CLOSED, CLOSED])

    const nowMs = Date.now()
    one.note(HOOK, { state: 'open', sinceMs: nowMs - 1_000, nextProbeMs: nowMs + 5_000 })
    two.note(HOOK, { state: 'half_open', sinceMs: nowMs - 500, nextProbeMs: nowMs + 9_000 })
    const both = { state: 'half_open', since: new Date(nowMs - 1_000), nextAttemptAt: new Date(nowMs + 5_000) }
    const look = async () => (await two.read([HOOK]))[0]
    assert.deepEqual(
      await eventually(
        look,
        (read) => read?.state === 'half_open' && read.since !== null && read.since.getTime() === nowMs - 1_000,
      ),
      both,
    )
    assert.deepEqual(await one.read([OTHER]), [CLOSED])
    const keys = await redis.keys('*receiver*')
    assert.equal(keys.length, 1)
    assert.ok(
      keys.every((key) => !key.includes('secret')),
      'the address is hidden',
    )
    assert.ok((await redis.pttl(keys[0] ?? '')) > 0, 'the note ends by itself')

    two.note(HOOK, { state: 'closed' })
    await two.close()
    assert.equal((await one.read([HOOK]))[0]?.state, 'open')
    one.note(HOOK, { state: 'closed' })
    await one.close()
    assert.deepEqual(await two.read([HOOK]), [CLOSED])
    one.note(HOOK, { state: 'open', sinceMs: nowMs, nextProbeMs: nowMs + 5_000 })
    assert.deepEqual(await two.read([HOOK]), [CLOSED], 'a node that ends notes nothing more')
  })

  it('are unknown while Redis is away', async (t) => {
    const { url } = await testRedis(t)
    const redis = await connect(t, url)
    const states = createReceiverStates({ redis, incarnation: 'one', log })
    redis.disconnect()
    await eventually(() => redis.status !== 'ready')
    states.note(HOOK, { state: 'closed' })
    assert.deepEqual(await states.read([HOOK]), [null])
    await states.close()
  })

  it('forget the note of a node that has gone long after its next attempt was due', () => {
    const note = { state: 'open', sinceMs: 1_000, nextProbeMs: 5_000 } as const
    assert.equal(mergedState([note], 60_000).state, 'open')
    assert.deepEqual(mergedState([note], 70_000), CLOSED)
  })
})
