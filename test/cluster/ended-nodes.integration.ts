import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ARRIVED_WITHIN_MS, startCampaignTraffic, UNPACED } from './campaign-traffic.js'
import { startScene, takenOver } from './scene.js'

it('kill -9 of a node under load: its instances are back on the others, callers wait, and nothing is lost, nor sent twice by their campaigns', async (t) => {
  const scene = await startScene(t, { env: UNPACED })
  const { cluster } = scene
  const [, victim] = cluster.nodes
  assert.ok(victim)
  const peers = ['15553000001', '15553000002', '15553000003']
  for (const peer of peers) await cluster.phone(peer)
  const plan = { peers, count: 20, typingMs: 100 }
  const starts = scene.instances.map((instance, index) =>
    startCampaignTraffic(cluster, instance, { ...plan, label: `campaign ${index}` }),
  )
  const campaigns = await Promise.all(starts)
  await victim.kill('SIGKILL')
  await takenOver(scene, victim.name)
  await scene.goesOn(3)
  assert.deepEqual(scene.failed(), {})
  for (const campaign of campaigns) await campaign.hasArrived(ARRIVED_WITHIN_MS)
  await scene.ends()
})
