import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../../runtime/store/database.js'
import { createEncryption } from '../../runtime/store/encryption.js'
import { isSessionKept, prepareSchema } from '../../runtime/store/prepare-schema.js'
import { startScene } from '../cluster/scene.js'
import { lastFirst } from '../support/cleanup.js'
import { migratedDatabase, testDatabase, testPostgres } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.js'
import { findPgbouncer } from '../support/pgbouncer-program.js'
import { connectDatabase } from '../support/statements.js'
import { testLog } from '../support/store.js'
import { startWorld } from '../support/world.js'

const encryption = createEncryption(Buffer.alloc(32, 7))
const BEN = '15550890002'
/** A busy machine takes its time. */
const PATIENCE_MS = 60_000
let missing: string | false = false

before(async () => {
  await findPgbouncer().catch((error: Error) => {
    missing = `There is no PgBouncer: ${error.message.split('\n')[0]}`
  })
})

describe('behind a PgBouncer in transaction mode', () => {
  it('two nodes lose, double and reorder nothing when it restarts, pauses, and a node is killed', async (t) => {
    if (missing) return t.skip(missing)
    let pgbouncer: Pgbouncer | undefined
    const scene = await startScene(t, {
      nodes: 2,
      instances: 2,
      pooler: async (cleanup, url) => {
        pgbouncer = await startPgbouncer(cleanup, url, { poolSize: 3 })
        return pgbouncer.connectionString
      },
    })
    assert.ok(pgbouncer)
    await scene.goesOn(5, PATIENCE_MS)
    await pgbouncer.kill()
    await pgbouncer.start()
    await scene.goesOn(5, PATIENCE_MS)
    await pgbouncer.command('PAUSE')
    await pgbouncer.command('RESUME')
    await scene.goesOn(5, PATIENCE_MS)
    const [first, second] = scene.cluster.nodes
    assert.ok(first && second)
    await first.kill('SIGKILL')
    await scene.cluster.shared([second], PATIENCE_MS)
    await scene.goesOn(5, PATIENCE_MS)
    await scene.ends(PATIENCE_MS)
  })

  it('a crash of PostgreSQL amid commits loses and doubles nothing', async (t) => {
    if (missing) return t.skip(missing)
    const cleanup = lastFirst(t)
    const postgres = await testPostgres(cleanup)
    const pgbouncer = await startPgbouncer(cleanup, postgres.connectionString, { poolSize: 4 })
    const env = {
      DATABASE_URL: pgbouncer.connectionString,
      DATABASE_DIRECT_URL: postgres.connectionString,
      DATABASE_POOLER: 'transaction',
      DATABASE_CONNECT_TIMEOUT_MS: '1000',
      RECONNECT_DELAY_MAX_MS: '300',
    }
    const world = await startWorld(cleanup, env, { postgres })
    const ana = await world.paired('15550890001', 'Ana')
    await world.phone(BEN, 'Ben')
    const send = (text: string) =>
      ana.call('POST', '/send/text', { number: BEN, text }, { 'idempotency-key': text.replaceAll(' ', '-') })
    const shown = async () => {
      const all = await world.network<{ text: string }[]>('GET', `/phones/${BEN}/messages?own=false`)
      return all.map(({ text }) => text)
    }
    await ana.text(BEN, 'before')
    const database = await connectDatabase(cleanup, postgres.connectionString)
    // Runs within COMMIT.
    await database.query(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON message DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.text LIKE 'amid%') EXECUTE FUNCTION dawdle()`)
    const answer = send('amid the commit')
    await eventually(
      () => database.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = 'COMMIT'`),
      ({ rowCount }) => rowCount === 1,
    )
    await postgres.kill()
    await postgres.start()
    const { status } = await answer
    assert.ok([503, 504].includes(status), String(status))
    const again = await connectDatabase(cleanup, postgres.connectionString)
    await again.query('DROP TRIGGER dawdle ON message')
    for (const text of ['amid the commit', 'after'])
      await eventually(
        () => send(text),
        (sent) => sent.status === 200,
        PATIENCE_MS,
      )
    await eventually(shown, (texts) => texts.includes('after'), PATIENCE_MS)
    assert.deepEqual(await shown(), ['before', 'amid the commit', 'after'])
  })

  it('a program starts only if the settings say so, and never if the direct way leads to it too', async (t) => {
    if (missing) return t.skip(missing)
    const { connectionString: url } = await migratedDatabase(t)
    const { connectionString: pooled } = await startPgbouncer(t, url, { poolSize: 3 })
    const refused = (direct: string | undefined, why: RegExp) =>
      assert.rejects(prepare(t, pooled, direct), (error: Error) => why.test(error.message))
    await refused(undefined, /DATABASE_URL leads to a pooler .* Set DATABASE_POOLER=transaction/)
    await refused(pooled, /DATABASE_DIRECT_URL leads to a pooler/)
    const { connectionString: other } = await testDatabase(t)
    await refused(other, /lead to two different databases/)
    await prepare(t, pooled, url)
  })
})

describe('behind a PgBouncer in session mode', () => {
  it('a program starts without further settings', async (t) => {
    if (missing) return t.skip(missing)
    const { connectionString: url } = await migratedDatabase(t)
    const { connectionString: pooled } = await startPgbouncer(t, url, { poolSize: 4, mode: 'session' })
    assert.equal(await isSessionKept({ connectionString: pooled }), true)
    await prepare(t, pooled, undefined)
  })
})

async function prepare(
  t: { after(work: () => Promise<void>): void },
  connectionString: string,
  direct: string | undefined,
): Promise<void> {
  const database = openDatabase(
    { connectionString, poolMax: 2, ...(direct === undefined ? {} : { direct: { connectionString: direct } }) },
    testLog,
  )
  t.after(() => database.close())
  await prepareSchema(database, encryption)
}
