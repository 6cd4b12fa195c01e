import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mutations } from './rules.js'
import { runSchedule } from './run.js'
import { allRules } from './world.js'

const SEEDS_MAX = 200

describe('the simulation notices', () => {
  for (const { without, rules, faults } of mutations) {
    it(`when the protocol is without ${without}`, (t) => {
      for (let seed = 1; seed <= SEEDS_MAX; seed++) {
        const { violation } = runSchedule({ seed, rules, faults })
        if (violation === undefined) continue
        t.diagnostic(`seed ${seed}: ${violation}`)
        return
      }
      assert.fail(`no violation in ${SEEDS_MAX} schedules`)
    })
  }

  it('the frames themselves, when nothing holds them', () => {
    const rules = { ...allRules, hasGuard: false }
    const seeds = Array.from({ length: SEEDS_MAX }, (_, index) => index + 1)
    const found = seeds.find((seed) => {
      const { violation } = runSchedule({ seed, rules, faults: ['pause', 'allApart'], onlyAtNetwork: true })
      return violation?.includes('was sent after the login')
    })
    assert.ok(found !== undefined)
  })

  it('nothing, in the same trouble, with all rules', () => {
    for (const { faults } of mutations) {
      for (let seed = 1; seed <= 2; seed++) assert.equal(runSchedule({ seed, faults }).violation, undefined)
    }
  })
})
