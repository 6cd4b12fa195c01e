import { describe, it } from 'node:test'
import { coreSubsetWorks, NETWORK_FAULTS } from './core-subset.js'
import { chooseSeed, seededRandom } from './random.js'

const COMBINATIONS = 16

/** Faults of the wire that may stand beside those of the network. None of them excuses a loss. */
const RULES = [
  // The phone of the sandbox asks again for what it gets twice; devices of clients do not.
  { kind: 'duplicate', times: 20, device: 1 },
  { kind: 'swallow-acks', times: 3 },
  { kind: 'delay', delayMs: 150 },
]

describe('pairing, sends, receives, groups and a restart work, and nothing is lost or doubled, under', () => {
  for (let index = 0; index < COMBINATIONS; index += 1)
    it(`combination ${index} of faults`, async (t) => {
      // `SEED` repeats the first combination; those after it count from there.
      const random = seededRandom(chooseSeed(t) + index)
      const faults = NETWORK_FAULTS.filter(() => random() < 0.6)
      // A refusal that is never answered is not a refusal.
      const rules = RULES.filter(
        ({ kind }) => random() < 0.4 && !(kind === 'swallow-acks' && faults.includes('limits')),
      )
      t.diagnostic(JSON.stringify({ faults, rules: rules.map(({ kind }) => kind) }))
      await coreSubsetWorks(t, { faults, random, rules, everyMs: 50 })
    })
})
