import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSamples } from './samples.js'

describe('the recorded deliveries', () => {
  it('are limited for each webhook, and more come with time', () => {
    const samples = createSamples({ perSecond: 2, burst: 3 }, { perSecond: 100, burst: 100 })
    const taken = (webhook: string, nowMs: number) => {
      let count = 0
      while (samples.take(webhook, nowMs)) count += 1
      return count
    }
    assert.equal(taken('one', 0), 3)
    assert.equal(taken('other', 0), 3, 'one webhook takes nothing from another')
    assert.equal(taken('one', 1000), 2)
    assert.equal(taken('one', 60_000), 3)
  })

  it('are limited for the node', () => {
    const samples = createSamples({ perSecond: 2, burst: 3 }, { perSecond: 5, burst: 10 })
    const count = (nowMs: number) =>
      Array.from({ length: 100 }, (_, index) => samples.take(`webhook ${index}`, nowMs)).filter(Boolean).length
    assert.equal(count(0), 10)
    assert.equal(count(1000), 5)
  })
})
