import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LoopPace, type LoopTimes } from './loop-pace.js'

const START: LoopTimes = { atMs: 0, activeMs: 0, idleMs: 0 }

function after({ atMs, activeMs, idleMs }: LoopTimes, active: number, idle: number): LoopTimes {
  return { atMs: atMs + active + idle, activeMs: activeMs + active, idleMs: idleMs + idle }
}

const STEP_MS = 0.1

/** Runs turns that cost so much, beside other work with this share of the loop. Returns the turns in a second and the load of the loop. */
function run(pace: LoopPace, costMs: number, othersShare: number, forMs = 60_000) {
  let now = START
  let turns = 0
  while (now.atMs < forMs) {
    const waitMs = pace.waitMs(now)
    if (waitMs === 0) {
      pace.begins(now)
      turns += 1
      now = after(now, costMs, 0)
    } else now = after(now, STEP_MS * othersShare, STEP_MS * (1 - othersShare))
  }
  return { perSecond: (turns * 1_000) / now.atMs, load: now.activeMs / now.atMs }
}

it('lets turns begin as fast as the load allows, whatever a turn costs', () => {
  for (const costMs of [1, 5, 20, 100]) {
    const { load } = run(new LoopPace(0.7), costMs, 0)
    assert.ok(load > 0.6 && load <= 0.75, `${costMs} ms: ${load}`)
  }
})

it('leaves room for other work', () => {
  const { load, perSecond } = run(new LoopPace(0.7), 20, 0.4)
  assert.ok(load <= 0.75, `${load}`)
  assert.ok(perSecond >= 10, `${perSecond}`)
})

it('gives campaigns some turns, but few, on a node that other work keeps busy', () => {
  const { perSecond } = run(new LoopPace(0.7), 20, 0.95)
  assert.ok(perSecond > 3 && perSecond <= 5, `${perSecond}`)
})

it('takes nothing for the cost of a turn that happened while none waited', () => {
  const pace = new LoopPace(0.7)
  pace.begins(START)
  const later = after(START, 60_000, 60_000)
  pace.begins(later)
  assert.ok(pace.waitMs(after(later, 1, 0)) <= 10)
})

it('rests longer after timers that are late, until they are in time again', () => {
  const pace = new LoopPace(0.7)
  pace.begins(START)
  const restMs = pace.waitMs(START)
  pace.timerWasLate(100)
  assert.ok(pace.waitMs(START) > restMs)
  for (let turn = 0; turn < 10; turn += 1) pace.timerWasLate(0)
  assert.equal(pace.waitMs(START), restMs)
})

it('lets turns never wait with the whole loop', () => {
  assert.equal(run(new LoopPace(1), 20, 0).load, 1)
})
