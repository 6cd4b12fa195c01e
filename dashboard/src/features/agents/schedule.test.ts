import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatWindows, parseWindows } from './schedule.js'

describe('the hours of a trigger', () => {
  it('are the same after they were written as lines and read again', () => {
    const windows = [
      { days: ['mon', 'fri'], from: '09:00', to: '18:00' },
      { from: '22:00', to: '02:00' },
    ]
    assert.deepEqual(parseWindows(formatWindows(windows)), windows)
    assert.deepEqual(parseWindows('\n Sat \n'), [{ days: ['sat'] }])
    assert.equal(formatWindows([{ days: ['sat'] }]), 'sat 00:00-24:00')
  })
})
