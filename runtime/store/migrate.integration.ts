import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { Cleanup } from '../../test/support/cleanup.js'
import { testDatabase } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { startDatabaseProxy } from '../../test/support/proxy.js'
import { aMessage, openTestStore, received, testLog } from '../../test/support/store.js'
import { type Database, openDatabase } from './database.js'
import { createEncryption } from './encryption.js'
import { migrate, readMigrations } from './migrate.js'
import { createReader } from './reader.js'

const encryption = createEncryption(Buffer.alloc(32, 1))

describe('a database', () => {
  it('is left by all connections when it is closed, although nothing was asked through the query builder', async (t) => {
    const place = await testDatabase(t)
    const database = openDatabase({ ...place, poolMax: 4 }, testLog)
    await Promise.all([database.pool.query('SELECT'), database.session.query('SELECT')])
    await database.close()
    const [looking] = await openThree(t, place)
    const { rows } = await looking!.pool.query(
      'SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    assert.deepEqual(rows, [])
  })

  it('is not closed before PostgreSQL has taken leave of each connection, so that a stop finds none to report as lost', async (t) => {
    const place = await testDatabase(t)
    const proxy = await startDatabaseProxy(t, place.connectionString)
    const database = openDatabase({ ...place, connectionString: proxy.connectionString }, testLog)
    await Promise.all([database.pool.query('SELECT'), database.session.query('SELECT')])
    proxy.silence({ way: 'up' })
    let isClosed = false
    const closing = database.close().then(() => {
      isClosed = true
    })
    await eventually(() => database.session.totalCount === 0)
    await turnOfLoop()
    assert.equal(isClosed, false)
    proxy.mend()
    await closing
  })

  it('is brought up once by three nodes that start at the same time', async (t) => {
    const databases = await openThree(t)
    const installations = await Promise.all(databases.map((database) => migrate(database.pool, encryption)))
    assert.equal(new Set(installations.map((installation) => installation.id)).size, 1)
    const { rows } = await databases[0]!.pool.query('SELECT version FROM migration ORDER BY version')
    assert.deepEqual(
      rows.map((row) => row.version),
      readMigrations().map((migration) => migration.version),
    )
    assert.deepEqual(await migrate(databases[1]!.pool, encryption), installations[0])
  })

  it('to which a newer version has added is taken by an older one, until a migration says that it is too old', async (t) => {
    const [database] = await openThree(t)
    const { id } = await migrate(database!.pool, encryption)
    const added = {
      version: 9998,
      name: '9998_added.sql',
      oldest: 0,
      sql: 'ALTER TABLE instance ADD COLUMN later text',
    }
    await migrate(database!.pool, encryption, { files: [...readMigrations(), added] })
    assert.equal((await migrate(database!.pool, encryption)).id, id)
    const gone = { version: 9999, name: '9999_gone.sql', oldest: 9998, sql: 'ALTER TABLE instance DROP COLUMN name' }
    await migrate(database!.pool, encryption, { files: [...readMigrations(), added, gone] })
    await migrate(database!.pool, encryption, { files: [...readMigrations(), added] })
    await assert.rejects(migrate(database!.pool, encryption), /only versions that know 9998 can use/)
  })

  it('gets a migration whose number is lower than that of others which it has', async (t) => {
    const [database] = await openThree(t)
    const [late, early] = [9996, 9997].map((version) => ({
      version,
      name: `${version}_made.sql`,
      oldest: 0,
      sql: `CREATE TABLE made_${version} ()`,
    }))
    assert.ok(late !== undefined && early !== undefined)
    await migrate(database!.pool, encryption, { files: [...readMigrations(), early] })
    for (let start = 0; start < 2; start += 1)
      await migrate(database!.pool, encryption, { files: [...readMigrations(), late, early] })
    const { rows } = await database!.pool.query('SELECT version FROM migration WHERE version > 9000 ORDER BY version')
    assert.deepEqual(
      rows.map(({ version }) => version),
      [9996, 9997],
    )
    assert.notEqual((await database!.pool.query("SELECT to_regclass('made_9996') AS made")).rows[0].made, null)
  })

  it('is changed when it can be, and nobody waits meanwhile behind the change for a long read', async (t) => {
    const [database, atWork] = await openThree(t)
    await migrate(database!.pool, encryption)
    const reader = await atWork!.pool.connect()
    await reader.query('BEGIN; SELECT FROM instance')
    const sql = 'ALTER TABLE instance ADD COLUMN later text'
    const migrated = migrate(database!.pool, encryption, {
      files: [...readMigrations(), { version: 9998, name: '9998_added.sql', oldest: 0, sql }],
    })
    const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE instance%'"
    await eventually(async () => (await atWork!.pool.query(waits)).rowCount === 1)
    // Behind the one that waits, until that gives way.
    await atWork!.pool.query('SELECT FROM instance')
    await reader.query('COMMIT')
    reader.release()
    assert.equal((await migrated).schemaVersion, 9998)
  })

  it('is left as it was by a migration that fails', async (t) => {
    const [database] = await openThree(t)
    const broken = [
      ...readMigrations(),
      { version: 9000, name: '9000_broken.sql', oldest: 0, sql: 'CREATE TABLE half (); SELECT 1/0' },
    ]
    await assert.rejects(migrate(database!.pool, encryption, { files: broken }), /9000_broken.sql failed/)
    assert.equal((await database!.pool.query("SELECT to_regclass('half') AS half")).rows[0].half, null)
    await migrate(database!.pool, encryption)
  })

  it('written under another key is refused with a sentence, and opens when the key is named as an old one', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const message = aMessage({ proto: Buffer.from('proto') })
    await journal.write([{ type: 'credentials', data: Buffer.from('secret') }, received(message)])

    const wrong = createEncryption(Buffer.alloc(32, 9))
    await assert.rejects(migrate(store.database.pool, wrong), /ENCRYPTION_KEY is not the key/)
    const rotated = createEncryption(Buffer.alloc(32, 9), [Buffer.alloc(32, 7)])
    await migrate(store.database.pool, rotated)
    const reader = createReader(store.database.pool, rotated)
    assert.deepEqual(await reader.credentials(instance), Buffer.from('secret'))
    assert.deepEqual((await reader.messagesById(instance, [message.messageid]))[0]?.proto, Buffer.from('proto'))
    await assert.rejects(migrate(store.database.pool, store.encryption), /ENCRYPTION_KEY is not the key/)
  })
})

async function openThree(t: Cleanup, given?: { connectionString: string }): Promise<Database[]> {
  const place = given ?? (await testDatabase(t))
  return [1, 2, 3].map(() => {
    const database = openDatabase({ ...place, poolMax: 4 }, testLog)
    t.after(() => database.close())
    return database
  })
}
