import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startScene } from './scene.js'

it('a node that joins under load takes its part, and no call fails', async (t) => {
  const scene = await startScene(t, { nodes: 2 })
  const before = (await scene.logins()).length
  const { name } = await scene.cluster.addNode()
  await scene.cluster.shared(scene.cluster.nodes)
  await scene.goesOn(3)
  const logins = await scene.logins()
  // Only those moved that live there now, and once.
  assert.deepEqual(
    logins.slice(before).map(({ node }) => node),
    [...new Map(logins.map(({ device, node }) => [device, node])).values()].filter((node) => node === name),
  )
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})
