import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startScene, takenOver } from './scene.js'

it('a rolling restart under load: no call fails, nothing is lost, and each instance moves once per node that leaves', async (t) => {
  const scene = await startScene(t)
  const { cluster } = scene
  const before = (await scene.logins()).length
  for (const node of cluster.nodes) {
    await node.kill('SIGTERM')
    await takenOver(scene, node.name)
    await node.start()
    await cluster.shared(cluster.nodes)
    await scene.goesOn(3)
  }
  assert.deepEqual(scene.failed(), {})
  const moves = (await scene.logins()).length - before
  // A third leaves with each node, and a third comes to it again.
  assert.ok(moves <= 2 * scene.instances.length + 3, `${moves} logins`)
  // A node is left before it goes: nothing was asked of it in vain.
  assert.equal(await cluster.balancer.troubles(), 0)
  await scene.ends()
})
