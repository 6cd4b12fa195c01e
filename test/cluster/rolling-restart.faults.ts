import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startChosenBalancer } from '../support/balancer.js'
import { type Login, startScene, takenOver } from './scene.js'

it('a rolling restart under load: no call fails, nothing is lost, and each instance moves once per node that leaves', async (t) => {
  const scene = await startScene(t, { balancer: startChosenBalancer })
  const { cluster } = scene
  let before = await scene.logins()
  for (const node of cluster.nodes) {
    await node.kill('SIGTERM')
    await takenOver(scene, node.name)
    await node.start()
    await cluster.shared(cluster.nodes)
    await scene.goesOn(3)
    const after = await scene.logins()
    for (const device of new Set(before.map((login) => login.device))) {
      const [from] = wayOf(device, before).slice(-1)
      const way = wayOf(device, after.slice(before.length), from)
      // To the node that came again, from wherever it was.
      if (way.at(-1) === node.name && way.length > 1) way.pop()
      assert.equal(way.length, from === node.name ? 2 : 1, `${device} went by ${way.join(', ')} when ${node.name} left`)
    }
    before = after
  }
  assert.deepEqual(scene.failed(), {})
  // A node is left before it goes: nothing was asked of it in vain.
  assert.equal(await cluster.balancer.troubles(), 0)
  await scene.ends()
})

/** The nodes that had it, one after the other. */
function wayOf(device: string, logins: readonly Login[], from?: string): string[] {
  const way = from === undefined ? [] : [from]
  for (const login of logins)
    if (login.device === device && login.node !== null && login.node !== way.at(-1)) way.push(login.node)
  return way
}
