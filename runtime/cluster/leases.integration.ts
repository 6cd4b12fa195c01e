import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Redis } from 'ioredis'
import { signalProcess } from '../../runtime/embedded/processes.js'
import { testRedis } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { lastingPort } from '../../test/support/port.js'
import { connectRedis } from '../connect/redis.js'
import { redisAt } from '../connect/redis-place.js'
import { connectLeases, createLeases, type Leases } from './leases.js'

const TIMEOUT_MS = 800

async function connect(t: TestContext, url: string): Promise<Redis> {
  const redis = connectLeases(connectRedis(redisAt(url)), TIMEOUT_MS)
  t.after(() => redis.disconnect())
  await eventually(() => redis.status === 'ready')
  return redis
}

async function openLeases(t: TestContext, url: string, incarnation: string, replicas = 0): Promise<Leases> {
  const redis = await connect(t, url)
  return createLeases({ redis, incarnation, keptMs: 60_000, replicas, commandTimeoutMs: TIMEOUT_MS })
}

const STORE = { system: 'one', timeline: 1, era: 1 }

/** Commands that the server has carried out, those of scripts included. */
async function countCommands(redis: Redis): Promise<number> {
  // Bound: 100,000, the statistics of Redis.
  const stats = (await redis.info('commandstats')).matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)
  return [...stats].reduce((sum, [, , calls]) => sum + Number(calls), 0)
}

describe('leases in Redis', () => {
  it('are made, renewed with a growing counter, and read by everyone', async (t) => {
    const { url } = await testRedis(t)
    const [one, two] = [await openLeases(t, url, 'one'), await openLeases(t, url, 'two')]
    assert.equal(await one.renew(1, 1), 'lost')
    assert.equal(await one.create(1), true)
    assert.equal(await one.renew(1, 1), 'renewed')
    assert.equal(await one.renew(1, 1), 'failed')
    assert.equal(await one.renew(1, 5), 'renewed')
    assert.equal(await one.renew(1, 4), 'failed')
    assert.equal(await one.renew(2, 6), 'lost')
    await two.create(7)
    const before = await one.read()
    assert.deepEqual(
      before?.leases.toSorted((a, b) => a.incarnation.localeCompare(b.incarnation)),
      [
        { incarnation: 'one', creation: 1, counter: 5, hasLeft: false },
        { incarnation: 'two', creation: 7, counter: 0, hasLeft: false },
      ],
    )
    await one.create(2)
    assert.equal(await one.renew(1, 9), 'lost')
    await one.markLeft(1)
    await two.markLeft(7)
    const after = await two.read()
    assert.equal(after?.history, before?.history)
    assert.deepEqual(
      new Map(after?.leases.map(({ incarnation, hasLeft }) => [incarnation, hasLeft])),
      new Map([
        ['one', false],
        ['two', true],
      ]),
    )
  })

  it('expire when nobody renews them', async (t) => {
    const { url } = await testRedis(t)
    const redis = await connect(t, url)
    const leases = createLeases({ redis, incarnation: 'one', keptMs: 50, replicas: 0, commandTimeoutMs: TIMEOUT_MS })
    await leases.create(1)
    await eventually(async () => (await leases.read())?.leases.length === 0)
    assert.equal(await redis.exists('{posthorn:cluster}:leases'), 0)
    assert.deepEqual(await redis.hkeys('{posthorn:cluster}:leases:all'), [''])
    assert.equal(await leases.renew(1, 1), 'lost')
  })

  it('take Redis as many commands for each node, however many nodes there are', async (t) => {
    const { url } = await testRedis(t)
    const counter = await connect(t, url)
    const nodes: Leases[] = []
    const ofEachNode: number[] = []
    for (const count of [2, 30]) {
      while (nodes.length < count) {
        const leases = await openLeases(t, url, `node${nodes.length}`)
        await leases.create(1)
        nodes.push(leases)
      }
      await nodes[0]?.read()
      const before = await countCommands(counter)
      // The work of a node in a second.
      for (const leases of nodes) {
        assert.equal(await leases.renew(1, count, STORE), 'renewed')
        await leases.noteStore({ ...STORE, counter: 1, position: 1, epoch: 1 })
        for (let reading = 0; reading < 4; reading += 1) assert.equal((await leases.read())?.leases.length, count)
      }
      ofEachNode.push(((await countCommands(counter)) - before) / count)
    }
    assert.equal(Math.round(ofEachNode[0] ?? 0), Math.round(ofEachNode[1] ?? 0))
    assert.ok((ofEachNode[1] ?? 0) <= 30, `${ofEachNode[1]} commands`)
  })

  it('of nodes of release 0.4 and of this one are seen by both', async (t) => {
    const { url } = await testRedis(t)
    const redis = await connect(t, url)
    const fresh = await openLeases(t, url, 'fresh')
    const former = async (counter: number, ...left: string[]) => {
      await redis.hset('{posthorn:cluster}:lease:former', 'creation', 3, 'counter', counter, ...left)
      await redis.sadd('{posthorn:cluster}:leases', 'former')
    }
    const seen = async () => {
      const leases = (await fresh.read())?.leases ?? []
      return leases.toSorted((a, b) => a.incarnation.localeCompare(b.incarnation))
    }
    await former(1)
    await fresh.create(1)
    await fresh.renew(1, 1)
    const own = { incarnation: 'fresh', creation: 1, counter: 1, hasLeft: false }
    assert.deepEqual(
      await seen(),
      [{ incarnation: 'former', creation: 3, counter: 1, hasLeft: false }, own].toSorted((a, b) =>
        a.incarnation.localeCompare(b.incarnation),
      ),
    )
    await former(2, 'left', '1')
    assert.deepEqual(
      (await seen()).find(({ incarnation }) => incarnation === 'former'),
      { incarnation: 'former', creation: 3, counter: 2, hasLeft: true },
    )
    // A node of 0.4 reads this.
    assert.deepEqual((await redis.smembers('{posthorn:cluster}:leases')).toSorted(), ['former', 'fresh'])
    const asFormer = () => redis.hmget('{posthorn:cluster}:lease:fresh', 'creation', 'counter', 'left')
    assert.deepEqual(await asFormer(), ['1', '1', null])
    await fresh.renew(1, 2)
    await fresh.markLeft(1)
    assert.deepEqual(await asFormer(), ['1', '2', '1'])
    await redis.del('{posthorn:cluster}:lease:former')
    assert.deepEqual(
      (await seen()).map(({ incarnation }) => incarnation),
      ['fresh'],
    )
    assert.deepEqual(await redis.smembers('{posthorn:cluster}:leases'), ['fresh'])
  })

  it('are found again after the hash of all was lost, and keep what their nodes have noted', async (t) => {
    const { url } = await testRedis(t)
    const redis = await connect(t, url)
    const [one, two] = [await openLeases(t, url, 'one'), await openLeases(t, url, 'two')]
    await one.create(1)
    await one.renew(1, 4)
    await two.create(1)
    await two.markLeft(1)
    const before = await one.read()
    await redis.del('{posthorn:cluster}:leases:all')
    const after = await one.read()
    assert.deepEqual(
      new Set(after?.leases.map((lease) => JSON.stringify(lease))),
      new Set(before?.leases.map((lease) => JSON.stringify(lease))),
    )
    assert.notEqual(after?.history, before?.history)
    await two.renew(1, 1)
    assert.equal((await one.read())?.leases.find(({ incarnation }) => incarnation === 'two')?.hasLeft, true)
  })

  it('have another history after a restart, with the data or without, and after a wipe', async (t) => {
    const server = await testRedis(t, { keepsData: true })
    const leases = await openLeases(t, server.url, 'one')
    await leases.create(1)
    const histories = [(await leases.read())?.history]
    for (const empty of [false, true]) {
      await server.kill()
      await server.start({ empty })
      histories.push(
        (
          await eventually(
            () => leases.read().catch(() => null),
            (read) => read !== null,
          )
        )?.history,
      )
    }
    await (await connect(t, server.url)).flushall()
    histories.push((await leases.read())?.history)
    assert.equal(new Set(histories).size, 4, histories.join())
  })

  it('of a server that does not answer fail in time, and are not renewed by a command that arrives late', async (t) => {
    const server = await testRedis(t)
    const leases = await openLeases(t, server.url, 'one')
    await leases.create(1)
    await leases.renew(1, 1)
    await server.kill()
    await assert.rejects(leases.renew(1, 2))
    await assert.rejects(leases.renew(1, 3))
    await server.start({ empty: true })
    const read = await eventually(
      () => leases.read().catch(() => null),
      (now) => now !== null,
    )
    assert.deepEqual(read?.leases, [])

    await leases.create(2)
    signalProcess(server.pid, 'SIGSTOP')
    await assert.rejects(leases.renew(2, 1), /timed out/i)
    signalProcess(server.pid, 'SIGCONT')
  })

  it('count only when the replicas have them', async (t) => {
    const port = await lastingPort()
    const primary = await testRedis(t, { options: ['--port', String(port), '--bind', '127.0.0.1'] })
    const replica = await testRedis(t, { options: ['--replicaof', '127.0.0.1', String(port)] })
    const leases = await openLeases(t, primary.url, 'one', 1)
    await eventually(
      () => leases.create(1).catch(() => false),
      (isMade) => isMade,
    )
    assert.equal(await leases.renew(1, 1), 'renewed')
    assert.equal((await leases.read())?.leases.length, 1)
    await replica.kill()
    await eventually(
      () => leases.renew(1, 2).catch(() => 'thrown'),
      (result) => result !== 'renewed',
    )
    assert.equal(await leases.read().catch(() => null), null)
  })
})
