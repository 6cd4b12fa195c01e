import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.js'
import { startNodesScene, type TestNode, timing } from '../../test/support/nodes.js'
import { signalProcess } from '../embedded/processes.js'

// Own processors: the nodes in it lose their leases when they are slow.

describe('nodes of a cluster', () => {
  it('share the shards evenly; one that joins gets its part, one that drains gives all away, and nothing else moves', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const one = await start('one')
    await shared([one])
    const two = await start('two')
    await shared([one, two])
    const three = await start('three')
    await shared([one, two, three])
    assert.equal(one.counts.activated, 256)
    assert.equal(two.counts.activated, 128)
    assert.ok(three.counts.activated <= 86, `${three.counts.activated}`)
    const before = one.counts.activated + three.counts.activated
    const given = two.acting.size
    two.node.drain()
    await eventually(
      () => two.ended,
      (ended) => ended.length > 0,
    )
    assert.deepEqual(two.ended, ['left'])
    await shared([one, three])
    assert.equal(one.counts.activated + three.counts.activated - before, given)
  })

  it('get their parts also while their process is busy all the time', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const one = await start('one')
    await shared([one])
    const work = setInterval(() => {
      for (const endMs = performance.now() + 15; performance.now() < endMs; );
    }, 20)
    t.after(() => clearInterval(work))
    const two = await start('two')
    await shared([one, two])
    clearInterval(work)
  })

  it('take over what a killed one had, and only that', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const nodes = [await start('one'), await start('two'), await start('three')]
    await shared(nodes)
    const [killed, ...living] = nodes as [TestNode, TestNode, TestNode]
    const sum = (what: keyof TestNode['counts']) => living.reduce((total, { counts }) => total + counts[what], 0)
    const [activated, deactivated, had] = [sum('activated'), sum('deactivated'), killed.acting.size]
    await killed.kill()
    await shared(living)
    assert.equal(sum('activated') - activated, had)
    assert.equal(sum('deactivated'), deactivated)
  })

  it('one that is started again in its place has its own back, and nothing moves', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    const [hadOne, hadTwo] = [[...one.acting.keys()], [...two.acting.keys()]]
    await one.kill()
    const again = await start('one')
    await shared([again, two])
    assert.deepEqual([...again.acting.keys()].toSorted(), hadOne.toSorted())
    assert.deepEqual([...two.acting.keys()].toSorted(), hadTwo.toSorted())
  })

  it('a second one of the same name ends, and the first does not notice', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const one = await start('one')
    await shared([one])
    const second = await start('one', { address: 'elsewhere:1' })
    await eventually(
      () => second.ended,
      (ended) => ended.length > 0,
    )
    assert.deepEqual(second.ended, ['nameTaken'])
    assert.equal(second.counts.activated, 0)
    assert.equal(one.counts.deactivated, 0)
  })

  it('keep what they have while Redis is paused, dead and empty again, and nothing moves', async (t) => {
    const { redis, start, shared } = await startNodesScene(t)
    const nodes = [await start('one'), await start('two')]
    await shared(nodes)
    const before = nodes.map(({ counts }) => ({ ...counts }))
    signalProcess(redis.pid, 'SIGSTOP')
    await pause(2 * timing.leaseMs)
    signalProcess(redis.pid, 'SIGCONT')
    await pause(timing.leaseMs)
    await redis.kill()
    await pause(2 * timing.leaseMs)
    await redis.start({ empty: true })
    await pause(2 * timing.leaseMs)
    await shared(nodes)
    assert.deepEqual(
      nodes.map(({ counts }) => ({ ...counts })),
      before,
    )
  })
})
