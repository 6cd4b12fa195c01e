import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import type { NotedRequest } from '../../schemas/ports/requests.js'
import { openTestStore, type TestStore, testLog } from '../../test/support/store.js'
import { createRequestLog } from './request-log.js'
import { createRetention } from './retention.js'

const EVERYTHING = { limit: 1_000, withDashboard: true }

const makeRequest = (instance: InstanceId, set: Partial<NotedRequest> = {}): NotedRequest => ({
  ...{ instance, operation: 'sendText', by: 'token', key: '', client: 'n8n/1.0', hasPass: false, isRead: false },
  ...{ status: 200, code: '', durationMs: 12.4, requestId: 'r1' },
  ...set,
})

const openLog = (store: TestStore, pool = store.database.pool) =>
  createRequestLog({ pool, node: 'north-1', log: testLog, everyMs: 3_600_000 })

it('lists the calls of an instance newest first, filtered, without what the dashboard read', async (t) => {
  const store = await openTestStore(t)
  const [ana, ben] = [await store.newInstance(), await store.newInstance()]
  const log = openLog(store)
  log.note(makeRequest(ana))
  log.note(makeRequest(ana, { operation: 'sendMenu', status: 400, code: 'INVALID_REQUEST', by: 'key', key: 'k1' }))
  log.note(makeRequest(ana, { operation: 'findChats', hasPass: true, isRead: true }))
  log.note(makeRequest(ana, { operation: 'deleteChat', hasPass: true, client: 'a\0b'.padEnd(300, 'c') }))
  log.note(makeRequest(ben, { operation: 'other' }))
  await log.close()
  const findNames = async (query: Partial<Parameters<typeof log.find>[1]>) =>
    (await log.find(ana, { limit: 10, withDashboard: false, ...query })).requests.map(({ operation }) => operation)
  assert.deepEqual(await findNames({}), ['deleteChat', 'sendMenu', 'sendText'])
  assert.deepEqual(await findNames({ withDashboard: true }), ['deleteChat', 'findChats', 'sendMenu', 'sendText'])
  assert.deepEqual(await findNames({ isFailed: true }), ['sendMenu'])
  assert.deepEqual(await findNames({ isFailed: false, operation: 'sendText' }), ['sendText'])
  assert.deepEqual(await findNames({ key: 'k1' }), ['sendMenu'])
  const page = await log.find(ana, { limit: 2, withDashboard: false })
  assert.deepEqual([page.hasMore, page.leftOut], [true, 0])
  assert.equal(page.requests[0]?.client, `a b${'c'.repeat(97)}`)
  assert.deepEqual(await findNames({ before: page.requests[1]?.position ?? 0 }), ['sendText'])
  const [other] = (await log.find(ben, EVERYTHING)).requests
  assert.ok(Math.abs(Date.now() - Number(other?.at)) < 30_000)
  assert.equal(other?.durationMs, 12)
})

it('leaves calls out under pressure and counts them, but keeps those that failed', async (t) => {
  const store = await openTestStore(t)
  const ana = await store.newInstance()
  const log = openLog(store)
  for (let call = 0; call < 1_500; call += 1) log.note(makeRequest(ana))
  log.note(makeRequest(ana, { status: 503, code: 'STORE_UNAVAILABLE' }))
  await log.close()
  const { requests, leftOut } = await log.find(ana, EVERYTHING)
  assert.equal(requests[0]?.code, 'STORE_UNAVAILABLE')
  assert.ok(requests.length >= 501 && requests.length <= 510, String(requests.length))
  assert.equal(requests.length + leftOut, 1_501)
})

it('counts calls as left out while PostgreSQL is away, and holds up nobody', async (t) => {
  const store = await openTestStore(t)
  const ana = await store.newInstance()
  const { pool } = store.database
  let isAway = true
  const query = (...given: unknown[]) =>
    isAway ? Promise.reject(new Error('away')) : Reflect.apply(pool.query, pool, given)
  const log = openLog(store, { query } as unknown as typeof pool)
  log.note(makeRequest(ana))
  await log.close()
  isAway = false
  log.note(makeRequest(ana))
  await log.close()
  const { requests, leftOut } = await log.find(ana, EVERYTHING)
  assert.deepEqual([requests.length, leftOut], [1, 1])
})

it('is kept for a day', async (t) => {
  const store = await openTestStore(t)
  const ana = await store.newInstance()
  const log = openLog(store)
  for (const operation of ['old', 'new']) log.note(makeRequest(ana, { operation }))
  await log.close()
  await store.rows(`UPDATE request_log SET at = at - interval '25 hours' WHERE operation = 'old'`)
  assert.equal((await log.find(ana, EVERYTHING)).requests.length, 1)
  await createRetention({ pool: store.database.pool, batchRows: 1 }).run()
  const left = await store.rows<{ operation: string }>('SELECT operation FROM request_log')
  assert.deepEqual(left, [{ operation: 'new' }])
})
