import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CheckBudget } from './number-checks.js'

const NONE = { today: 0, lastMinute: 0 }
const NOON = Date.parse('2026-11-23T12:00:00Z')

describe('the budget of look-ups', () => {
  it('lets so many of a minute through at once, and then one after the other', () => {
    const budget = new CheckBudget({ perDay: 0, perMinute: 20 }, NONE, NOON)
    for (let look = 0; look < 20; look += 1) {
      assert.deepEqual(budget.next(NOON), { waitMs: 0 })
      budget.take(NOON)
    }
    assert.deepEqual(budget.next(NOON), { waitMs: 3_000 })
    assert.deepEqual(budget.next(NOON + 3_000), { waitMs: 0 })
  })

  it('continues where the former owner of the instance was', () => {
    const budget = new CheckBudget({ perDay: 100, perMinute: 20 }, { today: 98, lastMinute: 20 }, NOON)
    assert.deepEqual(budget.next(NOON), { waitMs: 3_000 })
    for (const atMs of [NOON + 3_000, NOON + 6_000]) budget.take(atMs)
    assert.deepEqual(budget.next(NOON + 60_000), { parkMs: 12 * 3_600_000 - 60_000 })
    assert.deepEqual(budget.next(NOON + 12 * 3_600_000), { waitMs: 0 })
  })

  it('has no end without limits', () => {
    const budget = new CheckBudget({ perDay: 0, perMinute: 0 }, { today: 5_000, lastMinute: 5_000 }, NOON)
    for (let look = 0; look < 100; look += 1) budget.take(NOON)
    assert.deepEqual(budget.next(NOON), { waitMs: 0 })
  })
})
