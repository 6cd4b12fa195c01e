import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type CircuitBreakerOptions, createCircuitBreakers } from './circuit-breakers.js'

const x = 'http://x/hook'

function start(t: TestContext, options: Partial<CircuitBreakerOptions> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const called: string[] = []
  const waits: number[] = []
  const closed: string[][] = []
  const breakers = createCircuitBreakers({
    delayMinMs: 100,
    probeMaxMs: 1000,
    random: () => 1,
    call: (lane) => called.push(lane),
    borrow: () => undefined,
    onOpened: (_, probeInMs) => waits.push(probeInMs),
    onClosed: (_, lanes) => closed.push([...lanes]),
    ...options,
  })
  t.after(() => breakers.close())
  const fail = (lane: string, receiver = x) => {
    assert.ok(breakers.admit(receiver, lane), `${lane} may`)
    breakers.report(receiver, lane, false)
    breakers.pass(lane)
  }
  return {
    breakers,
    called,
    waits,
    closed,
    fail,
    trip() {
      for (const lane of ['1', '2', '3', '4', '5']) fail(lane)
    },
  }
}

describe('the circuit breaker of a receiver', () => {
  it('opens after failures in a row, and only for that receiver', (t) => {
    const { breakers, fail } = start(t)
    for (let round = 0; round < 3; round += 1) {
      for (const lane of ['1', '2', '3', '4']) fail(lane)
      assert.ok(breakers.admit(x, 'a'))
      breakers.report(x, 'a', true)
    }
    for (const lane of ['1', '2', '3', '4', '5']) fail(lane)
    assert.equal(breakers.admit(x, 'a'), false)
    assert.ok(breakers.admit('http://x/other', 'b'))
    assert.deepEqual(breakers.counts(), { open: 1, halfOpen: 0, openings: 1 })
  })

  it('lets one probe through when it is due, another lane each time, later and later, up to a bound', (t) => {
    const { breakers, called, waits, trip, fail } = start(t)
    trip()
    for (const lane of ['a', 'b']) assert.equal(breakers.admit(x, lane), false)
    t.mock.timers.tick(199)
    assert.deepEqual(called, [])
    t.mock.timers.tick(1)
    assert.deepEqual(called, ['a'])
    assert.equal(breakers.admit(x, 'b'), false, 'one at a time')
    fail('a')
    assert.equal(breakers.admit(x, 'a'), false)
    for (const lane of ['b', 'a', 'b', 'a']) {
      t.mock.timers.tick(waits.at(-1) ?? 0)
      assert.equal(called.at(-1), lane)
      fail(lane)
      breakers.admit(x, lane)
    }
    assert.deepEqual(waits, [200, 400, 800, 1000, 1000, 1000])
  })

  it('waits with jitter, and at least as long as the receiver asks', (t) => {
    const { breakers, waits, trip, called } = start(t, { random: () => 0 })
    trip()
    assert.deepEqual(waits, [100])
    breakers.admit(x, 'a')
    t.mock.timers.tick(100)
    assert.deepEqual(called, ['a'])
    assert.ok(breakers.admit(x, 'a'))
    breakers.report(x, 'a', false, 5000)
    assert.deepEqual(waits, [100, 5000])
  })

  it('tells each of its states, with the time of its next probe', (t) => {
    const told: unknown[] = []
    const onState: CircuitBreakerOptions['onState'] = (receiver, { state, ...times }) =>
      told.push([receiver, state, 'nextProbeMs' in times && times.nextProbeMs > times.sinceMs])
    const { breakers, trip, fail } = start(t, { onState })
    trip()
    assert.deepEqual(told.splice(0), [[x, 'open', true]])
    breakers.admit(x, 'a')
    t.mock.timers.tick(200)
    fail('a')
    breakers.admit(x, 'a')
    t.mock.timers.tick(400)
    breakers.report(x, 'a', true)
    assert.deepEqual(told.splice(0), [
      [x, 'half_open', true],
      [x, 'open', true],
      [x, 'half_open', true],
      [x, 'closed', false],
    ])
    trip()
    told.splice(0)
    breakers.close()
    assert.deepEqual(told, [[x, 'closed', false]])
  })

  it('closes when the probe is answered, and calls all that wait', (t) => {
    const { breakers, closed, trip } = start(t)
    trip()
    for (const lane of ['a', 'b', 'c']) breakers.admit(x, lane)
    assert.ok(breakers.isWaiting('b'))
    t.mock.timers.tick(200)
    assert.deepEqual(breakers.counts(), { open: 0, halfOpen: 1, openings: 1 })
    breakers.admit(x, 'a')
    breakers.report(x, 'a', true)
    assert.deepEqual(closed, [['b', 'c']])
    assert.ok(!breakers.isWaiting('b'))
    assert.ok(breakers.admit(x, 'b'))
    assert.deepEqual(breakers.counts(), { open: 0, halfOpen: 0, openings: 1 })
  })

  it('is not moved by attempts that began before it opened, except by a success', (t) => {
    const { breakers, closed, trip } = start(t)
    assert.ok(breakers.admit(x, 'late') && breakers.admit(x, 'later'))
    trip()
    breakers.report(x, 'late', false)
    assert.equal(breakers.counts().openings, 1)
    breakers.report(x, 'later', true)
    assert.deepEqual(closed, [[]])
    assert.ok(breakers.isClosed(x))
  })

  it('gives the probe to the next lane when the first has nothing to attempt, and to none when we are in trouble', (t) => {
    const { breakers, called, trip } = start(t)
    trip()
    for (const lane of ['a', 'b', 'c']) breakers.admit(x, lane)
    t.mock.timers.tick(200)
    breakers.pass('a')
    assert.deepEqual(called, ['a', 'b'])
    assert.ok(breakers.admit('http://elsewhere/', 'b'), 'its webhook has moved')
    assert.deepEqual(called, ['a', 'b', 'c'])
    breakers.postpone('c')
    assert.deepEqual(breakers.counts(), { open: 1, halfOpen: 0, openings: 2 })
  })

  it('borrows a lane for the probe, and is forgotten when there is none', (t) => {
    const lanes = ['borrowed']
    const { breakers, called, trip, fail } = start(t, { borrow: () => lanes.pop() })
    trip()
    t.mock.timers.tick(200)
    assert.deepEqual(called, ['borrowed'])
    fail('borrowed')
    t.mock.timers.tick(400)
    assert.ok(breakers.isClosed(x))
  })

  it('probes at once when someone has reason to, and lets go of lanes whose webhook changed', (t) => {
    const { breakers, called, trip } = start(t)
    trip()
    for (const lane of ['a', 'b']) breakers.admit(x, lane)
    assert.deepEqual(
      breakers.release((lane) => lane === 'b'),
      ['b'],
    )
    assert.ok(!breakers.isWaiting('b'))
    breakers.probeNow(x)
    assert.deepEqual(called, ['a'])
    breakers.probeNow(x)
    t.mock.timers.tick(10_000)
    assert.deepEqual(called, ['a'], 'one probe')
  })

  it('does not wait for a probe that hangs: the next one comes, up to three at once', (t) => {
    const { breakers, called, closed, trip } = start(t)
    trip()
    for (const lane of ['a', 'b', 'c', 'd', 'e']) breakers.admit(x, lane)
    for (let count = 0; count < 100; count += 1) t.mock.timers.tick(100)
    assert.deepEqual(called, ['a', 'b', 'c'])
    assert.ok(['a', 'b', 'c'].every((lane) => breakers.isProbe(lane) && breakers.admit(x, lane)))
    breakers.report(x, 'a', false)
    t.mock.timers.tick(1_000)
    assert.equal(called.at(-1), 'd')
    breakers.report(x, 'c', true)
    assert.deepEqual(closed, [['e']])
    assert.ok(!breakers.isProbe('b'))
    assert.ok(breakers.hasClosedSince(x, 0) && !breakers.hasClosedSince(x, performance.now() + 1))
  })

  it('shares a limited number of probes a second with all others, the least recently probed first', (t) => {
    const { breakers, called, fail } = start(t, { probesPerSecond: 50, probeMaxMs: 200, random: () => 1 })
    const receivers = Array.from({ length: 100 }, (_, index) => `http://${index}/hook`)
    const lanes = new Map(receivers.map((receiver, index) => [`lane-${index}`, receiver]))
    for (const [lane, receiver] of lanes) {
      for (const other of ['1', '2', '3', '4', '5']) fail(`${other}-${lane}`, receiver)
      assert.equal(breakers.admit(receiver, lane), false)
    }
    const probeAll = (untilMs: number) => {
      const before = called.length
      for (let ms = 0; ms < untilMs; ms += 10) {
        t.mock.timers.tick(10)
        for (const lane of called.slice(before)) {
          const receiver = lanes.get(lane) ?? ''
          if (!breakers.isProbe(lane)) continue
          fail(lane, receiver)
          breakers.admit(receiver, lane)
        }
      }
      return called.slice(before)
    }
    probeAll(200)
    const first = probeAll(2_000)
    assert.ok(first.length >= 98 && first.length <= 101, `${first.length} in 2 s`)
    assert.equal(new Set(first).size, Math.min(100, first.length), 'each once, before any twice')
    const second = probeAll(2_000)
    assert.deepEqual(second.slice(0, 90), first.slice(0, 90), 'in the same order again')
  })
})
