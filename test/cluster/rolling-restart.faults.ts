import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startChosenBalancer } from '../support/balancer.js'
import type { TestInstance } from '../support/world.js'
import { scheduleEachSecond, startCampaignTraffic, UNPACED } from './campaign-traffic.js'
import { type Login, startScene, takenOver } from './scene.js'

it('a rolling restart under load: no call fails, nothing is lost, campaigns and scheduled messages continue, and each instance moves once per node that leaves', async (t) => {
  const scene = await startScene(t, { balancer: startChosenBalancer, env: UNPACED })
  const { cluster } = scene
  const [ana, ben] = scene.instances as [TestInstance, TestInstance]
  const peers = ['15553000001', '15553000002', '15553000003']
  for (const peer of peers) await cluster.phone(peer)
  const campaign = await startCampaignTraffic(cluster, ana, { peers, label: 'rolling', count: 15, pauseSeconds: 1 })
  const scheduled = await scheduleEachSecond(cluster, ben, { peer: '15553000001', label: 'scheduled', count: 12 })
  let before = await scene.logins()
  for (const node of cluster.nodes) {
    await node.kill('SIGTERM')
    await takenOver(scene, node.name)
    await node.start()
    await cluster.shared(cluster.nodes)
    await scene.goesOn(3)
    const after = await scene.logins()
    for (const device of new Set(before.map((login) => login.device))) {
      const [from] = describeWay(device, before).slice(-1)
      const way = describeWay(device, after.slice(before.length), from)
      // To the node that came again, from wherever it was.
      if (way.at(-1) === node.name && way.length > 1) way.pop()
      assert.equal(way.length, from === node.name ? 2 : 1, `${device} went by ${way.join(', ')} when ${node.name} left`)
    }
    before = after
  }
  assert.deepEqual(scene.failed(), {})
  // A node is left before it goes: nothing was asked of it in vain.
  assert.equal(await cluster.balancer.troubles(), 0)
  await scheduled(30_000)
  await campaign.hasArrived(30_000)
  await scene.ends()
})

/** The nodes that had it, one after the other. */
function describeWay(device: string, logins: readonly Login[], from?: string): string[] {
  const way = from === undefined ? [] : [from]
  for (const login of logins)
    if (login.device === device && login.node !== null && login.node !== way.at(-1)) way.push(login.node)
  return way
}
