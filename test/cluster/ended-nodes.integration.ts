import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startScene, takenOver } from './scene.js'

it('kill -9 of a node under load: its instances are back on the others, callers wait, and nothing is lost', async (t) => {
  const scene = await startScene(t, { everyMs: 500 })
  const [, victim] = scene.cluster.nodes
  assert.ok(victim)
  await victim.kill('SIGKILL')
  await takenOver(scene, victim.name)
  await scene.goesOn(5)
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})
