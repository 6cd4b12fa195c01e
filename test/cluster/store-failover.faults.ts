/** Failovers of PostgreSQL under clusters with traffic, with and without a loss. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Cleanup } from '../support/cleanup.js'
import type { ClusterNode } from '../support/cluster.js'
import { hadOneOwner, type Scene } from './scene.js'
import { startRig } from './store-rig.js'

/** A call succeeds within this time after a promotion that lost nothing. */
const FIRST_SUCCESS_MS = 5_000

for (const nodes of [1, 2])
  it(`a failover that loses no commit: nothing is lost, doubled or out of order, and calls succeed within 5 s (${nodes} nodes)`, async (t) => {
    const rig = await startRig(t, { nodes })
    await rig.postgres.setSynchronous()
    await rig.goesOn(5)
    await rig.postgres.promote({ ways: rig.ways() })
    await rig.goesOn(1, FIRST_SUCCESS_MS)
    await rig.goesOn(5)
    for (const node of rig.cluster.nodes) assert.deepEqual(await rig.store(node), { state: 'current', wentBack: null })
    await rig.ends()
  })

for (const nodes of [1, 2])
  it(`a failover that loses commits: every node notices, and all instances connect again under higher epochs (${nodes} nodes)`, async (t) => {
    const rig = await startRig(t, { nodes })
    const [node] = rig.cluster.nodes
    assert.ok(node)
    const stream = await startAdminStream(t, node)
    const before = Math.max(...(await rig.logins()).map(({ epoch }) => Number(epoch)))
    await rig.goesOn(5)
    rig.postgres.holdBack()
    const heldBackAtMs = Date.now()
    await rig.goesOn(8)
    const lostUntilMs = Date.now()
    await rig.postgres.promote({ ways: rig.ways() })
    await rig.healed('failover')
    await rig.stops()
    await rig.sends('after the failover')
    hadOneOwner(await rig.logins())
    for (const [device, epoch] of newestEpochs(await rig.logins())) assert.ok(epoch > before, `${device}: ${epoch}`)
    const { wentBack } = await rig.store(node)
    const from = Date.parse(wentBack?.lostFrom ?? '')
    const until = Date.parse(wentBack?.lostUntil ?? '')
    assert.ok(from <= heldBackAtMs + 1_000 && from > heldBackAtMs - 10_000, `${wentBack?.lostFrom}`)
    assert.ok(until > heldBackAtMs && until < lostUntilMs + 10_000, `${wentBack?.lostUntil}`)
    assert.match(stream(), /event: store\ndata: \{"era":2,"cause":"failover"/)
    assert.ok(rig.cluster.nodes.every((one) => one.output().includes('The store went back in time')))
    const { text } = await readMetrics(node)
    assert.match(text, /posthorn_store_went_back_total\{cause="failover"\} 1/)
  })

async function readMetrics(node: ClusterNode): Promise<{ text: string }> {
  return { text: await (await fetch(`${node.url}/metrics`)).text() }
}

function newestEpochs(logins: Awaited<ReturnType<Scene['logins']>>): Map<string, number> {
  return new Map(logins.map(({ device, epoch }) => [device, Number(epoch)]))
}

/** Returns what the stream of an administrator has said so far. */
async function startAdminStream(t: Cleanup, node: ClusterNode): Promise<() => string> {
  const ending = new AbortController()
  t.after(() => ending.abort())
  const response = await fetch(`${node.url}/sse`, {
    headers: { admintoken: node.adminToken },
    signal: ending.signal,
  })
  assert.equal(response.status, 200)
  let text = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true })
  })().catch(() => {})
  return () => text
}
