import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { startScene, takenOver } from './scene.js'

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
