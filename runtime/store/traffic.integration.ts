import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openTestStore } from '../../test/support/store.js'
import type { EndedWindow } from '../metrics/traffic.js'
import { delayStep, toDurationMs } from './delay-scale.js'
import { createRetention } from './retention.js'
import { createTrafficDirectory, createTrafficWrites } from './traffic.js'

const MINUTE_MS = 60_000

const makeWindow = (agoMs: number, delays: Readonly<Record<number, number>> = {}): EndedWindow => {
  const counts = Object.entries(delays).map(([ms, count]) => [delayStep(Number(ms)), count] as const)
  const delivered = counts.reduce((sum, [, count]) => sum + count, 0)
  return { agoMs, sent: 1, received: 2, failed: 3, delivered, delays: new Map(counts) }
}

it('adds up the windows of all nodes by time and by node, with the percentiles of all deliveries together', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const one = createTrafficWrites(pool, 'north-1')
  const two = createTrafficWrites(pool, 'north-2')
  await one([makeWindow(400 * MINUTE_MS), makeWindow(30 * MINUTE_MS, { 10: 98 })])
  // A node that restarts has two rows of a window.
  await one([makeWindow(30 * MINUTE_MS)])
  await two([makeWindow(30 * MINUTE_MS, { 5000: 2 })])
  const directory = createTrafficDirectory(pool)

  const { rows, nodes } = await directory.read({ hours: 24, stepMinutes: 5, node: null })
  assert.deepEqual(
    rows.map(({ sent, received, failed, delivered }) => [sent, received, failed, delivered]),
    [
      [1, 2, 3, 0],
      [3, 6, 9, 100],
    ],
  )
  assert.deepEqual([rows[0]?.p50Ms, rows[0]?.p99Ms], [null, null])
  assert.deepEqual([rows[1]?.p50Ms, rows[1]?.p99Ms], [toDurationMs(delayStep(10)), toDurationMs(delayStep(5_000))])
  const last = rows[1]?.at.getTime() ?? 0
  assert.equal(last % (5 * MINUTE_MS), 0)
  assert.ok(Math.abs(Date.now() - last - 30 * MINUTE_MS) <= 6 * MINUTE_MS, String(Date.now() - last))
  assert.deepEqual(
    nodes.map(({ id, sent, delivered }) => [id, sent, delivered]),
    [
      ['north-1', 3, 98],
      ['north-2', 1, 2],
    ],
  )

  const ofOne = await directory.read({ hours: 1, stepMinutes: 60, node: 'north-1' })
  assert.equal(
    ofOne.rows.reduce((sum, { sent }) => sum + sent, 0),
    2,
  )
})

it('is kept for eight days', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const DAY_MS = 24 * 60 * MINUTE_MS
  await createTrafficWrites(
    pool,
    'north-1',
  )([makeWindow(8.1 * DAY_MS), makeWindow(-2 * DAY_MS), makeWindow(7.9 * DAY_MS)])
  await createRetention({ pool, batchRows: 1 }).run()
  const left = await store.rows<{ days: number }>('SELECT extract(epoch FROM now() - at) / 86400 AS days FROM traffic')
  assert.deepEqual(
    left.map(({ days }) => Math.round(Number(days) * 10) / 10),
    [7.9],
  )
})

it('shows what the agents of all instances cost by day', async (t) => {
  const store = await openTestStore(t)
  for (const instance of [await store.newInstance(), await store.newInstance()])
    await store.rows(
      `INSERT INTO agent_usage (instance_id, day, turns, tokens_in, tokens_out, cost_micros)
       SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, 2, 30, 4, 500000 FROM unnest(ARRAY[0, 1, 12]) AS n`,
      [instance],
    )
  const { agents } = await createTrafficDirectory(store.database.pool).read({ hours: 192, stepMinutes: 60, node: null })
  assert.equal(agents.length, 2)
  assert.deepEqual({ ...agents[1], day: '' }, { day: '', turns: 4, tokens: 68, costMicros: 1_000_000 })
})
