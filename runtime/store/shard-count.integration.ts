import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import type { Cleanup } from '../../test/support/cleanup.js'
import { testDatabase } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { aMessage, openTestStore, received, type TestStore, testLog } from '../../test/support/store.js'
import { createShardTable, OtherShards } from '../cluster/shard-table.js'
import { settings } from '../config/reader.js'
import { type Database, openDatabase } from './database.js'
import { createEncryption } from './encryption.js'
import { createJournal } from './journal.js'
import { MIGRATION_LOCK, migrate, readMigrations } from './migrate.js'
import { createShardFinder } from './shard.js'
import { changeShards, readShardCount, SHARD_COUNTS } from './shard-count.js'

const encryption = createEncryption(Buffer.alloc(32, 1))

describe('a cluster that is created', () => {
  it('has the number of shards of its first start, in SQL and in the process alike', async (t) => {
    const database = await open(t)
    assert.equal((await migrate(database.pool, encryption, { shards: 1_024 })).shards, 1_024)
    const { rows } = await database.pool.query<{ shards: number; highest: number }>(
      'SELECT count(*)::int AS shards, max(shard)::int AS highest FROM shard_owner',
    )
    assert.deepEqual(rows, [{ shards: 1_024, highest: 1_023 }])
    await assertSameShards(database, 1_024)
  })

  it('has 256 when no setting says more, also after restarts', async (t) => {
    const database = await open(t)
    for (let start = 0; start < 2; start += 1) assert.equal((await migrate(database.pool, encryption)).shards, 256)
    await assertSameShards(database, 256)
  })

  it('takes nodes without the setting or with the same number, and refuses any other, naming both', async (t) => {
    const database = await open(t)
    await migrate(database.pool, encryption, { shards: 1_024 })
    assert.equal((await migrate(database.pool, encryption)).shards, 1_024)
    assert.equal((await migrate(database.pool, encryption, { shards: 1_024 })).shards, 1_024)
    await assert.rejects(
      migrate(database.pool, encryption, { shards: 512 }),
      /CLUSTER_SHARDS is 512, and this cluster has 1024 shards.*it can only grow/,
    )
    await assert.rejects(
      migrate(database.pool, encryption, { shards: 2_048 }),
      /CLUSTER_SHARDS is 2048, and this cluster has 1024 shards.*posthorn shards 2048/,
    )
  })

  it('has one number when nodes with two numbers start at the same time', async (t) => {
    const place = await testDatabase(t)
    const databases = await Promise.all(
      [512, 1_024].map(async (shards) => ({ shards, database: await open(t, place) })),
    )
    const starts = await Promise.allSettled(
      databases.map(({ shards, database }) => migrate(database.pool, encryption, { shards })),
    )
    assert.deepEqual(starts.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })

  it('of more than 256 shards is refused by a program that knows no other number', async (t) => {
    const database = await open(t)
    const former = readMigrations().filter(({ version }) => version < 145)
    await migrate(database.pool, encryption)
    await migrate(database.pool, encryption, { files: former })
    await change(database, 512)
    await assert.rejects(migrate(database.pool, encryption, { files: former }), /only versions that know 145 can use/)
  })

  it('tells its number without a change of its schema: also that of a former release, and before the first start', async (t) => {
    const database = await open(t)
    const former = readMigrations().filter(({ version }) => version < 145)
    const tell = async () => {
      const client = await database.pool.connect()
      try {
        return await readShardCount(client)
      } finally {
        client.release()
      }
    }
    await migrate(database.pool, encryption, { files: former })
    assert.equal(await tell(), 256)
    const { rows } = await database.pool.query("SELECT to_regclass('cluster_shards') AS made")
    assert.deepEqual(rows, [{ made: null }])
    await migrate(database.pool, encryption, { shards: 256 })
    await database.pool.query('DELETE FROM cluster_shards')
    assert.equal(await tell(), null)
  })

  it('can have the numbers that the setting takes', () => {
    assert.deepEqual(settings.get('CLUSTER_SHARDS')?.enum, SHARD_COUNTS.map(String))
  })
})

describe('a cluster that gets more shards', () => {
  it('keeps each instance within the old shard, raises every epoch, and frees every shard', async (t) => {
    const store = await openTestStore(t)
    await giveEpochs(store)
    const instances = await Promise.all(Array.from({ length: 40 }, () => store.newInstance()))
    await change(store.database, 1_024)
    await assertSameShards(store.database, 1_024)
    const rows = await store.rows<{ shard: number; owner: string | null; epoch: number }>(
      'SELECT shard, owner, epoch FROM shard_owner ORDER BY shard',
    )
    assert.equal(rows.length, 1_024)
    for (const { shard, owner, epoch } of rows)
      assert.deepEqual([owner, Number(epoch)], [null, 101 + (shard % 256)], String(shard))
    const places = await store.rows<{ id: string; shard: number }>('SELECT id, shard FROM instance')
    assert.equal(places.length, instances.length)
    for (const { id, shard } of places) assert.equal(shard % 256, store.findShard(id))
    const [counted] = await store.rows<{ same: boolean }>(
      `SELECT NOT EXISTS (SELECT shard, count(*) FROM instance GROUP BY 1 EXCEPT SELECT shard, sum(instances) FROM instance_count GROUP BY 1) AS same`,
    )
    assert.equal(counted?.same, true)
  })

  it('takes no write of a former owner, by whatever number it finds the shard', async (t) => {
    const store = await openTestStore(t)
    const instances = await Promise.all(Array.from({ length: 8 }, () => store.newInstance()))
    const journals = instances.map((instance) => store.journal.forInstance(instance, store.findEpoch(instance)))
    await Promise.all(journals.map((journal) => journal.write([received(aMessage())])))
    await change(store.database, 512)
    for (const journal of journals)
      await assert.rejects(
        journal.write([received(aMessage())]),
        (error: { code?: string }) => error.code === 'NOT_OWNER',
      )
    // The same life of a node, had it learned the new number.
    const { clientConfig } = store.database
    const findShard = createShardFinder(512)
    const second = createJournal({ clientConfig, encryption: store.encryption, findShard, log: testLog })
    t.after(() => second.close())
    for (const instance of instances)
      await assert.rejects(
        second.forInstance(instance, store.findEpoch(instance)).write([received(aMessage())]),
        (error: { code?: string }) => error.code === 'NOT_OWNER',
      )
    const [row] = await store.rows<{ count: number }>('SELECT count(*)::int AS count FROM message')
    assert.equal(row?.count, instances.length)
  })

  it('waits for a write of an owner that was paused, and counts it', async (t) => {
    const store = await openTestStore(t)
    const holder = new pg.Client(store.database.clientConfig)
    await holder.connect()
    t.after(() => holder.end())
    await holder.query('BEGIN; SELECT FROM shard_owner WHERE shard = 7 FOR SHARE')
    const changing = change(store.database, 512)
    const waits =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%shard_owner%FOR UPDATE%'"
    await eventually(async () => (await store.rows(waits)).length === 1)
    await holder.query('COMMIT')
    await changing
    assert.equal((await store.rows('SELECT FROM shard_owner')).length, 512)
  })

  it('is refused while a node lives, or was killed, with its name', async (t) => {
    const store = await openTestStore(t)
    const [one] = [openTable(store, 'one')]
    await one.register({ nodeId: 'a', address: '127.0.0.1:1', version: '1.0.0', shards: 256 }, null)
    await assert.rejects(change(store.database, 512), /Nodes of this cluster run, or were killed \(a\)/)
    assert.equal((await store.rows('SELECT FROM shard_owner')).length, 256)
    await one.leave()
    await change(store.database, 512)
  })

  it('takes no node that has read the former number', async (t) => {
    const store = await openTestStore(t)
    await change(store.database, 512)
    const node = { nodeId: 'a', address: '127.0.0.1:1', version: '1.0.0' }
    await assert.rejects(openTable(store, 'one').register({ ...node, shards: 256 }, null), OtherShards)
    // As release 0.4 does it, which knows no column of that name.
    const former = store.rows(
      "INSERT INTO node (incarnation, node_id, address, version) VALUES ('x', 'x', 'x', '0.4.1')",
    )
    await assert.rejects(former, /violates foreign key constraint/)
    assert.equal(await openTable(store, 'two').register({ ...node, shards: 512 }, null), true)
  })

  it('refuses fewer shards, and the number that it has', async (t) => {
    const store = await openTestStore(t, { shards: 1_024 })
    await assert.rejects(change(store.database, 512), /can only grow/)
    await assert.rejects(change(store.database, 1_024), /has 1024 shards already/)
  })

  it('is as it was when the change ends in its middle, and can be changed again', async (t) => {
    const store = await openTestStore(t)
    await giveEpochs(store)
    const instance = await store.newInstance()
    const state = async () => [
      await store.rows('SELECT shard, owner, epoch FROM shard_owner ORDER BY shard'),
      await store.rows('SELECT id, shard, shard_of(id) FROM instance'),
      await store.rows('SELECT shards FROM cluster_shards'),
      await store.rows('SELECT max(oldest) FROM migration'),
    ]
    const before = await state()
    // A lock on the counts holds the change in its middle, and then its process dies.
    const holder = new pg.Client(store.database.clientConfig)
    await holder.connect()
    t.after(() => holder.end())
    await holder.query('BEGIN; LOCK TABLE instance_count IN EXCLUSIVE MODE')
    const changing = change(store.database, 1_024)
    const middle =
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM instance_count%'"
    const [found] = await eventually(
      () => store.rows<{ pid: number }>(middle),
      (rows) => rows.length === 1,
    )
    await store.rows('SELECT pg_terminate_backend($1)', [found?.pid])
    await assert.rejects(changing)
    await holder.query('COMMIT')
    assert.deepEqual(await state(), before)
    await change(store.database, 1_024)
    const [row] = await store.rows<{ shard: number }>('SELECT shard FROM instance WHERE id = $1', [instance])
    assert.equal(row?.shard, createShardFinder(1_024)(instance))
  })
})

async function open(t: Cleanup, place?: { connectionString: string }): Promise<Database> {
  const database = openDatabase({ ...(place ?? (await testDatabase(t))), poolMax: 2 }, testLog)
  t.after(() => database.close())
  return database
}

/** As `posthorn shards` does it, over a connection of its own. */
async function change({ clientConfig }: Pick<Database, 'clientConfig'>, shards: number): Promise<void> {
  const client = new pg.Client(clientConfig)
  client.on('error', () => {})
  await client.connect()
  try {
    await changeShards(client, shards, MIGRATION_LOCK)
  } finally {
    await client.end()
  }
}

/** Gives shard n the epoch 100 + n. */
async function giveEpochs(store: TestStore): Promise<void> {
  await store.rows('UPDATE shard_owner SET epoch = 100 + shard')
}

function openTable(store: TestStore, incarnation: string) {
  return createShardTable({ pool: store.database.pool, incarnation })
}

async function assertSameShards({ pool }: Pick<Database, 'pool'>, shards: number): Promise<void> {
  const findShard = createShardFinder(shards)
  const ids = ['', 'r1', 'ra0b1c2d3e4f5', ...Array.from({ length: 100 }, (_, index) => `r${index ** 3}`)]
  const { rows } = await pool.query<{ id: string; shard: number }>(
    'SELECT id, shard_of(id) AS shard FROM unnest($1::text[]) AS id',
    [ids],
  )
  assert.deepEqual(
    rows.map(({ shard }) => shard),
    ids.map((id) => (id === '' ? rows[0]?.shard : findShard(id))),
  )
}
