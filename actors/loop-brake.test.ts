import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import type { BrakedSteps } from './campaigns/brake.js'
import { LoopBrake } from './loop-brake.js'

/** A loop that is idle, except for the turns. */
function world(t: { after(work: () => void): void }, costMs: number) {
  let nowMs = 0
  let activeMs = 0
  const now = mock.method(performance, 'now', () => nowMs)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => {
    now.mock.restore()
    mock.timers.reset()
  })
  const brake = new LoopBrake({
    shareMax: 0.5,
    loopTimes: () => ({ atMs: nowMs, activeMs, idleMs: nowMs - activeMs }),
  })
  const served: string[] = []
  const work = (name: string): void => {
    served.push(name)
    activeMs += costMs
    nowMs += costMs
  }
  return {
    brake,
    served,
    /** An instance that always has a further turn to do. */
    instance(name: string): BrakedSteps {
      const run = (): void => {
        while (turns.takes()) work(name)
      }
      const turns = brake.createSteps(run)
      run()
      return turns
    },
    pass(ms: number): void {
      for (let passed = 0; passed < ms; passed += 1) {
        nowMs += 1
        mock.timers.tick(1)
      }
    },
  }
}

it('gives instances that wait their turns one after the other', (t) => {
  const { instance, pass, served } = world(t, 10)
  for (const name of ['a', 'b', 'c']) instance(name)
  pass(300)
  assert.ok(served.length >= 10 && served.length <= 40, `${served.length}`)
  // The first one had a turn before the others waited.
  assert.deepEqual(served.slice(0, 10), ['a', 'a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'])
})

it('lets the first turn begin at once, and says how long the others waited', (t) => {
  const { instance, brake, pass } = world(t, 10)
  const first = instance('a')
  assert.equal(first.waitedMs, 0)
  const turns = brake.createSteps(() => {})
  assert.equal(turns.takes(), false)
  assert.equal(brake.waiting, 2)
  pass(300)
  assert.equal(turns.takes(), true)
  assert.ok(turns.waitedMs > 0)
})

it('forgets an instance that leaves', (t) => {
  const { instance, brake, pass, served } = world(t, 10)
  instance('a')
  const gone = instance('b')
  gone.leave()
  pass(100)
  assert.equal(brake.waiting, 1)
  assert.ok(!served.includes('b'))
})

it('lets all turns begin at once if it is switched off', () => {
  const brake = new LoopBrake({ shareMax: 1 })
  const turns = brake.createSteps(() => {})
  for (let turn = 0; turn < 1_000; turn += 1) assert.equal(turns.takes(), true)
  assert.equal(brake.waiting, 0)
})
