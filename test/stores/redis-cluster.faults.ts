import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../runtime/config.js'
import { type RedisPlace, redisPlace } from '../../runtime/connect/redis-place.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type RedisCluster, redisCluster } from '../support/redis-sets.js'
import { redisUsers } from './redis-users.js'

/** A key of each slot that something of the program is bound to. */
const KEYS = { leases: '{posthorn:cluster}', queues: '{posthorn:queues:a}', hints: '{posthorn}:hints' }

function readPlace({ nodes }: RedisCluster): RedisPlace {
  const place = redisPlace(readConfig({ REDIS_CLUSTER_NODES: nodes, REDIS_ANSWER_MAX_MS: '1000' }).redis)
  assert.ok(place !== undefined)
  return place
}

describe('on a Redis Cluster', () => {
  const cleanup = suiteCleanup()
  let made: Promise<RedisCluster> | undefined
  const shared = () => (made ??= redisCluster(cleanup))

  it('leases, hints, jobs and rate limits work, on several primaries', async (t) => {
    const cluster = await shared()
    const users = await redisUsers(t, readPlace(cluster))
    await users.allWork()
    assert.deepEqual(users.warnings, [])
    const primaries = await Promise.all(
      [...Object.values(KEYS), '{posthorn:queues:b}'].map(async (key) => (await cluster.of(key)).primary.port),
    )
    assert.ok(new Set(primaries).size > 1, 'the test would not see a command that goes to the wrong one')
  })

  it('they continue when a primary gives its slots to its replica', async (t) => {
    const cluster = await shared()
    const users = await redisUsers(t, readPlace(cluster))
    await users.allWork()
    for (const key of Object.values(KEYS)) {
      const { primary, replica } = await cluster.of(key)
      await replica.ask((redis) => redis.cluster('FAILOVER'))
      await eventually(
        async () => (await cluster.of(key).catch(() => undefined))?.replica,
        (now) => now === primary,
      )
      // At once, not when it is looked at next.
      await users.allWork(10_000)
    }
  })

  for (const how of ['dies', 'hangs'] as const)
    it(`they continue when a primary ${how}`, async (t) => {
      const cluster = await shared()
      const users = await redisUsers(t, readPlace(cluster))
      await users.allWork()
      const { primary } = await cluster.of(KEYS.leases)
      if (how === 'dies') await primary.kill()
      else primary.pause()
      assert.ok((await users.failing()).includes('leases'), 'they were there')
      await users.allWork(12_000)
      if (how === 'dies') await primary.start()
      else primary.resume()
      await eventually(
        async () => (await cluster.of(KEYS.leases).catch(() => undefined))?.replica,
        (now) => now === primary,
        30_000,
      )
      await users.allWork()
    })

  it('a lease counts when the replica of its own primary has it, whatever the other replicas have', async (t) => {
    const cluster = await shared()
    const { leases } = await redisUsers(t, readPlace(cluster), { replicas: 1 })
    await eventually(() => leases.create(1).catch(() => false))
    let counter = 0
    const renew = async () => {
      counter += 1
      return await leases.renew(1, counter).catch(() => 'failed')
    }
    // The replica may still be reading what it has missed.
    await eventually(renew, (result) => result === 'renewed', 30_000)
    const shard = await eventually(() => cluster.of(KEYS.leases).catch(() => undefined))
    shard?.replica.pause()
    assert.notEqual(await renew(), 'renewed')
    assert.equal(await leases.read().catch(() => null), null)
    shard?.replica.resume()
  })
})
