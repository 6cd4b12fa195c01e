import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startScene, takenOver } from './scene.js'

it('a process that is restarted in place has its own back, and nothing moves', async (t) => {
  // However slow the start is, the others do not find it dead before.
  const scene = await startScene(t, { env: { CLUSTER_LEASE_MS: '60000', CLUSTER_LEASE_KEPT_MS: '120000' } })
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  const before = await scene.cluster.shards()
  const nodesBefore = new Map((await scene.logins()).map(({ device, node }) => [device, node]))
  await victim.kill('SIGKILL')
  await victim.start()
  assert.deepEqual(await scene.cluster.shards(), before)
  await scene.goesOn(3)
  assert.deepEqual(new Map((await scene.logins()).map(({ device, node }) => [device, node])), nodesBefore)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})

it('an uncaught error: the sockets end first, and the other nodes do not wait for the lease', async (t) => {
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
  await scene.goesOn(3)
  // The calls that it held are answered and not cut; their callers asked again.
  for (const status of Object.keys(scene.failed())) assert.ok(['503', '504'].includes(status), status)
  await scene.ends()
})
