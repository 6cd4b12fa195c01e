import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { eventually } from '../support/eventually.js'
import { type CuttableProxy, startDatabaseProxy } from '../support/proxy.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld } from '../support/world.js'

const BEN = '15550350002'

const SLOW_COMMIT = `
  CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON message DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW."status" = 'queued') EXECUTE FUNCTION slow_commit()`
const COMMITTING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`

it('a queued send whose commit was made and not confirmed keeps its file, and arrives with it', async (t) => {
  let store: CuttableProxy | undefined
  const world = await startWorld(
    t,
    { RECONNECT_DELAY_MAX_MS: '500' },
    {
      between: async (connectionString) => {
        const proxy = await startDatabaseProxy(t, connectionString)
        store = proxy
        return proxy.connectionString
      },
    },
  )
  const ana = await world.paired('15550350001', 'Ana')
  await world.phone(BEN, 'Ben')
  const database = await connectDatabase(t, world.gateway.databaseUrl)
  await database.query(SLOW_COMMIT)
  const file = randomBytes(50_000)
  const body = { number: BEN, type: 'document', file: file.toString('base64'), async: true }
  const asked = ana.call('POST', '/send/media', body)
  await eventually(async () => (await database.query(COMMITTING)).rowCount === 1)
  store?.cut()
  const answer = await asked
  assert.deepEqual([answer.status, answer.body.code], [503, 'STORE_UNAVAILABLE'])
  await eventually(async () => (await database.query('SELECT FROM message WHERE outbox = 1')).rowCount === 1)
  store?.mend()
  // A new connection looks at the queue at once.
  await eventually(async () => (await ana.call('POST', '/instance/reset', {})).status === 200)
  const shown = await eventually(
    () => world.network<{ media: ShownMedia[] }[]>('GET', `/phones/${BEN}/messages?own=false`),
    (messages) => messages.length > 0,
    40_000,
  )
  assert.deepEqual(
    shown.flatMap(({ media }) => media.map(({ sha256 }) => sha256)),
    [createHash('sha256').update(file).digest('hex')],
  )
})
