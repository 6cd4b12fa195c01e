/** Tests what moved, joined or was stored in the time that PostgreSQL has lost. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { hadOneOwner } from './scene.js'
import { startRig } from './store-rig.js'

it('a shard that moved in the lost window gets an owner again', async (t) => {
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
    60_000,
  )
  await rig.postgres.promote({ ways: rig.ways() })
  await rig.healed('failover')
  await rig.stops()
  await rig.sends('after the move')
  hadOneOwner(await rig.logins())
})

it('a node that joined in the lost window stays, and has its share again', async (t) => {
  const rig = await startRig(t, { nodes: 1 })
  rig.postgres.holdBack()
  const joined = await rig.cluster.addNode()
  await rig.cluster.shared(rig.cluster.nodes)
  await rig.postgres.promote({ ways: rig.ways() })
  await rig.healed('failover')
  await rig.cluster.shared(rig.cluster.nodes)
  assert.ok(joined.isRunning)
  await rig.stops()
  await rig.sends('after the join')
  hadOneOwner(await rig.logins())
})

it('an older copy in its place, under traffic: the node notices, says which time is missing, and continues', async (t) => {
  const rig = await startRig(t, { nodes: 1 })
  const [node] = rig.cluster.nodes
  assert.ok(node)
  const putBack = await rig.postgres.first.backup()
  await rig.goesOn(20)
  await rig.postgres.restore(putBack, rig.ways())
  await rig.healed('restore')
  assert.ok(node.isRunning)
  await rig.stops()
  await rig.sends('after the restore')
  const { wentBack } = await rig.store(node)
  assert.ok(Date.parse(wentBack?.lostFrom ?? '') <= Date.parse(wentBack?.lostUntil ?? ''), JSON.stringify(wentBack))
  hadOneOwner(await rig.logins())
})
