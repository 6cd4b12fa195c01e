/** Cases of a PostgreSQL that loses its last seconds, for clusters of one node and of two. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startRig } from './store-rig.js'

/** A node that was restarted in the lost window stays, and its shards get an owner again. */
export async function staysAfterRestart(t: TestContext, nodes: number): Promise<void> {
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
}

/** A node that joined in the lost window, beside these, stays and has its share again. */
export async function staysAfterJoin(t: TestContext, nodes: number): Promise<void> {
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
}

/** PostgreSQL is restored from an older copy under traffic: the nodes notice, say which time is missing, and go on. */
export async function goesOnAfterRestore(t: TestContext, nodes: number): Promise<void> {
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
}
