import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createReceivers } from './receivers.js'

const at = (origin: string, owner = 'o') => ({ origin, owner })
const ownerLanesMax = () => 100

describe('the places at an origin', () => {
  it('are bounded, and a free one is given to the lane that waited longest', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 2, ownerLanesMax, onFree: (lane) => called.push(lane) })
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((lane) => receivers.enter(at('x'), lane)),
      [true, true, false, false],
    )
    assert.ok(receivers.enter(at('other'), 'e'), 'another origin is not concerned')
    receivers.leave('a')
    assert.deepEqual(called, ['c'])
    assert.ok(!receivers.enter(at('x'), 'late'), 'the place is kept')
    assert.ok(receivers.enter(at('x'), 'c'))
    receivers.leave('b')
    assert.deepEqual(called, ['c', 'd'])
  })

  it('go to the next lane when the chosen one leaves or goes to another origin', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 1, ownerLanesMax, onFree: (lane) => called.push(lane) })
    for (const lane of ['a', 'b', 'c', 'd']) receivers.enter(at('x'), lane)
    receivers.leave('a')
    receivers.pass('b')
    assert.deepEqual(called, ['b', 'c'])
    receivers.enter(at('other'), 'c')
    assert.deepEqual(called, ['b', 'c', 'd'])
  })

  it('are one while it is slow, and all when it is not', () => {
    const called: string[] = []
    const receivers = createReceivers({ lanesMax: 3, ownerLanesMax, onFree: (lane) => called.push(lane) })
    for (let count = 0; count < 5; count += 1) {
      assert.ok(receivers.enter(at('x'), 'a'))
      receivers.report('x', true)
      receivers.leave('a')
    }
    assert.ok(receivers.isSlow('x'))
    assert.ok(receivers.enter(at('x'), 'a'))
    for (const lane of ['b', 'c', 'd']) assert.equal(receivers.enter(at('x'), lane), false)
    receivers.report('x', false)
    receivers.leave('a')
    assert.deepEqual(called, ['b', 'c', 'd'])
  })
})

describe('the places of an owner', () => {
  const start = (ownerMax: number) => {
    const called: string[] = []
    const receivers = createReceivers({
      lanesMax: 2,
      ownerLanesMax: () => ownerMax,
      onFree: (lane) => called.push(lane),
    })
    return { called, receivers }
  }

  it('are bounded over all origins, and leave those of others alone', () => {
    const { called, receivers } = start(3)
    const enter = (origin: string, lane: string, owner?: string) => receivers.enter(at(origin, owner), lane)
    assert.deepEqual(
      [enter('x', 'a'), enter('x', 'b'), enter('y', 'c'), enter('y', 'd'), enter('z', 'e')],
      [true, true, true, false, false],
    )
    assert.ok(enter('y', 'f', 'other'))
    assert.equal(receivers.waiting(), 2)
    // `y` has no place, so that it is the turn of what waits for `z`.
    receivers.leave('a')
    assert.deepEqual(called, ['e'])
    assert.ok(enter('z', 'e'))
    receivers.leave('f')
    assert.deepEqual(called, ['e'], 'the owner has none')
    receivers.leave('b')
    assert.deepEqual(called, ['e', 'd'])
    assert.ok(enter('y', 'd'))
    for (const lane of ['c', 'd', 'e']) receivers.leave(lane)
    assert.equal(receivers.waiting(), 0)
  })

  it('are given to its origins in turn, and at one origin to the owners in turn', () => {
    const { called, receivers } = start(1)
    receivers.enter(at('x', 'o'), 'a')
    for (const [origin, lane] of ['x1', 'x2', 'y1', 'y2'].map((name) => [name[0]!, name] as const))
      receivers.enter(at(origin, 'o'), lane)
    for (let lane = 'a', next = ''; called.length < 4; lane = next) {
      receivers.leave(lane)
      next = called.at(-1)!
      assert.ok(receivers.enter(at(next[0]!, 'o'), next))
    }
    assert.deepEqual(called, ['x1', 'y1', 'x2', 'y2'])

    const shared = start(2)
    for (const lane of ['o1', 'o2', 'o3', 'p1', 'o4', 'q1']) shared.receivers.enter(at('x', lane[0]!), lane)
    shared.receivers.leave('o1')
    shared.receivers.leave('o2')
    assert.deepEqual(shared.called, ['o3', 'p1'])
    for (const lane of ['o3', 'p1']) assert.ok(shared.receivers.enter(at('x', lane[0]!), lane))
    shared.receivers.leave('o3')
    shared.receivers.leave('p1')
    assert.deepEqual(shared.called, ['o3', 'p1', 'q1', 'o4'])
  })

  it('are not needed by a probe, which takes none from the others', () => {
    const { receivers } = start(1)
    assert.ok(receivers.enter(at('x'), 'a'))
    assert.ok(receivers.enter(at('y'), 'probe', true))
    receivers.leave('a')
    assert.ok(receivers.enter(at('x'), 'b'))
    receivers.leave('probe')
    assert.equal(receivers.enter(at('x'), 'c'), false)
  })

  it('of a lane whose webhook got another URL are counted once', () => {
    const { called, receivers } = start(1)
    receivers.enter(at('x'), 'a')
    receivers.enter(at('x'), 'b')
    receivers.enter(at('y'), 'b')
    assert.equal(receivers.waiting(), 1)
    receivers.leave('a')
    assert.deepEqual(called, ['b'])
    // Changed once more between the call and its turn.
    assert.ok(receivers.enter(at('z'), 'b'))
    assert.equal(receivers.enter(at('z'), 'c'), false)
    receivers.leave('b')
    assert.deepEqual(called, ['b', 'c'])
  })
})
