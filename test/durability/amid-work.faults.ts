import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld, type World } from '../support/world.js'
import { chooseSeed, seededRandom } from './random.js'
import { watchStatus } from './status-watch.js'
import { startTraffic } from './traffic.js'

interface Trouble {
  readonly world: World
  readonly database: Client
  readonly random: () => number
}

describe('amid traffic in both directions nothing is lost, doubled, out of order or undecryptable', () => {
  it('when PostgreSQL ends connections again and again', (t) =>
    inTrouble(t, async ({ database, random }) => {
      for (let round = 0; round < 20; round += 1) {
        await pause(random() * 400)
        await database.query(`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'posthorn%' AND random() < 0.7`)
      }
    }))

  it('when PostgreSQL refuses one message in ten', (t) =>
    inTrouble(t, async ({ database }) => {
      await database.query(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN IF random() < 0.1 THEN RAISE EXCEPTION 'refused by the test'; END IF; RETURN NEW; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION refuse()`)
      await pause(6_000)
      await database.query('DROP TRIGGER refuse ON message')
    }))

  it('when the network drops the connection again and again while commits are slow', (t) =>
    inTrouble(t, async ({ world, database, random }) => {
      await database.query(`
        CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM pg_sleep(random() * 0.1); RETURN NULL; END $$;
        CREATE TRIGGER dawdle AFTER INSERT ON event FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`)
      for (let round = 0; round < 20; round += 1) {
        await pause(random() * 400)
        await world.network('POST', '/faults/close', { phone: '15550750001', abrupt: random() < 0.5 })
      }
      await database.query('DROP TRIGGER dawdle ON event')
    }))
})

async function inTrouble(t: TestContext, trouble: (with_: Trouble) => Promise<void>): Promise<void> {
  const world = await startWorld(t, { RECONNECT_DELAY_MAX_MS: '200' })
  const receiver = await startReceiver(t)
  const ana = await world.paired('15550750001', 'Ana')
  await world.phone('15550750002')
  await ana.hook(receiver.url)
  const watch = watchStatus(t, world, [ana])
  const traffic = startTraffic(t, world, ana, { peer: '15550750002', receiver, everyMs: 10 })
  const database = await connectDatabase(t, world.gateway.databaseUrl)
  await trouble({ world, database, random: seededRandom(chooseSeed(t)) })
  await traffic.stop()
  await ana.connected()
  await traffic.hasArrived()
  for (const status of traffic.answers.keys()) assert.ok(status === 200 || status === 503, String(status))
  assert.deepEqual(await watch.stop(), [])
}
