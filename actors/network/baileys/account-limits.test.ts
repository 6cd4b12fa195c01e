import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCapped, isLocked, limitsReport, NO_LIMITS } from '../../../schemas/account-limits.js'
import { readCap, readLimitsNotice, readReachout } from './account-limits.js'

const notice = (data: unknown) => ({
  tag: 'notification',
  attrs: { type: 'mex' },
  content: [{ tag: 'update', attrs: { op_name: 'any' }, content: Buffer.from(JSON.stringify({ data })) }],
})

describe('restrictions in answers of the network', () => {
  it('hold whatever their kind, until their end', () => {
    const reachout = readReachout({ is_active: true, enforcement_type: 'NEVER_SEEN', time_enforcement_ends: '2000' })
    assert.deepEqual(reachout, { isActive: true, untilMs: 2_000_000, type: 'NEVER_SEEN' })
    const limits = { ...NO_LIMITS, reachout }
    assert.deepEqual([isLocked(limits, 1_999_999), isLocked(limits, 2_000_000)], [true, false])
    const cap = readCap({ capping_status: 'A_NEW_STAGE', total_quota: '10', used_quota: 3 })
    assert.equal(isCapped({ ...NO_LIMITS, cap }, 0), true)
    for (const word of ['NONE', 'FIRST_WARNING', 'SECOND_WARNING'])
      assert.equal(isCapped({ ...NO_LIMITS, cap: readCap({ capping_status: word, total_quota: '-1' }) }, 0), false)
  })

  it('of any form can be reported', () => {
    const values = [null, undefined, '', 'x'.repeat(1e5), -1, 0, 1e300, Number.NaN, [], {}, true, '9'.repeat(30)]
    for (const value of values) {
      const reachout = readReachout({ is_active: true, time_enforcement_ends: value, enforcement_type: value })
      const cap = readCap({ capping_status: value, total_quota: value, used_quota: value, cycle_end_timestamp: value })
      const report = JSON.stringify(limitsReport({ ...NO_LIMITS, reachout, cap }, Date.now()))
      assert.ok(report.length < 2_000, report)
    }
  })

  it('are read from notices about them only', () => {
    const lock = { xwa2_notify_account_reachout_timelock: { is_active: false } }
    assert.equal(readLimitsNotice(notice(lock))?.reachout?.isActive, false)
    for (const data of [null, 5, 'text', {}, { xwa2_notify_newsletter_on_join: {} }, []])
      assert.equal(readLimitsNotice(notice(data)), null)
    assert.equal(readLimitsNotice({ tag: 'notification', attrs: {} }), null)
  })
})
