/** Failovers of PostgreSQL under clusters with traffic: with and without a loss, an old primary that lives on, a standby that hangs. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cleanup } from '../support/cleanup.js'
import type { ClusterNode } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { hadOneOwner, type Scene } from './scene.js'
import { readiness, startRig } from './store-rig.js'

/** A call succeeds within this time after a promotion that lost nothing. */
const FIRST_SUCCESS_MS = 5_000
/** No promise: what a busy machine takes. */
const TAKEN_OVER_MS = 90_000

it('a failover that loses no commit: nothing is lost, doubled or out of order, and calls succeed within 5 s', async (t) => {
  const rig = await startRig(t)
  await rig.postgres.setSynchronous()
  await rig.goesOn(10)
  await rig.postgres.promote({ ways: rig.ways() })
  await rig.goesOn(1, FIRST_SUCCESS_MS)
  await rig.goesOn(10)
  for (const node of rig.cluster.nodes) assert.deepEqual(await rig.store(node), { state: 'current', wentBack: null })
  await rig.ends()
})

it('a failover that loses commits: every node notices, and all instances connect again under higher epochs', async (t) => {
  const rig = await startRig(t)
  const [node] = rig.cluster.nodes
  assert.ok(node)
  const stream = await startAdminStream(t, node)
  const before = Math.max(...(await rig.logins()).map(({ epoch }) => Number(epoch)))
  await rig.goesOn(10)
  rig.postgres.holdBack()
  const heldBackAtMs = Date.now()
  await rig.goesOn(20)
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
  const { text } = await metricsOf(node)
  assert.match(text, /posthorn_store_went_back_total\{cause="failover"\} 1/)
})

it('an old primary that lives on: the node that uses it serves nothing, and the other one takes over', async (t) => {
  const places = new Map<string, 'first' | 'second'>()
  const rig = await startRig(t, { at: (node, servers) => servers.placeOf(servers[places.get(node) ?? 'first']) })
  const [stays, moves] = rig.cluster.nodes
  assert.ok(stays && moves)
  await rig.goesOn(5)
  places.set(moves.name, 'second')
  await rig.postgres.promote({ oldLivesOn: true, ways: [moves.links.database] })
  // Whether it ends or waits: it takes no calls.
  await eventually(
    () => readiness(stays),
    (status) => status !== 200,
  )
  await eventually(
    () => rig.cluster.shards(),
    (shards) => shards[moves.name] === 256,
    TAKEN_OVER_MS,
  )
  await Promise.all(rig.instances.map((instance) => instance.connected(TAKEN_OVER_MS)))
  await rig.stops()
  await rig.sends('with an old primary')
  const serving = (await rig.logins()).filter(({ endedAtMs }) => endedAtMs === null)
  assert.deepEqual(new Set(serving.map(({ node }) => node)), new Set([moves.name]))
  hadOneOwner(await rig.logins())
})

it('a synchronous standby that hangs: no node that writes is ready within 5 s, sends are refused in time, and nothing is lost', async (t) => {
  const rig = await startRig(t, { env: { SEND_ACK_TIMEOUT_MS: '3000' } })
  await rig.postgres.setSynchronous()
  await rig.goesOn(5)
  const [node] = rig.cluster.nodes
  const [instance] = rig.instances
  assert.ok(node && instance)
  const serving = (await rig.logins()).filter(({ endedAtMs }) => endedAtMs === null)
  const owners = rig.cluster.nodes.filter(({ name }) => serving.some((login) => login.node === name))
  assert.ok(owners.length > 0)
  rig.postgres.holdBack()
  await pause(1_000)
  const startedMs = performance.now()
  const body = { number: '15552000000', text: 'while it hangs' }
  const sent = node.call<{ code: string }>('POST', '/send/text', { token: instance.token, body })
  await eventually(
    () => Promise.all(owners.map(readiness)),
    (all) => all.every((status) => status === 503),
    6_000,
  )
  const { status, body: answer } = await sent
  const tookMs = performance.now() - startedMs
  assert.ok([503, 504].includes(status), JSON.stringify(answer))
  assert.ok(tookMs < 6_000, `${tookMs} ms`)
  await rig.postgres.follow()
  await eventually(
    () => Promise.all(rig.cluster.nodes.map(readiness)),
    (all) => all.every((now) => now === 200),
  )
  await rig.goesOn(5)
  await rig.ends()
})

async function metricsOf(node: ClusterNode): Promise<{ text: string }> {
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
