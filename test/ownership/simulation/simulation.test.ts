import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Fault } from './faults.js'
import { runSchedule } from './run.js'

/** `SEED=n` runs one schedule and prints its events. */
const only = process.env.SEED === undefined ? undefined : Number(process.env.SEED)
const SEEDS = 60

describe('in a simulated world', () => {
  it('each shard has at most one owner, and one again soon, whatever goes wrong', (t) => {
    const seeds = only === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [only]
    for (const seed of seeds) {
      const log = only === undefined ? {} : { log: (line: string) => t.diagnostic(line) }
      const { violation } = runSchedule({ seed, ...log })
      assert.equal(violation, undefined, `SEED=${seed}`)
    }
  })

  for (const shards of [256, 1_024])
    it(`the same is true with ${shards} shards`, () => {
      for (const seed of [1, 2]) {
        const { violation } = runSchedule({ seed: seed + shards, shards })
        assert.equal(violation, undefined, `seed ${seed + shards}`)
      }
    })

  it('everything happens that can', () => {
    const missing = new Set([
      'declares',
      'claimed',
      'hands shard',
      'raises',
      'fences',
      'end: left',
      'end: dead',
      'end: nameTaken',
    ])
    const look = (lines: readonly string[]): void => {
      for (const what of missing) if (lines.some((line) => line.includes(what))) missing.delete(what)
    }
    for (let seed = 1; seed <= 40 && missing.size > 0; seed++) {
      look(story(seed))
      if (seed <= 30) look(story(seed, ['drain', 'join', 'sqlApart', 'slow']))
    }
    assert.deepEqual([...missing], [])
  })

  it('a seed always tells the same story', () => {
    const [first, second] = [story(3), story(3)]
    assert.ok(first.length > 10)
    assert.deepEqual(first, second)
  })
})

function story(seed: number, faults?: readonly Fault[]): readonly string[] {
  const lines: string[] = []
  runSchedule({ seed, log: (line) => lines.push(line), ...(faults && { faults }) })
  return lines
}
