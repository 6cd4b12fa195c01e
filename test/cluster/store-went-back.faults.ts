/** Tests what moved, joined or was stored in the time that PostgreSQL has lost. The other numbers of nodes are in the long tests. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { startRig } from './store-rig.js'
import { goesOnAfterRestore, staysAfterJoin, staysAfterRestart } from './store-went-back.js'

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

it('a node that was restarted in the lost window stays, and its shards get an owner again', (t) =>
  staysAfterRestart(t, 1))

it('a node that joined in the lost window stays, and has its share again', (t) => staysAfterJoin(t, 1))

it('PostgreSQL is restored from an older copy under traffic: the nodes notice, say which time is missing, and go on', (t) =>
  goesOnAfterRestore(t, 2))
