import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LOOK_MS, LoopWatch, type WatchAct } from './watch.js'

/** Looks every LOOK_MS from `fromMs` on. */
function looks(watch: LoopWatch, count: number, fromMs: number, seenMs: (nowMs: number) => number): WatchAct['type'][] {
  return Array.from({ length: count }, (_, index) => {
    const nowMs = fromMs + index * LOOK_MS
    return watch.look({ nowMs, seenMs: seenMs(nowMs) }).type
  }).filter((type) => type !== 'none')
}

describe('the watch over the event loop', () => {
  it('reports a blocked loop once, and ends its process at the limit', () => {
    const watch = new LoopWatch({ reportMs: 5_000, endMs: 20_000 })
    assert.deepEqual(
      looks(watch, 200, 0, (nowMs) => nowMs - 100),
      [],
    )
    assert.deepEqual(
      looks(watch, 39, 100_000, () => 99_900),
      ['report'],
    )
    assert.equal(watch.isOverLimit, false)
    assert.deepEqual(
      looks(watch, 10, 119_500, () => 99_900),
      ['end'],
    )
    assert.equal(watch.isOverLimit, true)
  })

  it('says when a loop that was reported runs again, and for how long it was blocked', () => {
    const watch = new LoopWatch({ reportMs: 5_000, endMs: 20_000 })
    looks(watch, 10, 0, (nowMs) => nowMs)
    looks(watch, 17, 5_000, () => 4_500)
    assert.deepEqual(watch.look({ nowMs: 13_500, seenMs: 13_400 }), { type: 'over', blockedForMs: 8_500 })
    assert.deepEqual(watch.look({ nowMs: 14_000, seenMs: 13_900 }), { type: 'none' })
    assert.equal(watch.blockedMs, 100)
  })

  it('does not count the time in which the whole process was stopped', () => {
    const watch = new LoopWatch({ reportMs: 5_000, endMs: 20_000 })
    looks(watch, 10, 0, (nowMs) => nowMs)
    assert.deepEqual(watch.look({ nowMs: 3_600_000, seenMs: 4_500 }), { type: 'none' })
    assert.ok(watch.blockedMs <= 2 * LOOK_MS)
  })
})
