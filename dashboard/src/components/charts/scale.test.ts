import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawPath, findNearest, makeTimeMarks, makeValueMarks } from './scale.js'

describe('the axes of a chart', () => {
  it('have round values, and whole ones for messages', () => {
    assert.deepEqual(makeValueMarks(0, true), [0, 1])
    assert.deepEqual(makeValueMarks(0, false), [0, 0.25, 0.5, 0.75, 1])
    assert.deepEqual(makeValueMarks(3, true), [0, 1, 2, 3])
    assert.deepEqual(makeValueMarks(93, true), [0, 25, 50, 75, 100])
    assert.deepEqual(makeValueMarks(1_730, true), [0, 500, 1_000, 1_500, 2_000])
    assert.deepEqual(
      makeValueMarks(0.73, false).map((mark) => Math.round(mark * 100) / 100),
      [0, 0.2, 0.4, 0.6, 0.8],
    )
  })

  it('have round times, no more than asked for', () => {
    const noon = new Date(2026, 4, 4, 12, 7).getTime()
    const marks = makeTimeMarks(noon - 3_600_000, noon, 6)
    assert.ok(marks.length >= 3 && marks.length <= 7, String(marks.length))
    assert.ok(marks.every((mark) => new Date(mark).getMinutes() % 10 === 0))
    const days = makeTimeMarks(noon - 7 * 86_400_000, noon, 8)
    assert.ok(days.every((mark) => new Date(mark).getHours() === 0))
  })

  it('draw gaps where there is no value, and a dot for a value alone', () => {
    assert.equal(drawPath([[0, 5], [10, 6], null, [30, 7]]), 'M0.0 5.0L10.0 6.0M30.0 7.0h0.01')
    assert.equal(
      drawPath(
        [
          [0, 5],
          [10, 6],
        ],
        9,
      ),
      'M0.0 5.0L10.0 6.0L10.0 9L0.0 9Z',
    )
    assert.equal(drawPath([null, null]), '')
  })

  it('find the value below the pointer', () => {
    assert.equal(findNearest([0, 10, 20], 14), 1)
    assert.equal(findNearest([0, 10, 20], 900), 2)
    assert.equal(findNearest([], 4), 0)
  })
})
