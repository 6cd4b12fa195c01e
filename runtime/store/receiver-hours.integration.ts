import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { openTestStore, type TestStore } from '../../test/support/store.js'
import { noteAccountStates } from './instance-counts.js'
import { createReceiverWrites, readReceiverHours } from './receiver-hours.js'
import { createRetention } from './retention.js'
import { createSearch } from './timed-search.js'
import { createTrafficDirectory } from './traffic.js'
import { createWebhookRows } from './webhooks.js'

const HOUR_MS = 3_600_000

async function newWebhook(store: TestStore, instance: Awaited<ReturnType<TestStore['newInstance']>> | null) {
  const id = randomUUID()
  await store.rows(
    `INSERT INTO webhook (id, instance_id, url, events, secret) VALUES ($1, $2, 'https://receiver.example', '{messages}', '\\x00')`,
    [id, instance],
  )
  return id
}

it('adds attempts of all nodes up by webhook and hour', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const [own, all] = [await newWebhook(store, await store.newInstance()), await newWebhook(store, null)]
  const write = createReceiverWrites(pool)
  const count = (webhookId: string, delivered: number, slowestMs: number) => ({
    ...{ webhookId, delivered, failed: 1, durationMs: delivered * 100, slowestMs },
  })
  // A node that is counted late meets the deletion of a webhook.
  await Promise.all([
    write([count(own, 3, 500), count(all, 1, 100), count(randomUUID(), 1, 1)]),
    write([count(all, 1, 700), count(own, 2, 200)]),
    write([count(own, 0, 0)]),
  ])
  const search = createSearch(pool, 10_000)
  const [ofOwn, ofAll] = await readReceiverHours(search, [own, all], 1)
  const hours = ofOwn?.hours ?? []
  assert.deepEqual([ofOwn?.webhookId, ofAll?.webhookId], [own, all])
  assert.ok(hours.every(({ at }) => at.getTime() % HOUR_MS === 0))
  const sum = (name: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[name], 0)
  assert.deepEqual([sum('delivered'), sum('failed')], [5, 3])
  assert.deepEqual([hours[0]?.averageMs, Math.max(...hours.map(({ slowestMs }) => slowestMs ?? 0))], [100, 500])
  assert.equal((await store.rows('SELECT FROM receiver_hour WHERE webhook_id <> ALL($1)', [[own, all]])).length, 0)
  assert.deepEqual(await readReceiverHours(search, [randomUUID()], 1).then(([none]) => none?.hours), [])
})

it('keeps attempts for eight days, and not longer than their webhook', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const instance = await store.newInstance()
  const id = await newWebhook(store, instance)
  await createReceiverWrites(pool)([{ webhookId: id, delivered: 1, failed: 0, durationMs: 1, slowestMs: 1 }])
  await store.rows(
    `INSERT INTO receiver_hour SELECT webhook_id, now() + days * interval '1 day', instance_id, 1, 1, 1, 1
     FROM receiver_hour, unnest(ARRAY[-8.1, -7.9, 2]::float8[]) AS days`,
  )
  await createRetention({ pool, batchRows: 1 }).run()
  const left = () =>
    store.rows<{ days: number }>(
      `SELECT round(extract(epoch FROM now() - at) / 86400)::int AS days FROM receiver_hour ORDER BY 1`,
    )
  assert.deepEqual(
    (await left()).map(({ days }) => days),
    [0, 8],
  )
  assert.ok(await createWebhookRows(store.database, store.encryption).delete(instance, id))
  assert.deepEqual(await left(), [])
})

it('notes how many accounts have which state when that changes, and shows it over time', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const rows = () =>
    store.rows<{ connected: number; connecting: number; disconnected: number }>(
      'SELECT connected, connecting, disconnected FROM account_state ORDER BY at',
    )
  const backBy = (minutes: number) =>
    store.rows(`UPDATE account_state SET at = at - $1::int * interval '1 minute'`, [minutes])
  const read = async (hours: number) =>
    (await createTrafficDirectory(pool).read({ hours, stepMinutes: 60, node: null })).accounts
  await noteAccountStates(pool)
  assert.deepEqual(await rows(), [], 'an installation without accounts has none')
  const instance = await store.newInstance()
  await noteAccountStates(pool)
  await backBy(26 * 60)
  await noteAccountStates(pool)
  assert.deepEqual(await rows(), [{ connected: 0, connecting: 0, disconnected: 1 }], 'nothing has changed')
  await store.journal
    .forInstance(instance, store.findEpoch(instance))
    .write([{ type: 'instance', set: { status: 'connected' } }])
  await noteAccountStates(pool)
  await Promise.all([noteAccountStates(pool), noteAccountStates(pool)])
  const [first, last, ...others] = await read(24)
  assert.deepEqual(others, [])
  assert.deepEqual([first?.disconnected, last?.connected, last?.disconnected], [1, 1, 0])
  assert.ok((first?.at.getTime() ?? 0) < Date.now() - 25 * HOUR_MS, 'what holds when the hours begin is there')

  await backBy(9 * 24 * 60)
  await createRetention({ pool, batchRows: 1 }).run()
  assert.deepEqual(await rows(), [{ connected: 1, connecting: 0, disconnected: 0 }], 'the newest stays')
  assert.equal((await read(1))[0]?.connected, 1)
})
