import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capWaitMs, dayIn, takenOn, withOneMore } from './campaign.js'

const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-11-23T12:00:00Z')
const capped = (dailyCap: number | null, dayTaken: number, timezone = 'UTC', day = dayIn(timezone, NOON)) => ({
  ...{ dailyCap, dayTaken, timezone, day },
})

describe('the maximum of a day', () => {
  it('holds a campaign back until midnight in its zone', () => {
    assert.equal(capWaitMs(capped(5, 4), NOON), 0)
    assert.equal(capWaitMs(capped(null, 4_000), NOON), 0)
    assert.equal(capWaitMs(capped(5, 5), NOON), 12 * HOUR_MS)
    assert.equal(capWaitMs(capped(5, 6, 'America/Sao_Paulo'), NOON), 15 * HOUR_MS)
    // It is the next day there already.
    assert.equal(capWaitMs(capped(5, 5, 'Pacific/Kiritimati'), NOON), 22 * HOUR_MS)
    assert.equal(capWaitMs(capped(5, 5), NOON + 12 * HOUR_MS), 0)
  })

  it('counts each day again, on days of 23 and 25 hours too', () => {
    const [zone, before] = ['America/New_York', Date.parse('2026-03-08T05:00:00Z')]
    assert.equal(capWaitMs(capped(1, 1, zone, dayIn(zone, before)), before), 23 * HOUR_MS)
    const autumn = Date.parse('2026-11-01T04:00:00Z')
    assert.equal(capWaitMs(capped(1, 1, zone, dayIn(zone, autumn)), autumn), 25 * HOUR_MS)
  })

  it('does not begin a day twice after the clock was set back, and forgets a day that is far ahead', () => {
    const today = dayIn('UTC', NOON)
    const tomorrow = { day: today + 1, dayTaken: 3 }
    assert.deepEqual([takenOn(today, tomorrow), withOneMore(today, tomorrow)], [3, { day: today + 1, dayTaken: 4 }])
    assert.equal(capWaitMs({ ...capped(3, 3), day: today + 1 }, NOON), 36 * HOUR_MS)
    assert.deepEqual(withOneMore(today, { day: today + 400, dayTaken: 3 }), { day: today, dayTaken: 1 })
    assert.deepEqual(withOneMore(today, { day: today - 1, dayTaken: 3 }), { day: today, dayTaken: 1 })
  })
})
