import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextStep } from 'node:timers/promises'
import { withTimeLimit } from '../../lib/time-limit.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { eventually } from '../../test/support/eventually.js'
import { aMessage, findShard, openTestStore, received, type TestStore } from '../../test/support/store.js'
import { TABLES_OF_INSTANCE } from './instance-deletion.js'
import { createInstances } from './instances.js'

const fail = (): never => assert.fail('a call waits for PostgreSQL')
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

  it('is found by a token that is used often without a wait for PostgreSQL, and what changes is found in time', async (t) => {
    const { database, rows } = await openTestStore(t)
    const limits = { instancesMax: 100, pairingsMax: 100, pairingMaxMs: 60_000, tokenCacheMs: 2_000 }
    const instances = createInstances(database, limits)
    const { instance, token } = await instances.create(given)
    await rows("UPDATE instance SET owner_jid = '5511@s.whatsapp.net' WHERE id = $1", [instance.id])
    await instances.byToken(token)
    await rows("UPDATE instance SET name = 'Support' WHERE id = $1", [instance.id])
    const query = database.pool.query.bind(database.pool) as (...given: unknown[]) => Promise<unknown>
    let asked = 0
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    t.mock.method(database.pool, 'query', async (...values: unknown[]) => {
      asked += 1
      await held
      return await query(...values)
    })
    const name = async () => (await withTimeLimit(instances.byToken(token), 30_000, fail))?.instance.name
    while (asked === 0) {
      assert.equal(await name(), 'Sales')
      await nextStep()
    }
    release()
    await eventually(name, (found) => found === 'Support')
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
    const journal = store.journal.forInstance(instance.id, store.findEpoch(instance.id))
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
    await store.rows('UPDATE shard_owner SET epoch = epoch + 1 WHERE shard = $1', [findShard(instance.id)])
    assert.equal((await store.instances.byId(instance.id))?.status, 'connecting')
    for await (const [row] of store.instances.all()) assert.equal(row?.status, 'connecting')
    await store.instances.setDesired(instance.id, false)
    assert.equal((await store.instances.byId(instance.id))?.status, 'disconnected')
  })

  it('is listed once among all, the oldest first, however many were made at one moment', async (t) => {
    const store = await openTestStore(t)
    const ids: string[] = []
    for (let index = 0; index < 205; index += 1) ids.push((await store.instances.create(given)).instance.id)
    await store.rows(`UPDATE instance SET created = '2026-01-01T00:00:00.000001Z' WHERE id = ANY($1)`, [
      ids.slice(0, 150),
    ])
    await store.rows(`UPDATE instance SET created = '2026-01-01T00:00:00.000002Z' WHERE id = ANY($1)`, [ids.slice(150)])
    const pages: string[][] = []
    for await (const page of store.instances.all()) pages.push(page.map(({ id }) => id))
    assert.deepEqual(pages.flat(), [...ids.slice(0, 150).toSorted(), ...ids.slice(150).toSorted()])
    assert.ok(pages.every((page) => page.length <= 100))
  })

  it('over the limit of connected ones is refused, also when many ask at once', async (t) => {
    const store = await openTestStore(t)
    const limited = createInstances(store.database, { instancesMax: 3, pairingsMax: 0, pairingMaxMs: 60_000 })
    const ids = await Promise.all(Array.from({ length: 8 }, () => store.newInstance()))
    await store.rows("UPDATE instance SET owner_jid = id || '@s.whatsapp.net'")
    const results = await Promise.allSettled(ids.map((id) => limited.setDesired(id, true)))
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 3)
    const refused = results.find((result) => result.status === 'rejected')
    assert.ok(refused?.reason instanceof GatewayError && refused.reason.code === 'INSTANCE_LIMIT')
    const [connected] = await idsToConnect(limited, store.shards)
    await limited.setDesired(connected as InstanceId, true)
    await limited.setDesired(connected as InstanceId, false)
    const other = ids.find((id) => id !== connected && results[ids.indexOf(id)]?.status === 'rejected')
    await limited.setDesired(other as InstanceId, true)
    await assert.rejects(limited.setDesired('inone' as InstanceId, true), { code: 'INSTANCE_NOT_FOUND' })
  })

  it('counts against a separate limit during its pairing, on all nodes together', async (t) => {
    const store = await openTestStore(t)
    const node = () => createInstances(store.database, { instancesMax: 2, pairingsMax: 3, pairingMaxMs: 60_000 })
    const [one, other] = [node(), node()]
    const ids = await Promise.all(Array.from({ length: 8 }, () => store.newInstance()))
    const asked = await Promise.allSettled(ids.map((id, at) => (at % 2 === 0 ? one : other).setDesired(id, true)))
    const pairing = ids.filter((_, at) => asked[at]?.status === 'fulfilled')
    const [waiting = ids[0] as InstanceId] = ids.filter((_, at) => asked[at]?.status === 'rejected')
    assert.equal(pairing.length, 3)
    for (const result of asked)
      if (result.status === 'rejected') assert.equal((result.reason as GatewayError).code, 'PAIRING_LIMIT')
    // A paired account has its place all the same, and one that is asked for again keeps its own.
    const paid = await store.newInstance()
    await store.rows("UPDATE instance SET owner_lid = '1@lid' WHERE id = $1", [paid])
    await one.setDesired(paid, true)
    await one.setDesired(pairing[0] as InstanceId, true)
    // Three scans at once for the one place that is left.
    const admitted = await Promise.all(pairing.map((id, at) => (at % 2 === 0 ? one : other).admit(id)))
    assert.deepEqual(admitted.toSorted(), [false, false, true])
    const [scanned] = pairing.filter((_, at) => admitted[at])
    await assert.rejects(one.setDesired(waiting, true), { code: 'INSTANCE_LIMIT' })
    await one.setDesired(paid, false)
    await store.rows("UPDATE instance SET owner_jid = '1@s.whatsapp.net' WHERE id = $1", [scanned])
    await one.setDesired(waiting, true)
    assert.equal(await other.admit(waiting), true)
    assert.equal(await one.admit(paid), false)
  })

  it('frees its place when its pairing is over, even if its node ended during it', async (t) => {
    const store = await openTestStore(t)
    const limited = createInstances(store.database, { instancesMax: 9, pairingsMax: 1, pairingMaxMs: 60_000 })
    const [a, b, c] = [await store.newInstance(), await store.newInstance(), await store.newInstance()]
    await limited.setDesired(a, true)
    await assert.rejects(limited.setDesired(b, true), { code: 'PAIRING_LIMIT', retryAfterSeconds: 10 })
    await limited.setDesired(a, false)
    await limited.setDesired(b, true)
    await limited.delete(b)
    await limited.setDesired(c, true)
    await store.rows("UPDATE instance SET pairing_ends = now() - interval '1 second' WHERE id = $1", [c])
    await limited.setDesired(a, true)
    await assert.rejects(limited.setDesired(c, true), { code: 'PAIRING_LIMIT' })
  })

  it('connects first if it was active last', async (t) => {
    const store = await openTestStore(t)
    const ids = [await store.newInstance(), await store.newInstance(), await store.newInstance()]
    for (const id of ids) await store.instances.setDesired(id, true)
    for (const index of [1, 2]) {
      const id = ids[index] as InstanceId
      await store.journal.forInstance(id, store.findEpoch(id)).write([received(aMessage())])
    }
    assert.deepEqual(await idsToConnect(store.instances, store.shards), [ids[2], ids[1], ids[0]])
  })

  it('is in the same shard for SQL and for the program, and is found by the shards of a node', async (t) => {
    const store = await openTestStore(t)
    for (let count = 0; count < 20; count += 1) await store.newInstance()
    const rows = await store.rows<{ id: InstanceId; shard: number }>('SELECT id, shard FROM instance')
    for (const { id, shard } of rows) assert.equal(shard, findShard(id))
    for (const text of ['i', 'ünï', 'z'.repeat(100)]) {
      const [row] = await store.rows<{ shard: number }>('SELECT shard_of($1) AS shard', [text])
      assert.equal(row?.shard, findShard(text), text)
    }
    for (const { id } of rows) await store.instances.setDesired(id, true)
    const mine = [...new Set(rows.map(({ shard }) => shard))].slice(0, 5)
    assert.deepEqual(
      (await idsToConnect(store.instances, mine)).toSorted(),
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

async function idsToConnect(
  instances: Pick<TestStore['instances'], 'instancesToConnect'>,
  shards: readonly number[],
): Promise<readonly InstanceId[]> {
  return (await instances.instancesToConnect(shards)).map(({ id }) => id)
}
