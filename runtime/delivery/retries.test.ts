import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgeOutcome, defaultRetryPolicy as policy } from './retries.js'

const answer = (statusCode: number, headers = {}) => ({ answered: true, statusCode, headers, body: '' }) as const
const silence = { answered: false, error: 'TIMEOUT' } as const

describe('a delivery attempt', () => {
  it('has succeeded with any 2xx and with nothing else', () => {
    for (const status of [200, 201, 204, 299]) assert.equal(judgeOutcome(answer(status), 1, policy).type, 'delivered')
    for (const status of [100, 301, 302, 307, 400, 404, 429, 500, 503]) {
      assert.equal(judgeOutcome(answer(status), 1, policy).type, 'retry', String(status))
    }
  })

  it('is repeated later and later, up to a bound, at a random moment', () => {
    const findDelay = (attempts: number, random: number) => {
      const verdict = judgeOutcome(silence, attempts, policy, random)
      return verdict.type === 'retry' ? verdict.delayMs : undefined
    }
    assert.ok(findDelay(1, 1)! < findDelay(2, 1)! && findDelay(2, 1)! < findDelay(5, 1)!)
    assert.equal(findDelay(19, 1), policy.delayMaxMs + policy.delayMinMs / 4)
    assert.equal(findDelay(19, 0), policy.delayMinMs / 4)
    assert.equal(findDelay(20, 1), undefined)
  })

  it('is given up sooner when the receiver refuses it, but never at once', () => {
    assert.equal(judgeOutcome(answer(400), 1, policy).type, 'retry')
    assert.equal(judgeOutcome(answer(400), policy.refusedAttemptsMax, policy).type, 'dead')
    assert.equal(judgeOutcome(answer(500), policy.refusedAttemptsMax, policy).type, 'retry')
    assert.equal(judgeOutcome(answer(500), policy.attemptsMax, policy).type, 'dead')
    assert.equal(judgeOutcome(answer(400), 3, { ...policy, attemptsMax: 3 }).type, 'dead')
  })

  it('waits as long as the receiver asks, at most an hour', () => {
    const findDelay = (value: string) => {
      const verdict = judgeOutcome(answer(429, { 'retry-after': value }), 1, policy, 0)
      return verdict.type === 'retry' ? verdict.delayMs : undefined
    }
    assert.equal(findDelay('7'), 7000)
    assert.equal(findDelay('999999'), 3_600_000)
    const inAMinute = findDelay(new Date(Date.now() + 60_000).toUTCString())!
    assert.ok(inAMinute > 57_000 && inAMinute <= 60_000)
    // The receiver's own clock counts for its date, however wrong it is.
    const theirs = Date.now() - 86_400_000
    const [date, after] = [theirs, theirs + 30_000].map((ms) => new Date(ms).toUTCString())
    const asked = judgeOutcome(answer(429, { date, 'retry-after': after }), 1, policy, 0)
    assert.equal(asked.type === 'retry' ? asked.delayMs : undefined, 30_000)
    assert.equal(findDelay('soon'), policy.delayMinMs / 4)
  })

  it('ends the webhook when the receiver is gone for good', () => {
    assert.equal(judgeOutcome(answer(410), 1, policy).type, 'gone')
  })
})
