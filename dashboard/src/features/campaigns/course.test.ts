import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCurve } from './course.js'

const makeRow = (at: string, sent: number) => ({ at, sent, replied: 1, failed: 0, skipped: 0 })
const rows = [makeRow('2026-01-31T12:00:00.000Z', 4), makeRow('2026-01-31T12:10:00.000Z', 6)]
const now = Date.parse('2026-01-31T12:12:00.000Z')

describe('the curve of a campaign', () => {
  it('adds up what was sent, from 0, and ends at the present', () => {
    const { times, sent, replied, forecast } = makeCurve({ stepMinutes: 5, rows, reasons: [], ends: null }, 20, now)
    assert.deepEqual(
      times.map((time) => new Date(time).toISOString().slice(11, 16)),
      ['12:00', '12:05', '12:12'],
    )
    assert.deepEqual(
      [sent, replied, forecast],
      [
        [0, 4, 10],
        [0, 1, 2],
        [null, null, null],
      ],
    )
  })

  it('goes on to the end that is foreseen', () => {
    const ends = '2026-02-03T00:04:00.000Z'
    const { times, sent, forecast } = makeCurve({ stepMinutes: 5, rows, reasons: [], ends }, 20, now)
    assert.equal(times.at(-1), Date.parse(ends))
    assert.deepEqual(
      [sent, forecast],
      [
        [0, 4, 10, null],
        [null, null, 10, 20],
      ],
    )
  })

  it('is empty before anything was sent', () => {
    assert.deepEqual(makeCurve({ stepMinutes: 5, rows: [], reasons: [], ends: null }, 20, now).times, [])
  })
})
