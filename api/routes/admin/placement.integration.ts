import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { PlacementReply } from '../../../schemas/generated.js'
import { eventually } from '../../../test/support/eventually.js'
import { asAdministrator, startFakeNode } from '../../../test/support/fake-node.js'
import { lockShards, startNodesScene, type TestNode } from '../../../test/support/nodes.js'

// Own processors: the nodes in it lose their leases when they are slow.

async function asking(t: TestContext, { view }: TestNode) {
  const { get } = asAdministrator(await startFakeNode(t, {}, { cluster: view }))
  return async (instance: string) =>
    (await get(`/admin/instances/${instance}/placement`)).body as unknown as PlacementReply
}

describe('the place of an instance', () => {
  it('is here for the node that owns it and there for another, and none while nobody lives who does', async (t) => {
    const { start, shared, instanceIn, lock } = await startNodesScene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    const [shard, epoch] = [...two.acting][0] ?? [0, 0]
    const instance = await instanceIn(shard)
    const [askOne, askTwo] = [await asking(t, one), await asking(t, two)]
    const { since, ...place } = await askTwo(instance)
    assert.ok(Date.now() - Date.parse(since) < 60_000)
    const owner = { node: 'two', incarnation: 'two-2', address: 'two:1' }
    assert.deepEqual(place, { instance, shard, epoch, ...owner, state: 'here' })
    assert.deepEqual(await askOne(instance), { ...place, since, state: 'there' })

    const release = await lock(lockShards)
    await two.kill()
    const none = await eventually(
      () => askOne(instance),
      ({ state }) => state !== 'there',
    )
    const nobody = { node: null, incarnation: null, address: null }
    assert.deepEqual(none, { instance, shard, epoch, since, ...nobody, state: 'none' })
    await release()
    const after = await eventually(
      () => askOne(instance),
      ({ state }) => state === 'here',
    )
    assert.deepEqual([after.node, after.epoch], ['one', epoch + 1])
  })

  it('is moving while its owner makes it ready to be given away', async (t) => {
    const { start, shared, instanceIn } = await startNodesScene(t)
    let finish = (): void => {}
    const moving: number[] = []
    const one = await start('one', {
      quiet(shard) {
        moving.push(shard)
        return new Promise((resolve) => {
          finish = resolve
        })
      },
    })
    await shared([one])
    const two = await start('two')
    const [shard] = await eventually(
      () => moving,
      ({ length }) => length > 0,
    )
    const instance = await instanceIn(shard ?? 0)
    const [askOne, askTwo] = [await asking(t, one), await asking(t, two)]
    assert.equal((await askOne(instance)).state, 'moving')
    const { state, node } = await askTwo(instance)
    assert.deepEqual([state, node], ['there', 'one'])
    finish()
    await eventually(
      () => askTwo(instance),
      (place) => place.state === 'here',
    )
  })

  it('is that of an instance that exists', async (t) => {
    const { start } = await startNodesScene(t)
    const { get } = asAdministrator(await startFakeNode(t, {}, { cluster: (await start('one')).view }))
    const { status, body } = await get('/admin/instances/r00000000000000/placement')
    assert.deepEqual([status, body.code], [404, 'INSTANCE_NOT_FOUND'])
  })
})
