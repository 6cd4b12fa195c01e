import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { eventually } from '../support/eventually.js'
import { redisProcess } from '../support/redis-sets.js'
import { startScene, takenOver } from './scene.js'

it('kill -9 of a node under load: its instances are back on the others, callers wait, and nothing is lost', async (t) => {
  const scene = await startScene(t)
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  await victim.kill('SIGKILL')
  await takenOver(scene, victim.name)
  await scene.goesOn(5)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})

it('a process that is restarted in place has its own back, and nothing moves', async (t) => {
  const scene = await startScene(t)
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  const before = await scene.cluster.shards()
  const nodesBefore = new Map((await scene.logins()).map(({ device, node }) => [device, node]))
  await victim.kill('SIGKILL')
  await victim.start()
  assert.deepEqual(await scene.cluster.shards(), before)
  await scene.goesOn(5)
  assert.deepEqual(new Map((await scene.logins()).map(({ device, node }) => [device, node])), nodesBefore)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})

it('a node that stands still for three leases is replaced, and lets nothing out when it wakes', async (t) => {
  const scene = await startScene(t)
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  process.kill(victim.pid, 'SIGSTOP')
  await takenOver(scene, victim.name)
  await pause(8_000)
  process.kill(victim.pid, 'SIGCONT')
  await eventually(
    () => victim.output(),
    (output) => output.includes('The other nodes have declared this one dead'),
  )
  await victim.kill()
  await victim.start()
  await scene.cluster.shared(scene.cluster.nodes)
  await scene.goesOn(5)
  await scene.ends()
})

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
  await scene.goesOn(5)
  await redis.kill()
  await pause(12_000)
  await scene.goesOn(5)
  await redis.start({ empty: true })
  await pause(6_000)
  process.kill(redis.pid, 'SIGSTOP')
  await pause(8_000)
  process.kill(redis.pid, 'SIGCONT')
  await pause(6_000)
  await scene.goesOn(5)
  assert.deepEqual(await scene.cluster.shards(), before)
  assert.equal((await scene.logins()).length, logins)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})

it('an error that nobody has caught: the sockets end first, and the others need not wait for the lease', async (t) => {
  const scene = await startScene(t, {
    env: {
      // Nobody could wait so long.
      CLUSTER_LEASE_MS: '120000',
      CLUSTER_LEASE_KEPT_MS: '240000',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('process.on("SIGUSR2",()=>{throw new Error("planted")})')}`,
    },
  })
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  process.kill(victim.pid, 'SIGUSR2')
  await takenOver(scene, victim.name)
  await scene.goesOn(5)
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
  // From now on it knows nothing of what the primary is told.
  await replica.ask((redis) => redis.replicaof('NO', 'ONE'))
  await pause(8_000)
  await scene.goesOn(5)
  current = replica
  await primary.kill()
  await pause(8_000)
  await scene.goesOn(5)
  await redisProcess(t, ['--replicaof', `127.0.0.1 ${replica.port}`])
  await scene.goesOn(5)
  assert.deepEqual(await scene.cluster.shards(), shards)
  assert.equal((await scene.logins()).length, logins)
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  await victim.kill('SIGKILL')
  await takenOver(scene, victim.name)
  await scene.goesOn(5)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})
