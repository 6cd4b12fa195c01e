import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { NodesReply } from '../../../schemas/generated.js'
import { eventually } from '../../../test/support/eventually.js'
import { asAdministrator, startFakeNode } from '../../../test/support/fake-node.js'
import { lockNodes, lockShards, startNodesScene, type TestNode } from '../../../test/support/nodes.js'

// Own processors: the nodes in it lose their leases when they are slow.

/** Asks for the nodes, of one of them. */
async function asking(t: TestContext, { view }: TestNode) {
  const { get } = asAdministrator(await startFakeNode(t, {}, { cluster: view }))
  return async () => ((await get('/admin/nodes')).body as unknown as NodesReply).nodes
}

describe('the nodes of a cluster', () => {
  it('are listed by each of them, with their shards and the time when they were last seen', async (t) => {
    const { start, shared, instanceIn } = await startNodesScene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    const [ofOne = 0, alsoOfOne = 0] = one.acting.keys()
    const [ofTwo = 0] = two.acting.keys()
    for (const shard of [ofOne, ofOne, alsoOfOne, ofTwo]) await instanceIn(shard)
    for (const [asked, isSelf] of [
      [one, [true, false]],
      [two, [false, true]],
    ] as const) {
      const ask = await asking(t, asked)
      const since = new Date().toISOString()
      const nodes = await eventually(ask, (all) => all.every(({ lastSeen }) => (lastSeen ?? '') > since))
      const told = nodes.map(({ registered, lastSeen, ...node }) => {
        assert.ok(Date.now() - Date.parse(registered) < 300_000)
        assert.ok(Math.abs(Date.now() - Date.parse(lastSeen ?? '')) < 60_000, `${lastSeen}`)
        return node
      })
      const both = { version: '1.0.0', state: 'active', shards: 128 }
      assert.deepEqual(told, [
        { ...both, id: 'one', incarnation: 'one-1', address: 'one:1', isSelf: isSelf[0], instances: 3 },
        { ...both, id: 'two', incarnation: 'two-2', address: 'two:1', isSelf: isSelf[1], instances: 1 },
      ])
    }
  })

  it('are silent when no sign of life comes, dead until what they own is taken over, and then not told', async (t) => {
    const { start, shared, lock } = await startNodesScene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    const nodes = await asking(t, one)
    const stateOfTwo = async () => (await nodes()).find(({ id }) => id === 'two')?.state
    const release = await lock(lockShards)
    await two.kill()
    await eventually(stateOfTwo, (state) => state === 'silent')
    await eventually(stateOfTwo, (state) => state === 'dead')
    await release()
    await eventually(stateOfTwo, (state) => state === undefined)
    assert.equal((await nodes())[0]?.shards, 256)
  })

  it('is silent itself when it cannot prove that it lives', async (t) => {
    const { start, shared, redis, lock } = await startNodesScene(t)
    const one = await start('one')
    await shared([one])
    const nodes = await asking(t, one)
    const release = await lock(lockNodes)
    await redis.kill()
    const state = async () => (await nodes())[0]?.state
    await eventually(state, (now) => now === 'silent')
    await release()
    await eventually(state, (now) => now === 'active')
  })
})
