import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRecentReadings } from './recent-readings.js'

const MINUTE_MS = 60_000

/** A histogram is exact to a hundredth. */
const isAbout = (value: number, wanted: number) => Math.abs(value - wanted) <= wanted / 50

function started() {
  const clock = { nowMs: 1_000 * MINUTE_MS, memoryBytes: 100 }
  const readings = createRecentReadings({ nowMs: () => clock.nowMs, memoryBytes: () => clock.memoryBytes })
  const pass = (minutes: number): void => {
    clock.nowMs += minutes * MINUTE_MS
  }
  return { clock, readings, pass }
}

describe('the readings of a process', () => {
  it('have the delay and the time of a commit that 99 of 100 stay below, the memory, and the most that waited', () => {
    const { readings, clock } = started()
    let waiting = 0
    readings.followJournal(() => waiting)
    for (let count = 1; count <= 100; count += 1) {
      waiting = count === 50 ? 7_000 : 0
      readings.lagged(count)
      readings.committed(2 * count)
    }
    clock.memoryBytes = 200
    const [{ atMs, lagMs, commitMs, ...rest } = assert.fail(), ...others] = readings.minutes()
    assert.deepEqual([atMs, rest, others], [1_000 * MINUTE_MS, { memoryBytes: 200, waitingBytes: 7_000 }, []])
    assert.ok(isAbout(lagMs, 99) && isAbout(commitMs, 198), `${lagMs}, ${commitMs}`)
  })

  it('have the longest stop of the event loop of their minute, with its cause', () => {
    const { readings, pass } = started()
    const makeStop = (ms: number) => ({ ms, kind: 'turn', operation: 'turn', instance: 'r1' })
    for (const ms of [300, 900, 400]) readings.stopped(makeStop(ms))
    pass(1)
    assert.deepEqual(
      readings.minutes().map(({ stop }) => stop),
      [makeStop(900), undefined],
    )
  })

  it('start again each minute, and leave out those in which the process did not run', () => {
    const { readings, pass } = started()
    readings.lagged(500)
    readings.committed(40)
    pass(1)
    readings.lagged(0)
    pass(3)
    const [first = assert.fail(), ...others] = readings.minutes()
    assert.ok(isAbout(first.lagMs, 500) && isAbout(first.commitMs, 40), JSON.stringify(first))
    const shown = others.map(({ atMs, lagMs, commitMs }) => [atMs / MINUTE_MS, lagMs, commitMs])
    assert.deepEqual(shown, [
      [1_001, 0, 0],
      [1_004, 0, 0],
    ])
  })

  it('hold a process that stood still for an hour', () => {
    const { readings } = started()
    readings.lagged(3_600_000)
    assert.ok(isAbout(readings.minutes()[0]?.lagMs ?? 0, 600_000))
  })

  it('are those of 60 minutes, and each minute is there once though the clock was set back', () => {
    const { readings, pass } = started()
    for (let minute = 0; minute < 70; minute += 1) {
      readings.lagged(1)
      pass(1)
    }
    const minutes = () => readings.minutes().map(({ atMs }) => atMs / MINUTE_MS)
    assert.deepEqual(
      minutes(),
      Array.from({ length: 60 }, (_, index) => 1_011 + index),
    )
    pass(-5)
    assert.deepEqual(
      minutes(),
      Array.from({ length: 55 }, (_, index) => 1_011 + index),
    )
    assert.equal(new Set(minutes()).size, 55)
  })
})
