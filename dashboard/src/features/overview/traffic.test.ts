import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeCourse, makeDurations, makeStates } from './traffic.js'

it('lays traffic over even times, with 0 messages and no duration where there is no row', () => {
  const row = { sent: 3, received: 5, failed: 1, delivered: 4, p50Seconds: 0.05, p99Seconds: 0.4 }
  const reply = {
    ...{ at: '2026-01-31T12:03:10.000Z', hours: 1, stepMinutes: 15, nodes: [], agents: [], accounts: [] },
    rows: [{ at: '2026-01-31T11:30:00.000Z', ...row }],
  }
  const { times, sent, failed } = makeCourse(reply)
  assert.deepEqual(
    times.map((time) => new Date(time).toISOString().slice(11, 16)),
    ['11:00', '11:15', '11:30', '11:45'],
  )
  assert.deepEqual(
    [sent, failed],
    [
      [0, 0, 3, 0],
      [0, 0, 1, 0],
    ],
  )
  assert.deepEqual(makeDurations(reply).nearlyAll, [null, null, 0.4, null])
  // The present quarter of an hour is not over. Alone, it is shown.
  const rows = [{ at: '2026-01-31T12:00:00.000Z', ...row }]
  assert.deepEqual(makeCourse({ ...reply, rows }).sent, [0, 0, 0, 3])
})

it('carries the accounts by state on until they change, and knows nothing before', () => {
  const row = (at: string, connected: number) => ({ at, connected, connecting: 0, disconnected: 5 - connected })
  const reply = {
    ...{ at: '2026-01-31T12:03:10.000Z', hours: 1, stepMinutes: 15, nodes: [], agents: [], rows: [] },
    accounts: [row('2026-01-31T11:20:00.000Z', 2), row('2026-01-31T12:00:00.000Z', 4)],
  }
  const { connected, disconnected, times } = makeStates(reply)
  assert.deepEqual(connected, [null, null, 2, 2, 4])
  assert.deepEqual(disconnected, [null, null, 3, 3, 1])
  assert.equal(times.at(-1), Date.parse('2026-01-31T12:00:00.000Z'))
  const former = makeStates({ ...reply, accounts: [row('2026-01-25T00:00:00.000Z', 3)] })
  assert.deepEqual(former.connected, [3, 3, 3, 3, 3])
})
