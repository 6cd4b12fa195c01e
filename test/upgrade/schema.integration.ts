/** The last release and this version on one schema: what it wrote is read by this one, and what it asks of the tables is still there. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { createChats } from '../../runtime/store/chats.js'
import { openDatabase } from '../../runtime/store/database.js'
import { createEncryption } from '../../runtime/store/encryption.js'
import { createInstances } from '../../runtime/store/instances.js'
import { createJournal } from '../../runtime/store/journal.js'
import { createMessages } from '../../runtime/store/messages.js'
import { migrate, readMigrations } from '../../runtime/store/migrate.js'
import { createReader } from '../../runtime/store/reader.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'
import type { Cleanup } from '../support/cleanup.js'
import { testDatabase } from '../support/embedded.js'
import { columnsIn, computeHashes, readReleased } from '../support/released.js'
import { aMessage, findShard, received, testLog } from '../support/store.js'

const released = readReleased()
const encryption = createEncryption(Buffer.from(released.encryptionKey, 'base64'))
const known = readMigrations().filter(({ name }) => Object.hasOwn(released.migrations, name))

/** A database as the release left it: its migrations, and rows that it wrote. */
async function openReleased(t: Cleanup) {
  const place = await testDatabase(t)
  const database = openDatabase({ ...place, poolMax: 4 }, testLog)
  t.after(() => database.close())
  await migrate(database.pool, encryption, { files: known })
  const client = new pg.Client(place)
  await client.connect()
  // Its triggers have run already.
  await client.query('SET session_replication_role = replica')
  for (const [table, rows] of Object.entries(released.rows)) {
    const { rows: columns } = await client.query<{ name: string; identity: boolean }>(
      `SELECT column_name AS name, is_identity = 'YES' AS identity FROM information_schema.columns
       WHERE table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    )
    const list = columns.map(({ name }) => `"${name}"`).join(', ')
    await client.query(`DELETE FROM ${table}`)
    await client.query(
      `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    )
    for (const { name } of columns.filter(({ identity }) => identity))
      await client.query(`SELECT setval(pg_get_serial_sequence($1, $2), (SELECT max("${name}") FROM ${table}))`, [
        table,
        name,
      ])
  }
  await client.end()
  return database
}

describe(`the schema of ${released.version}`, () => {
  it('was made by migrations that are unchanged since', () => {
    const now = computeHashes(readMigrations())
    for (const [name, hash] of Object.entries(released.migrations)) assert.equal(now[name], hash, name)
    const after = readMigrations().slice(known.length)
    assert.ok(
      after.every(({ name }) => !Object.hasOwn(released.migrations, name)),
      'a migration stands before a released one',
    )
  })

  it('is migrated to this version with its rows, and this version continues with them', async (t) => {
    const database = await openReleased(t)
    await migrate(database.pool, encryption)
    for (const [table, rows] of Object.entries(released.rows)) {
      const { rowCount } = await database.pool.query(`SELECT FROM ${table}`)
      assert.ok((rowCount ?? 0) >= rows.length, table)
    }
    const instances = createInstances(database, { instancesMax: 10, pairingsMax: 100, pairingMaxMs: 60_000 })
    const all: InstanceRow[] = []
    for await (const page of instances.all()) all.push(...page)
    const [ana, ben] = all
    assert.ok(ana !== undefined && ben !== undefined)
    const reader = createReader(database.pool, encryption)
    assert.notEqual(await reader.credentials(ana.id), null)
    const { rows } = await database.pool.query<{ kind: string; id: string }>(
      'SELECT kind, id FROM signal_key WHERE instance_id = $1',
      [ana.id],
    )
    for (const { kind, id } of rows) assert.equal((await reader.keys(ana.id, kind, [id])).size, 1, `${kind} ${id}`)

    await database.pool.query("UPDATE shard_owner SET owner = 'test', epoch = 1000")
    const journal = createJournal({ clientConfig: database.clientConfig, encryption, findShard, log: testLog })
    t.after(() => journal.close())
    const chat = { pn: `${ben.owner}@s.whatsapp.net` as Jid }
    await journal.forInstance(ana.id, 1000).write([received(aMessage({ chat, text: 'from now on' }))])
    const found = await createMessages(database.pool).find(ana.id, { limit: 10, offset: 0 })
    assert.deepEqual(found.messages.map(({ text }) => text).toSorted(), ['from now on', 'to Ana', 'to Ben'])
    assert.equal(await listChats(ana.id), 1)

    async function listChats(id: InstanceId): Promise<number> {
      const sort = { field: 'wa_lastMsgTimestamp', isDescending: true }
      const query = { filters: [], operator: 'AND', sort, limit: 10, offset: 0 } as const
      return (await createChats(database.pool).find({ id, owner: '' }, query)).total
    }
  })

  it('only grows: the old program writes and reads it as before, unless a migration declares a break', async (t) => {
    const newest = Math.max(...known.map(({ version }) => version))
    if (readMigrations().some(({ oldest }) => oldest > newest)) {
      t.skip('A migration says that programs of that release cannot live with it.')
      return
    }
    const place = await testDatabase(t)
    const database = openDatabase({ ...place, poolMax: 1 }, testLog)
    t.after(() => database.close())
    await migrate(database.pool, encryption)
    const client = await database.pool.connect()
    const now = await columnsIn(client)
    client.release()
    const tables = new Set(Object.keys(released.columns).map((name) => name.split('.')[0]))
    for (const [name, { type, isOptional }] of Object.entries(released.columns)) {
      assert.equal(now[name]?.type, type, `${name} is not what it was`)
      assert.ok(!isOptional || now[name]?.isOptional, `${name} must be given now`)
    }
    for (const [name, { isOptional }] of Object.entries(now))
      if (tables.has(name.split('.')[0]) && released.columns[name] === undefined)
        assert.ok(isOptional, `${name} is new and must be given`)
  })
})
