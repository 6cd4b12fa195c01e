import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startChosenBalancer } from '../support/balancer.js'
import type { ClusterNode } from '../support/cluster.js'
import { startScene, takenOver } from './scene.js'

it('a roll-out that starts each new node before an old one leaves: no call fails, and each instance moves once', async (t) => {
  const scene = await startScene(t, { balancer: startChosenBalancer })
  const { cluster } = scene
  const before = (await scene.logins()).length
  const old = [...cluster.nodes]
  const fresh: ClusterNode[] = []
  for (const node of old) {
    fresh.push(await cluster.addNode({ NODE_REVISION: '1' }))
    await node.kill('SIGTERM')
    await takenOver(scene, node.name)
    await scene.goesOn(3)
  }
  await cluster.shared(fresh)
  await scene.goesOn(3)
  assert.deepEqual(scene.failed(), {})
  assert.equal((await scene.logins()).length - before, scene.instances.length)
  assert.equal(await cluster.balancer.troubles(), 0)
  await scene.ends()
})
