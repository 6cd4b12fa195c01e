import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld, type TestInstance } from '../support/world.js'
import { watchStatus } from './status-watch.js'
import { startTraffic, type Traffic } from './traffic.js'

it('when the database refuses the messages of one instance, no other notices, and it recovers by itself without a loss', async (t) => {
  const world = await startWorld(t, { RECONNECT_DELAY_MAX_MS: '500' })
  const receiver = await startReceiver(t)
  const instances: TestInstance[] = []
  const traffics: Traffic[] = []
  for (const index of [0, 1, 2]) {
    const instance = await world.paired(`1555074000${index}`)
    const peer = `1555074001${index}`
    await world.phone(peer)
    await instance.hook(receiver.url)
    instances.push(instance)
    traffics.push(startTraffic(t, world, instance, { peer, receiver, everyMs: 50 }))
  }
  const [bad, ...good] = instances
  const [badTraffic, ...goodTraffics] = traffics
  assert.ok(bad !== undefined && badTraffic !== undefined)
  const watch = watchStatus(t, world, instances)
  const goOn = async (some: readonly Traffic[]) => {
    const before = some.map((traffic) => traffic.count('direct') + traffic.count('queued'))
    await eventually(
      () => some.map((traffic, index) => traffic.count('direct') + traffic.count('queued') - (before[index] ?? 0)),
      (counts) => counts.every((count) => count >= 20),
    )
  }
  const countLogins = async (numbers: readonly string[]) => {
    const logins = await world.network<{ phoneNumber: string }[]>('GET', '/log/logins')
    return logins.filter(({ phoneNumber }) => numbers.includes(phoneNumber)).length
  }
  const goodNumbers = good.map(({ number }) => number)
  await goOn(traffics)
  const before = { good: await countLogins(goodNumbers), bad: await countLogins([bad.number]) }

  const database = await connectDatabase(t, world.gateway.databaseUrl)
  await database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW WHEN (NEW.instance_id = '${bad.id}') EXECUTE FUNCTION refuse()`)
  const refusedFrom = badTraffic.answers.get(503) ?? 0
  await eventually(
    () => badTraffic.answers.get(503) ?? 0,
    (count) => count >= refusedFrom + 4,
  )
  await goOn(goodTraffics)
  await eventually(
    () => countLogins([bad.number]),
    (count) => count >= before.bad + 2,
  )
  await goOn(goodTraffics)
  await database.query('DROP TRIGGER refuse ON message')

  await goOn(traffics)
  await pause(200)
  for (const traffic of traffics) await traffic.stop()
  for (const traffic of traffics) await traffic.hasArrived()
  assert.equal(await countLogins(goodNumbers), before.good, 'another instance was disconnected')
  for (const { answers } of goodTraffics) assert.deepEqual([...answers.keys()], [200])
  for (const status of badTraffic.answers.keys()) assert.ok(status === 200 || status === 503, String(status))
  await bad.connected()
  assert.deepEqual(await watch.stop(), [])
})
