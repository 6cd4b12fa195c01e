import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ReceiverPace } from './receiver-pace.js'

/**
 * Sends in rounds, as many at once as there are places, to a receiver that works on `capacity` requests at once for `latencyMs` each.
 * Returns the places after each round.
 */
function send(pace: ReceiverPace, rounds: number, { latencyMs, capacity, fails = () => false, startMs = 0 }: Receiver) {
  let nowMs = startMs
  const seen: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const places = pace.places
    const beginMs = nowMs
    for (let index = 0; index < places; index += 1) {
      const durationMs = latencyMs * Math.ceil((index + 1) / capacity)
      nowMs = Math.max(nowMs, beginMs + durationMs)
      pace.take({ isWell: !fails(round, index), isSlow: durationMs >= 3_000, durationMs, isFull: true }, nowMs)
    }
    seen.push(pace.places)
  }
  return { seen, endMs: nowMs }
}

interface Receiver {
  readonly latencyMs: number
  readonly capacity: number
  readonly fails?: (round: number, index: number) => boolean
  readonly startMs?: number
}

const wide = { latencyMs: 500, capacity: 10_000 }

describe('the places of a receiver', () => {
  it('grow to the maximum in a few answers, however slow it is, and never above', () => {
    for (const latencyMs of [1, 50, 200, 500, 2_000]) {
      const pace = new ReceiverPace({ start: 16, max: 128 })
      assert.deepEqual(send(pace, 4, { ...wide, latencyMs }).seen, [32, 64, 128, 128], `${latencyMs} ms`)
      assert.equal(pace.state, 'grown')
    }
  })

  it('do not grow while some of them are free', () => {
    const pace = new ReceiverPace({ start: 16, max: 128 })
    for (let count = 0; count < 500; count += 1)
      pace.take({ isWell: true, isSlow: false, durationMs: 50, isFull: false }, count * 60)
    assert.deepEqual([pace.places, pace.state], [16, 'start'])
  })

  it('are halved once by errors of the same time, go down to one, and come back by a few with each answer', () => {
    const pace = new ReceiverPace({ start: 16, max: 128 })
    const { endMs } = send(pace, 3, wide)
    const failing = send(pace, 1, { ...wide, fails: () => true, startMs: endMs })
    assert.deepEqual(failing.seen, [64], 'all of a round count as one failure')
    const down = send(pace, 10, { ...wide, fails: () => true, startMs: failing.endMs + 1 })
    assert.deepEqual([down.seen.at(-1), pace.state], [1, 'reduced'])
    const { seen } = send(pace, 60, { ...wide, startMs: down.endMs + 1 })
    for (const [index, places] of seen.entries())
      assert.ok(places - (seen[index - 1] ?? 1) <= 5, `round ${index}: ${places}`)
    assert.equal(seen.at(-1), 128)
  })

  it('stay near what a receiver works on at once, so that requests do not queue in it for long', () => {
    const pace = new ReceiverPace({ start: 16, max: 256 })
    const { seen } = send(pace, 60, { latencyMs: 200, capacity: 20 })
    const late = seen.slice(10)
    assert.ok(Math.max(...late) < 100, String(late))
    assert.ok(Math.min(...late) >= 16, String(late))
  })

  it('follow a receiver that has become slower for good', () => {
    const pace = new ReceiverPace({ start: 16, max: 128 })
    const { endMs } = send(pace, 10, { ...wide, latencyMs: 50 })
    const slower = send(pace, 500, { ...wide, latencyMs: 600, startMs: endMs })
    assert.ok(Math.min(...slower.seen) >= 16, 'it has the places of the start meanwhile')
    assert.equal(slower.seen.at(-1), 128)
  })

  it('shrink below those of the start when answers take seconds', () => {
    const pace = new ReceiverPace({ start: 16, max: 128 })
    const { seen } = send(pace, 30, { ...wide, latencyMs: 4_000 })
    assert.deepEqual([seen.at(-1), pace.state], [4, 'reduced'])
  })

  it('are at most the maximum at the start, too', () => {
    assert.deepEqual(send(new ReceiverPace({ start: 16, max: 3 }), 2, wide).seen, [3, 3])
  })
})
