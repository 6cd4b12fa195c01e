/** A PostgreSQL that stands in the way: an old primary that lives on beside the new one, and a synchronous standby that hangs. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { hadOneOwner } from './scene.js'
import { readiness, startRig } from './store-rig.js'

/** No promise: what a busy machine takes. */
const TAKEN_OVER_MS = 90_000

it('an old primary that lives on: a node that goes on with it for a while follows the switch, and heals', async (t) => {
  const rig = await startRig(t, { nodes: 1 })
  await rig.goesOn(3)
  // Connections that are open stay at the old primary, and further ones reach the new one.
  await rig.postgres.promote({ oldLivesOn: true })
  await rig.goesOn(3)
  for (const way of rig.ways()) {
    way.cut()
    way.mend()
  }
  await rig.healed('failover')
  await rig.stops()
  await rig.sends('after the switch')
})

it('an old primary that lives on: the node that uses it serves nothing, and the other one takes over', async (t) => {
  const places = new Map<string, 'first' | 'second'>()
  const rig = await startRig(t, { at: (node, servers) => servers.readPlace(servers[places.get(node) ?? 'first']) })
  const [stays, moves] = rig.cluster.nodes
  assert.ok(stays && moves)
  await rig.goesOn(3)
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

for (const nodes of [1, 2])
  it(`a synchronous standby that hangs: no node that writes is ready within 5 s, sends are refused in time, and nothing is lost (${nodes} nodes)`, async (t) => {
    const rig = await startRig(t, { nodes, env: { SEND_ACK_TIMEOUT_MS: '3000' } })
    await rig.postgres.setSynchronous()
    await rig.goesOn(3)
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
    await rig.goesOn(3)
    await rig.ends()
  })
