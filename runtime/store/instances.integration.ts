import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { TABLES_OF_INSTANCE } from './instance-deletion.js'
import { createInstances } from './instances.js'
import { shardOf } from './shard.js'

const given = { name: 'Sales', systemName: 'crm', adminField01: 'a', adminField02: 'b' }

describe('an instance', () => {
  it('is found by its token, which is not stored', async (t) => {
    const store = await openTestStore(t)
    const { instance, token } = await store.instances.create(given)
    assert.match(instance.id, /^i[a-z0-9]{15}$/)
    assert.deepEqual(await store.instances.byToken(token), { instance, key: null })
    assert.equal(await store.instances.byToken(`${token}x`), null)
    assert.equal(await store.instances.byToken(''), null)
    const [row] = await store.rows<Record<string, unknown>>('SELECT i::text FROM instance AS i')
    assert.equal(JSON.stringify(row).includes(token), false)
    await store.instances.delete(instance.id)
    assert.equal(await store.instances.byToken(token), null)
  })

  it('can be renamed and marked, and says so at once to who comes with its token', async (t) => {
    const store = await openTestStore(t)
    const { instance, token } = await store.instances.create(given)
    await store.instances.byToken(token)
    await store.instances.rename(instance.id, 'Support')
    await store.instances.setAdminFields(instance.id, { adminField02: 'new' })
    const row = (await store.instances.byToken(token))?.instance
    assert.deepEqual([row?.name, row?.adminField01, row?.adminField02], ['Support', 'a', 'new'])
    assert.equal(await store.instances.setAdminFields('inone' as InstanceId, {}), null)
    await assert.rejects(store.instances.rename('inone' as InstanceId, 'x'), GatewayError)
  })

  it('has a status only under the epoch of the owner who wrote it', async (t) => {
    const store = await openTestStore(t)
    const { instance } = await store.instances.create(given)
    const journal = store.journal.forInstance(instance.id, store.epochOf(instance.id))
    await journal.write([
      {
        type: 'instance',
        set: {
          status: 'connected',
          desiredConnected: true,
          ownerJid: '5511@s.whatsapp.net' as Jid,
          profileName: 'Ana',
        },
      },
    ])
    const row = await store.instances.byId(instance.id)
    assert.deepEqual([row?.status, row?.owner, row?.profileName], ['connected', '5511', 'Ana'])
    assert.deepEqual(store.commits.at(-1)?.changedInstances, [instance.id])
    await store.rows('UPDATE shard_owner SET epoch = epoch + 1 WHERE shard = $1', [shardOf(instance.id)])
    assert.equal((await store.instances.byId(instance.id))?.status, 'connecting')
    assert.equal((await store.instances.all())[0]?.status, 'connecting')
    await store.instances.setDesired(instance.id, false)
    assert.equal((await store.instances.byId(instance.id))?.status, 'disconnected')
  })

  it('over the limit of connected ones is refused, also when many ask at once', async (t) => {
    const store = await openTestStore(t)
    const limited = createInstances(store.database, { instancesMax: 3 })
    const ids = await Promise.all(Array.from({ length: 8 }, () => store.newInstance()))
    const results = await Promise.allSettled(ids.map((id) => limited.setDesired(id, true)))
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 3)
    const refused = results.find((result) => result.status === 'rejected')
    assert.ok(refused?.reason instanceof GatewayError && refused.reason.code === 'INSTANCE_LIMIT')
    const [connected] = await limited.instancesToConnect(store.shards)
    await limited.setDesired(connected as InstanceId, true)
    await limited.setDesired(connected as InstanceId, false)
    const other = ids.find((id) => id !== connected && results[ids.indexOf(id)]?.status === 'rejected')
    await limited.setDesired(other as InstanceId, true)
    await assert.rejects(limited.setDesired('inone' as InstanceId, true), { code: 'INSTANCE_NOT_FOUND' })
  })

  it('that was active last connects first', async (t) => {
    const store = await openTestStore(t)
    const ids = [await store.newInstance(), await store.newInstance(), await store.newInstance()]
    for (const id of ids) await store.instances.setDesired(id, true)
    for (const index of [1, 2]) {
      const id = ids[index] as InstanceId
      await store.journal.forInstance(id, store.epochOf(id)).write([received(aMessage())])
    }
    assert.deepEqual(await store.instances.instancesToConnect(store.shards), [ids[2], ids[1], ids[0]])
  })

  it('is in the same shard for SQL and for the program, and asked for by the shards of a node', async (t) => {
    const store = await openTestStore(t)
    for (let count = 0; count < 20; count += 1) await store.newInstance()
    const rows = await store.rows<{ id: InstanceId; shard: number }>('SELECT id, shard FROM instance')
    for (const { id, shard } of rows) assert.equal(shard, shardOf(id))
    for (const text of ['i', 'ünï', 'z'.repeat(100)]) {
      const [row] = await store.rows<{ shard: number }>('SELECT shard_of($1) AS shard', [text])
      assert.equal(row?.shard, shardOf(text), text)
    }
    for (const { id } of rows) await store.instances.setDesired(id, true)
    const mine = [...new Set(rows.map(({ shard }) => shard))].slice(0, 5)
    assert.deepEqual(
      (await store.instances.instancesToConnect(mine)).toSorted(),
      rows
        .filter(({ shard }) => mine.includes(shard))
        .map(({ id }) => id)
        .toSorted(),
    )
  })

  it('leaves nothing behind when it is deleted: every table of its data is known', async (t) => {
    const store = await openTestStore(t)
    const rows = await store.rows<{ table_name: string }>(
      "SELECT table_name FROM information_schema.columns WHERE column_name = 'instance_id' AND table_schema = 'public'",
    )
    assert.deepEqual(rows.map((row) => row.table_name).sort(), [...TABLES_OF_INSTANCE].sort())
  })
})
