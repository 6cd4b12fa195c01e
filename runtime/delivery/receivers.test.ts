import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createReceivers } from './receivers.js'

describe('the places at an origin', () => {
  it('are bounded, and a free one is given to the lane that waited longest', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 2, onFree: (lane) => called.push(lane) })
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((lane) => receivers.enter('x', lane)),
      [true, true, false, false],
    )
    assert.ok(receivers.enter('other', 'e'), 'another origin is not concerned')
    receivers.leave('x')
    assert.deepEqual(called, ['c'])
    assert.ok(receivers.enter('x', 'c'))
    receivers.leave('x')
    assert.deepEqual(called, ['c', 'd'])
  })

  it('are given to the next when the lane that was told goes elsewhere, or nowhere', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 1, onFree: (lane) => called.push(lane) })
    for (const lane of ['a', 'b', 'c', 'd']) receivers.enter('x', lane)
    receivers.leave('x')
    receivers.pass('b')
    assert.deepEqual(called, ['b', 'c'])
    receivers.enter('other', 'c')
    assert.deepEqual(called, ['b', 'c', 'd'])
  })

  it('are one while it is slow, and all when it is not', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 3, onFree: (lane) => called.push(lane) })
    for (let count = 0; count < 5; count += 1) {
      assert.ok(receivers.enter('x', 'a'))
      receivers.report('x', true)
      receivers.leave('x')
    }
    assert.ok(receivers.isSlow('x'))
    assert.ok(receivers.enter('x', 'a'))
    for (const lane of ['b', 'c', 'd']) assert.equal(receivers.enter('x', lane), false)
    receivers.report('x', false)
    receivers.leave('x')
    assert.deepEqual(called, ['b', 'c', 'd'])
  })
})
