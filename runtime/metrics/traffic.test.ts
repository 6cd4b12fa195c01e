import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.js'
import { testLog } from '../../test/support/store.js'
import { delayStep, toDurationMs } from '../store/delay-scale.js'
import { createReceiverCounts } from './receiver-counts.js'
import { countTraffic, createTraffic, type EndedWindow, startTrafficWriter, WINDOW_MS } from './traffic.js'

describe('the traffic of a node', () => {
  it('is counted by windows, and an idle window makes no row', () => {
    let now = 0
    const traffic = createTraffic(() => now)
    now = 300_000
    assert.deepEqual(traffic.take(), [])
    countTraffic(traffic, { what: 'ack', isTaken: true })
    countTraffic(traffic, { what: 'ack', isTaken: false })
    countTraffic(traffic, { what: 'inbound', isOwn: false })
    countTraffic(traffic, { what: 'inbound', isOwn: true })
    traffic.delivered(40)
    traffic.delivered(39)
    now = 600_000
    const delays = new Map([[delayStep(40), 2]])
    assert.deepEqual(traffic.take(), [{ sent: 2, failed: 1, received: 1, delivered: 2, delays, agoMs: 150_000 }])
    assert.deepEqual(traffic.take(), [])
  })

  it('waits while PostgreSQL is away, for two hours at most', () => {
    let now = 0
    const traffic = createTraffic(() => now)
    for (let window = 0; window < 30; window += 1) {
      traffic.received()
      now += WINDOW_MS
      traffic.putBack(traffic.take())
    }
    const kept = traffic.take()
    assert.equal(kept.length, 24)
    assert.deepEqual([kept.at(-1)?.agoMs, kept[0]?.agoMs], [WINDOW_MS / 2, WINDOW_MS * 23.5])
  })

  it('is written at the end of a window and at a stop, again after a failure', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 })
    const traffic = createTraffic()
    const written: (readonly EndedWindow[])[] = []
    let isAway = true
    const writer = startTrafficWriter(
      traffic,
      async (windows) => {
        if (isAway) throw new Error('away')
        written.push(windows)
      },
      testLog,
    )
    traffic.sent()
    t.mock.timers.tick(WINDOW_MS)
    t.mock.timers.reset()
    assert.deepEqual(written, [])
    isAway = false
    await writer.close()
    await eventually(async () => written.flat().some(({ sent }) => sent === 1))
    assert.equal(written.length, 1)
  })

  it('knows durations to an eighth, from a millisecond to two minutes', () => {
    for (const ms of [1.5, 3, 40, 999, 15_000, 110_000]) {
      const shown = toDurationMs(delayStep(ms))
      assert.ok(shown > ms * 0.87 && shown < ms * 1.13, `${ms}: ${shown}`)
    }
    assert.equal(delayStep(10 * 60_000), delayStep(20 * 60_000))
    for (const odd of [0, -1, Number.NaN]) assert.equal(delayStep(odd), 0)
  })
})

describe('the attempts of a node to deliver', () => {
  it('are counted by webhook, kept after a failed write, and bounded', () => {
    const counts = createReceiverCounts(2)
    counts.attempt('a', true, 40.4)
    counts.attempt('a', true, 120)
    counts.attempt('a', false, 9_000)
    counts.attempt('b', false, 5)
    counts.attempt('c', true, 5)
    const taken = counts.take()
    assert.deepEqual(taken, [
      { webhookId: 'a', delivered: 2, failed: 1, durationMs: 160, slowestMs: 120 },
      { webhookId: 'b', delivered: 0, failed: 1, durationMs: 0, slowestMs: 0 },
    ])
    assert.deepEqual(counts.take(), [])
    counts.attempt('a', true, 200)
    counts.putBack(taken)
    assert.deepEqual(counts.take()[0], { webhookId: 'a', delivered: 3, failed: 1, durationMs: 360, slowestMs: 200 })
  })

  it('are written by the thousand', async () => {
    const counts = createReceiverCounts()
    for (let webhook = 0; webhook < 2_500; webhook += 1) counts.attempt(`w${webhook}`, true, 1)
    const written: number[] = []
    await startTrafficWriter(counts, async (some) => void written.push(some.length), testLog).close()
    assert.deepEqual(written, [1_000, 1_000, 500])
  })
})
