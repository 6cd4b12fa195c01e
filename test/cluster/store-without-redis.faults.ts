/** A PostgreSQL that loses commits while Redis is away: the nodes learn of the new era from each other. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { hadOneOwner } from './scene.js'
import { readiness, startRig } from './store-rig.js'

/** No promise: what a busy machine takes. */
const TAKEN_OVER_MS = 90_000

for (const nodes of [1, 2])
  it(`a failover that loses commits while Redis is away: all instances connect again without it (${nodes} nodes)`, async (t) => {
    const rig = await startRig(t, { nodes })
    const before = Math.max(...(await rig.logins()).map(({ epoch }) => Number(epoch)))
    rig.postgres.holdBack()
    await rig.goesOn(3)
    await rig.cluster.redis.kill()
    await rig.postgres.promote({ ways: rig.ways() })
    await rig.healed('failover')
    await rig.goesOn(3)
    for (const { epoch } of (await rig.logins()).slice(-rig.instances.length))
      assert.ok(Number(epoch) > before, `${epoch}`)
    await rig.cluster.redis.start({ empty: true })
    await rig.stops()
    await rig.sends('when Redis is back')
    hadOneOwner(await rig.logins())
  })

for (const whom of ['all', 'that node'] as const)
  it(`an old primary that lives on while Redis is away from ${whom}: the node that uses it serves nothing, and the other one takes over`, async (t) => {
    const places = new Map<string, 'first' | 'second'>()
    const rig = await startRig(t, { at: (node, servers) => servers.readPlace(servers[places.get(node) ?? 'first']) })
    const [stays, moves] = rig.cluster.nodes
    assert.ok(stays && moves)
    rig.postgres.holdBack()
    await rig.goesOn(3)
    if (whom === 'all') await rig.cluster.redis.kill()
    else stays.links.redis.cut()
    places.set(moves.name, 'second')
    await rig.postgres.promote({ oldLivesOn: true, ways: [moves.links.database] })
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
    // Until its node is sure of the new store, it accepts nothing.
    const text = { number: '15552000000', text: 'without Redis' }
    await eventually(
      () => rig.instances[0]?.call('POST', '/send/text', text),
      (answer) => answer?.status === 200,
    )
    // Webhooks wait for it.
    if (whom === 'all') await rig.cluster.redis.start({ empty: true })
    else stays.links.redis.mend()
    await rig.sends('with an old primary, and Redis again')
    const serving = (await rig.logins()).filter(({ endedAtMs }) => endedAtMs === null)
    assert.deepEqual(new Set(serving.map(({ node }) => node)), new Set([moves.name]))
  })
