import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createReceivers } from './receivers.js'

describe('the places at a receiver', () => {
  it('are bounded, and a free one is given to the lane that waited longest', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 2, onFree: (lane) => called.push(lane) })
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((lane) => receivers.enter('x', lane)),
      [true, true, false, false],
    )
    assert.ok(receivers.enter('other', 'e'), 'another receiver is not concerned')
    receivers.leave('x')
    assert.deepEqual(called, ['c'])
    assert.ok(receivers.enter('x', 'c'))
    receivers.leave('x')
    assert.deepEqual(called, ['c', 'd'])
  })

  it('are one while it fails, and all when it answers again', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 3, onFree: (lane) => called.push(lane) })
    const attempt = (isGood: boolean) => {
      assert.ok(receivers.enter('x', 'a'))
      const { isRecovered } = receivers.report('x', isGood)
      receivers.leave('x')
      return isRecovered
    }
    for (let count = 0; count < 5; count += 1) assert.equal(attempt(false), false)
    assert.ok(receivers.enter('x', 'a'))
    for (const lane of ['b', 'c', 'd']) assert.equal(receivers.enter('x', lane), false)
    assert.equal(receivers.report('x', true).isRecovered, true)
    receivers.leave('x')
    assert.deepEqual(called, ['b', 'c', 'd'])
  })
})
