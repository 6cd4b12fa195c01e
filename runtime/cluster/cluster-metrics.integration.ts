import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { eventually } from '../../test/support/eventually.js'
import {
  lockNodes,
  lockShards,
  type NodeGiven,
  startNodesScene,
  type TestNode,
  timing,
} from '../../test/support/nodes.js'
import { createClusterMetrics, createLoginMetrics } from './cluster-metrics.js'

// Own processors: the nodes in it lose their leases when they are slow.

type Figure = (name: string) => Promise<number | undefined>

async function scene(t: TestContext) {
  const given = await startNodesScene(t)
  async function startMeasured(name: string, options: NodeGiven = {}): Promise<TestNode & { figure: Figure }> {
    const registry = new Registry()
    let made: TestNode | undefined
    const metrics = createClusterMetrics(registry, {
      node: () => made?.node,
      lease: () => made?.lease,
      store: () => undefined,
      isHearing: () => true,
    })
    createLoginMetrics(registry, () => ({ begun: 5, waiting: 2, perSecond: 10 }))
    made = await given.start(name, { ...options, observe: metrics.node })
    const figure: Figure = async (wanted) => {
      const lines = (await registry.metrics()).split('\n')
      const line = lines.find((one) => one.startsWith(`posthorn_${wanted} `))
      return line === undefined ? undefined : Number(line.split(' ').at(-1))
    }
    return { ...made, figure }
  }
  return { ...given, startMeasured }
}

/** A node hears of what the others do a moment later. */
async function becomes({ figure }: { figure: Figure }, name: string, wanted: number | undefined): Promise<void> {
  await eventually(
    () => figure(name),
    (found) => found === wanted,
  )
}

const moved = (direction: string, cause: string, outcome: string) =>
  `shard_moves_total{direction="${direction}",cause="${cause}",outcome="${outcome}"}`

describe('the metrics of a node', () => {
  it('tell what it owns, what it took and gave, and how the others are', async (t) => {
    const { startMeasured, shared, store, lock } = await scene(t)
    const one = await startMeasured('one')
    await shared([one])
    const taken = async ({ figure }: { figure: Figure }, causes = ['pull', 'claim', 'table']) => {
      const parts = await Promise.all(causes.map((cause) => figure(moved('taken', cause, 'done'))))
      return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
    }
    assert.equal(await taken(one, ['claim', 'table']), 256)
    const [row] = await store.rows<{ epoch: number }>('SELECT max(epoch) AS epoch FROM shard_owner')
    await becomes(one, 'shard_epoch_max', row?.epoch)

    const two = await startMeasured('two')
    await shared([one, two])
    await eventually(
      () => taken(two),
      (now) => now === 128,
    )
    await eventually(
      () => one.figure(moved('given', 'pull', 'done')),
      // On a busy machine an answer may be late, and that shard is then counted otherwise.
      (given) => (given ?? 0) > 100,
    )
    await becomes(one, 'shards{state="owned"}', 128)
    await becomes(one, 'shards{state="acting"}', 128)
    await becomes(one, 'shards{state="free"}', 0)
    await becomes(one, 'nodes{state="active"}', 2)

    await one.view.drain('two')
    await becomes(one, 'nodes{state="draining"}', 1)
    await shared([one])
    await becomes(two, 'shards{state="owned"}', 0)

    const three = await startMeasured('three')
    await shared([one, three])
    await becomes(one, 'nodes{state="draining"}', 1)
    const release = await lock(lockShards)
    await three.kill()
    const before = await taken(one)
    const [owned] = await store.rows<{ count: number }>('SELECT count(*) FROM shard_owner WHERE owner = $1', [
      three.incarnation,
    ])
    const had = owned?.count
    await becomes(one, 'nodes{state="silent"}', 1)
    await becomes(one, 'nodes{state="dead"}', 1)
    await becomes(one, 'shards{state="free"}', had)
    // The one that is drained lives, and may be the first to say so.
    await eventually(
      () => Promise.all([one, two].map(({ figure }) => figure('nodes_declared_dead_total'))),
      (counts) => counts.some((count) => (count ?? 0) > 0),
    )
    await eventually(
      () => one.figure(moved('taken', 'claim', 'failed')),
      (failed) => (failed ?? 0) > 0,
    )
    await release()
    await eventually(
      () => taken(one),
      (now) => now - before === had,
    )
    await becomes(one, 'nodes{state="dead"}', 0)
  })

  it('tell what could not be given, of both sides', async (t) => {
    const { startMeasured, shared } = await scene(t)
    let isStuck = true
    const one = await startMeasured('one', {
      quiet: async () => {
        if (isStuck) throw new Error('A send does not end.')
      },
    })
    await shared([one])
    const two = await startMeasured('two')
    const isCounted = async () =>
      ((await one.figure(moved('given', 'pull', 'failed'))) ?? 0) > 0 &&
      ((await two.figure(moved('taken', 'pull', 'refused'))) ?? 0) > 0
    await eventually(isCounted)
    assert.equal(await one.figure(moved('given', 'pull', 'done')), 0)
    isStuck = false
    await shared([one, two])
  })

  it('tell how it proves that it lives, and that it cannot', async (t) => {
    const { startMeasured, shared, redis, lock } = await scene(t)
    const { figure, ...one } = await startMeasured('one')
    assert.equal(await figure('lease_age_seconds'), undefined)
    assert.equal(await figure('guard_open'), 0)
    await shared([one])
    await eventually(
      () => figure('lease_renewals_total{outcome="renewed"}'),
      (renewed) => (renewed ?? 0) >= 3,
    )
    assert.equal(await figure('guard_open'), 1)
    assert.ok(((await figure('lease_age_seconds')) ?? 9) < timing.guardMs / 1000)
    assert.equal(await figure('lease_renewals_total{outcome="created"}'), 1)
    const held = (await figure('lease_holds_total{outcome="held"}')) ?? 0

    await redis.kill()
    await eventually(
      () => figure('lease_holds_total{outcome="held"}'),
      (now) => (now ?? 0) >= held + 2,
    )
    assert.ok(((await figure('lease_renewals_total{outcome="failed"}')) ?? 0) > 0)

    const before = (await figure('fences_total')) ?? 0
    const release = await lock(lockNodes)
    await eventually(
      () => figure('fences_total'),
      (fences) => fences === before + 1,
    )
    assert.equal(await figure('guard_open'), 0)
    assert.ok(((await figure('lease_age_seconds')) ?? 0) >= timing.guardMs / 1000)
    assert.ok(((await figure('lease_holds_total{outcome="failed"}')) ?? 0) > 0)
    await release()
    await shared([one])
    await eventually(
      () => figure('guard_open'),
      (isOpen) => isOpen === 1,
    )
  })

  it('tell the logins that were begun, wait and may begin', async (t) => {
    const { startMeasured } = await scene(t)
    const { figure } = await startMeasured('one')
    assert.equal(await figure('logins_total'), 5)
    assert.equal(await figure('logins_waiting'), 2)
    assert.equal(await figure('logins_max_per_second'), 10)
  })
})
