import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createReceivers } from './receivers.js'

const at = (origin: string, owner = 'o') => ({ origin, owner })
const ownerLanesMax = () => 100
const well = { isWell: true, isSlow: false, durationMs: 1 }
/** Places that do not grow. */
const fixed = (lanesMax: number) => ({ lanesMin: lanesMax, lanesMax, grownLanesMax: 1_000 })

describe('the places at an origin', () => {
  it('are bounded, and a free one is given to the lane that waited longest', () => {
    const called: string[] = []
    const receivers = createReceivers({ ...fixed(2), ownerLanesMax, onFree: (lane) => called.push(lane) })
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
    const receivers = createReceivers({ ...fixed(1), ownerLanesMax, onFree: (lane) => called.push(lane) })
    for (const lane of ['a', 'b', 'c', 'd']) receivers.enter(at('x'), lane)
    receivers.leave('a')
    receivers.pass('b')
    assert.deepEqual(called, ['b', 'c'])
    receivers.enter(at('other'), 'c')
    assert.deepEqual(called, ['b', 'c', 'd'])
  })

  it('are one while it is slow, and all when it is not', () => {
    const called: string[] = []
    const receivers = createReceivers({ ...fixed(3), ownerLanesMax, onFree: (lane) => called.push(lane) })
    for (let count = 0; count < 5; count += 1) {
      assert.ok(receivers.enter(at('x'), 'a'))
      receivers.report('x', { ...well, isSlow: true })
      receivers.leave('a')
    }
    assert.ok(receivers.isSlow('x'))
    assert.ok(receivers.enter(at('x'), 'a'))
    for (const lane of ['b', 'c', 'd']) assert.equal(receivers.enter(at('x'), lane), false)
    receivers.report('x', well)
    receivers.leave('a')
    assert.deepEqual(called, ['b', 'c', 'd'])
  })
})

describe('the places at an origin that answers well', () => {
  const start = (grownLanesMax: number) => {
    const called: string[] = []
    const receivers = createReceivers({
      lanesMin: 2,
      lanesMax: 8,
      grownLanesMax,
      ownerLanesMax,
      onFree: (lane) => called.push(lane),
    })
    const flood = (origin: string, owner = 'o') => {
      for (let lane = 0; lane < 30; lane += 1) receivers.enter(at(origin, owner), `${origin} ${owner} ${lane}`)
    }
    /** Lets all lanes inside an origin end well, and the next ones enter. Returns how many then are inside. */
    const round = (origin: string, inside: string[]) => {
      called.length = 0
      for (let answer = 0; answer < inside.length; answer += 1) receivers.report(origin, well)
      for (const lane of inside) receivers.leave(lane)
      const next = called.filter((lane) => lane.startsWith(origin))
      for (const lane of next) assert.ok(receivers.enter(at(origin, lane.split(' ')[1]), lane))
      return next
    }
    return { receivers, flood, round }
  }

  it('grow while it has no free one', () => {
    const { flood, round, receivers } = start(100)
    flood('x')
    const four = round('x', ['x o 0', 'x o 1'])
    assert.equal(four.length, 4)
    const eight = round('x', four)
    assert.equal(eight.length, 8)
    assert.equal(round('x', eight).length, 8)
    assert.deepEqual(receivers.places().grown, { receivers: 1, places: 8, used: 8 })
  })

  it('are shared by all its owners, old and new', () => {
    const { flood, round, receivers } = start(100)
    flood('x', 'many')
    const four = round('x', ['x many 0', 'x many 1'])
    assert.equal(receivers.enter(at('x', 'few'), 'x few 0'), false)
    assert.ok(round('x', four).includes('x few 0'))
  })

  it('grow no further than leaves slots for other origins, and come back when those are idle', () => {
    const { flood, round, receivers } = start(6)
    flood('x')
    const six = round('x', round('x', ['x o 0', 'x o 1']))
    assert.equal(six.length, 6)
    for (const lane of ['y 0', 'y 1']) assert.ok(receivers.enter(at('y', 'other'), lane), 'as many as at the start')
    assert.equal(receivers.enter(at('y', 'other'), 'y 2'), false)
    const four = round('x', six)
    assert.equal(four.length, 4)
    for (const lane of ['y 0', 'y 1']) receivers.leave(lane)
    assert.ok(receivers.enter(at('y', 'other'), 'y 2'))
    receivers.leave('y 2')
    assert.equal(round('x', four).length, 6)
  })

  it('are remembered while it is idle', () => {
    const { flood, round, receivers } = start(100)
    flood('x')
    let inside = ['x o 0', 'x o 1']
    while (inside.length > 0) inside = round('x', inside)
    assert.equal(receivers.places().grown.receivers, 0)
    flood('x')
    assert.equal(receivers.places().grown.used, 8)
  })
})

describe('the places of an owner', () => {
  const start = (ownerMax: number) => {
    const called: string[] = []
    const receivers = createReceivers({
      ...fixed(2),
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

  it('are given to its origins in turn, and at one origin to the owners that have had fewer', () => {
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
    assert.deepEqual(shared.called, ['p1', 'q1'])
    for (const lane of ['p1', 'q1']) assert.ok(shared.receivers.enter(at('x', lane[0]!), lane))
    shared.receivers.leave('p1')
    shared.receivers.leave('q1')
    assert.deepEqual(shared.called, ['p1', 'q1', 'o3', 'o4'])
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

it('a place at an origin goes to the owner that has used the least time', () => {
  let nowMs = 0
  const served: string[] = []
  const receivers = createReceivers({
    ...fixed(1),
    ownerLanesMax,
    now: () => nowMs,
    onFree: (lane) => served.push(lane),
  })
  const enter = (owner: string, lane: string) => receivers.enter(at('x', owner), lane)
  for (const lane of ['slow 0', 'slow 1', 'slow 2']) enter('slow', lane)
  for (let lane = 0; lane < 20; lane++) enter('quick', `quick ${lane}`)
  nowMs += 2_900
  receivers.leave('slow 0')
  for (let index = 0; index < 20; index++) {
    const lane = String(served[index])
    enter(lane.slice(0, lane.indexOf(' ')), lane)
    nowMs += lane.startsWith('slow') ? 2_900 : 100
    receivers.leave(lane)
  }
  assert.deepEqual(
    served.slice(0, 20).filter((lane) => lane.startsWith('slow')),
    [],
  )
})
