import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../test/support/eventually.js'
import { asAdministrator, startFakeNode } from '../../../test/support/fake-node.js'
import { startNodesScene, timing } from '../../../test/support/nodes.js'

// Own processors: the nodes in it lose their leases when they are slow.

describe('a node that is drained', () => {
  it('through any node, gives everything away, gets nothing more, stays, and takes again after a restart', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    const { post } = asAdministrator(await startFakeNode(t, {}, { cluster: one.view }))
    const told = await post('/admin/nodes/two/drain')
    assert.equal(told.status, 200)
    const { id, state, isSelf } = told.body.node as Record<string, unknown>
    assert.deepEqual({ id, state, isSelf }, { id: 'two', state: 'draining', isSelf: false })
    assert.equal(told.body.warnings, undefined)
    await eventually(() => two.acting.size === 0 && one.acting.size === 256)
    await shared([one])
    const { get } = asAdministrator(await startFakeNode(t, {}, { cluster: two.view }))
    const three = await start('three')
    await shared([one, three])
    assert.equal((await post('/admin/nodes/two/drain')).status, 200)
    await pause(2 * timing.stableMs)
    assert.equal(two.acting.size, 0)
    assert.deepEqual(two.ended, [])
    const nodes = (await get('/admin/nodes')).body.nodes as { id: string; state: string; shards: number }[]
    assert.deepEqual(
      nodes.map(({ id: name, state: is, shards }) => [name, is, shards]),
      [
        ['one', 'active', 128],
        ['three', 'active', 128],
        ['two', 'draining', 0],
      ],
    )
    await two.kill()
    await shared([one, three, await start('two')])
  })

  it('keeps everything until another node joins if it is alone, and tells its administrator so', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const one = await start('one')
    await shared([one])
    const { post } = asAdministrator(await startFakeNode(t, {}, { cluster: one.view }))
    const { status, body } = await post('/admin/nodes/one/drain')
    assert.equal(status, 200)
    assert.equal((body.warnings as string[]).length, 1)
    await pause(2 * timing.stableMs)
    await shared([one])
    assert.equal(one.counts.activated, 256)
    await shared([await start('two')])
    assert.deepEqual(one.ended, [])
  })

  it('must be one that lives', async (t) => {
    const { start, shared } = await startNodesScene(t)
    const [one, two] = [await start('one'), await start('two')]
    await shared([one, two])
    await two.kill()
    await shared([one])
    const { post } = asAdministrator(await startFakeNode(t, {}, { cluster: one.view }))
    for (const name of ['two', 'three', 'one-1', '%27', 'x'.repeat(5_000)]) {
      const { status, body } = await post(`/admin/nodes/${name}/drain`)
      assert.deepEqual([status, body.code], [404, 'NODE_NOT_FOUND'], name)
    }
    const { status, body } = await post('/admin/nodes/on%00e/drain')
    assert.deepEqual([status, body.code], [400, 'INVALID_REQUEST'])
    assert.equal(one.acting.size, 256)
  })
})
