import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../../runtime/store/database.js'
import { createEncryption } from '../../runtime/store/encryption.js'
import { prepareSchema } from '../../runtime/store/prepare-schema.js'
import { isSessionKept } from '../../runtime/store/session-kept.js'
import { startScene } from '../cluster/scene.js'
import { migratedDatabase, testDatabase } from '../support/embedded.js'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.js'
import { findPgbouncer } from '../support/pgbouncer-program.js'
import { testLog } from '../support/store.js'

const encryption = createEncryption(Buffer.alloc(32, 7))
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
