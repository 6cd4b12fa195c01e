import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { redisProcess } from '../support/redis-sets.js'
import { awayMs, startScene, takenOver } from './scene.js'

it('Redis emptied, killed and paused: no connection drops, and nothing is claimed', async (t) => {
  const scene = await startScene(t)
  const before = await scene.cluster.shards()
  const logins = (await scene.logins()).length
  const { redis } = scene.cluster
  const client = new Redis(redis.url)
  t.after(() => client.disconnect())
  client.on('error', () => {})
  await client.flushall()
  await pause(6_000)
  await scene.goesOn(3)
  await redis.kill()
  await pause(awayMs(12_000))
  await scene.goesOn(3)
  await redis.start({ empty: true })
  await pause(6_000)
  process.kill(redis.pid, 'SIGSTOP')
  await pause(awayMs(8_000))
  process.kill(redis.pid, 'SIGCONT')
  await pause(6_000)
  await scene.goesOn(3)
  assert.deepEqual(await scene.cluster.shards(), before)
  assert.equal((await scene.logins()).length, logins)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})

it('a stale replica of Redis is promoted: no connection drops, and nothing is claimed', async (t) => {
  const primary = await redisProcess(t)
  const replica = await redisProcess(t, ['--replicaof', `127.0.0.1 ${primary.port}`])
  let current = primary
  const scene = await startScene(t, {
    redisAt: () => ({ host: '127.0.0.1', port: current.port }),
    env: { REDIS_REPLICAS: '1' },
  })
  const shards = await scene.cluster.shards()
  const logins = (await scene.logins()).length
  // From now on it gets nothing from the primary.
  await replica.ask((redis) => redis.replicaof('NO', 'ONE'))
  await pause(8_000)
  await scene.goesOn(3)
  current = replica
  await primary.kill()
  await pause(8_000)
  await scene.goesOn(3)
  await redisProcess(t, ['--replicaof', `127.0.0.1 ${replica.port}`])
  await scene.goesOn(3)
  assert.deepEqual(await scene.cluster.shards(), shards)
  assert.equal((await scene.logins()).length, logins)
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  await victim.kill('SIGKILL')
  await takenOver(scene, victim.name)
  await scene.goesOn(3)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})
