import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ShardsReply } from '../../../schemas/generated.js'
import { eventually } from '../../../test/support/eventually.js'
import { asAdministrator, startFakeNode } from '../../../test/support/fake-node.js'
import { lockShards, startNodesScene } from '../../../test/support/nodes.js'

// Own processors: the nodes in it lose their leases when they are slow.

describe('the shards', () => {
  it('are listed with their owners, epochs and instances, and marked if no living node owns them', async (t) => {
    const { start, shared, instanceIn, lock, store } = await startNodesScene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    await instanceIn(7)
    await instanceIn(7)
    const { get } = asAdministrator(await startFakeNode(t, {}, { cluster: one.view }))
    const ask = async () => ((await get('/admin/shards')).body as unknown as ShardsReply).shards
    const rows = await store.rows<{ shard: number; owner: string; epoch: number; updated: Date }>(
      'SELECT shard, owner, epoch, updated FROM shard_owner ORDER BY shard',
    )
    assert.deepEqual(
      await ask(),
      rows.map(({ shard, owner, epoch, updated }) => ({
        shard,
        epoch,
        incarnation: owner,
        node: owner === one.incarnation ? 'one' : 'two',
        isFree: false,
        since: updated.toISOString(),
        instances: shard === 7 ? 2 : 0,
      })),
    )

    const release = await lock(lockShards)
    const had = [...two.acting.keys()].toSorted((a, b) => a - b)
    await two.kill()
    const free = async () => (await ask()).filter(({ isFree }) => isFree).map(({ shard }) => shard)
    await eventually(free, ({ length }) => length > 0)
    assert.deepEqual(await free(), had)
    await release()
    await eventually(free, ({ length }) => length === 0)
    assert.ok((await ask()).every(({ node }) => node === 'one'))
  })
})
