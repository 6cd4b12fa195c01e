import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startScene } from './scene.js'

it('a node that joins under load takes its part, and no call fails', async (t) => {
  const scene = await startScene(t, { nodes: 2 })
  const before = (await scene.logins()).length
  await scene.cluster.addNode()
  await scene.cluster.shared(scene.cluster.nodes)
  const moved = (await scene.logins()).length - before
  assert.ok(moved <= Math.ceil(scene.instances.length / 3) + 2, `${moved} logins`)
  await scene.goesOn(5)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})
