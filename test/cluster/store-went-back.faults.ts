/** Tests what moved, joined or was stored in the time that PostgreSQL has lost. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { startRig } from './store-rig.js'

it('a shard that was drained in the lost window gets an owner again', async (t) => {
  const rig = await startRig(t)
  const [first, second] = rig.cluster.nodes
  assert.ok(first && second)
  rig.postgres.holdBack()
  // All shards move to the first node, and the standby knows nothing of it.
  const drained = await first.call('POST', `/admin/nodes/${second.name}/drain`, { admin: true, body: {} })
  assert.equal(drained.status, 200, JSON.stringify(drained.body))
  await eventually(
    () => rig.cluster.shards(),
    (shards) => shards[first.name] === 256,
  )
  await rig.postgres.promote({ ways: rig.ways() })
  await rig.healed('failover')
  await rig.stops()
  await rig.sends('after the move')
})

for (const nodes of [1, 2])
  it(`a node that was restarted in the lost window stays, and its shards get an owner again (${nodes} nodes)`, async (t) => {
    const rig = await startRig(t, { nodes })
    const [restarted] = rig.cluster.nodes
    assert.ok(restarted)
    rig.postgres.holdBack()
    await restarted.kill('SIGTERM')
    await restarted.start()
    await rig.cluster.shared(rig.cluster.nodes)
    await rig.postgres.promote({ ways: rig.ways() })
    await rig.healed('failover')
    assert.ok(restarted.isRunning)
    await rig.stops()
    await rig.sends('after the restart')
  })

for (const nodes of [1, 2])
  it(`a node that joined in the lost window stays, and has its share again (beside ${nodes} nodes)`, async (t) => {
    const rig = await startRig(t, { nodes })
    rig.postgres.holdBack()
    const joined = await rig.cluster.addNode()
    await rig.cluster.shared(rig.cluster.nodes)
    await rig.postgres.promote({ ways: rig.ways() })
    await rig.healed('failover')
    await rig.cluster.shared(rig.cluster.nodes)
    assert.ok(joined.isRunning)
    await rig.stops()
    await rig.sends('after the join')
  })

for (const nodes of [1, 2])
  it(`an older copy in its place, under traffic: the nodes notice, say which time is missing, and go on (${nodes} nodes)`, async (t) => {
    const rig = await startRig(t, { nodes })
    const putBack = await rig.postgres.first.backup()
    await rig.goesOn(8)
    await rig.postgres.restore(putBack, rig.ways())
    await rig.healed('restore')
    await rig.stops()
    await rig.sends('after the restore')
    for (const node of rig.cluster.nodes) {
      assert.ok(node.isRunning)
      const { wentBack } = await rig.store(node)
      assert.ok(Date.parse(wentBack?.lostFrom ?? '') <= Date.parse(wentBack?.lostUntil ?? ''), JSON.stringify(wentBack))
    }
  })
