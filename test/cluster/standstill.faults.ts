import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterNode } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import type { TestInstance } from '../support/world.js'
import { type Scene, startScene, takenOver } from './scene.js'

/** Chooses a node that holds an instance: which one does follows from the hash of the id. */
async function chooseVictim(scene: Scene): Promise<{ victim: ClusterNode; instance: TestInstance }> {
  const [instance] = scene.instances
  const login = (await scene.logins()).findLast(({ device }) => device.startsWith(`${instance?.number}:`))
  const victim = scene.cluster.nodes.find(({ name }) => name === login?.node)
  assert.ok(instance && victim)
  return { victim, instance }
}

/** Starts calls that the node carries out for an instance of its own, and that last. */
async function startCalls(scene: Scene, node: ClusterNode, { token }: TestInstance) {
  const peer = '15552009999'
  await scene.cluster.phone(peer)
  const send = (text: string, delay: number) =>
    node.call('POST', '/send/text', { token, body: { number: peer, text, delay } })
  const answers = [send('held for long', 60_000), send('held behind it', 1)]
  await eventually(
    async () => (await node.call<{ instance: unknown }>('GET', '/instance/status', { token })).status === 200,
  )
  return answers
}

it('a node that stands still for three leases is replaced, and lets nothing out when it wakes', async (t) => {
  const scene = await startScene(t)
  const { victim, instance } = await chooseVictim(scene)
  const answers = await startCalls(scene, victim, instance)
  process.kill(victim.pid, 'SIGSTOP')
  // The kernel takes it, and the node reads it when it wakes.
  answers.push(victim.call('GET', '/instance/status', { token: instance.token }))
  await takenOver(scene, victim.name)
  await pause(8_000)
  process.kill(victim.pid, 'SIGCONT')
  await eventually(
    () => victim.output(),
    (output) => output.includes('The other nodes have declared this one dead'),
  )
  for (const { status, headers, body } of await Promise.all(answers)) {
    assert.ok([200, 503, 504].includes(status), `${status}: ${JSON.stringify(body)}`)
    if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0)
    if (status === 504) assert.equal((body as { code: string }).code, 'OUTCOME_UNKNOWN')
  }
  await victim.kill()
  await victim.start()
  await scene.cluster.shared(scene.cluster.nodes)
  await scene.goesOn(3)
  await scene.ends()
})
