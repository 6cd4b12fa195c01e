import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { explore, type Model } from './explore.js'
import { type HandOverRules, handOverModel } from './hand-over.js'
import { type ProofRules, proofModel } from './proof.js'

/** The model with all rules on is walked in model.faults.ts: it has most of a million states. */
const withoutProof: readonly (readonly [string, Partial<ProofRules>])[] = [
  ['a wait that is as long as the guard', { leaseTicks: 1 }],
  ['a deadline that counts from before the request', { countsFromRequest: false }],
  ['SQL to open a guard that had closed', { reopensBySql: false }],
  ['the wait for a lease that is not found', { waitsForLease: false }],
  ['starting again when the data of Redis went back', { startsAnewWithHistory: false }],
  ['starting again with each hold', { startsAnewWithRevision: false }],
  ['the compare-and-set on the revision', { checksRevision: false }],
]

const withoutHandOver: readonly (readonly [string, Partial<HandOverRules>])[] = [
  ['quieting before SQL is asked', { quietsFirst: false }],
  ['raising the epoch when there was no answer', { raisesWhenUnsure: false }],
  ['telling a late answer from the present one', { knowsItsAnswers: false }],
  ['the lock of the epoch check', { locksEpoch: false }],
]

describe('an owner is declared dead with its guard open', () => {
  for (const [without, rules] of withoutProof) it(`without ${without}`, (t) => assertStory(t, proofModel(rules)))
})

describe('a shard that is handed over', () => {
  it('never has two owners', () => assert.equal(explore(handOverModel()).story, undefined))

  for (const [without, rules] of withoutHandOver)
    it(`has, or gets a stale write, without ${without}`, (t) => assertStory(t, handOverModel(rules)))
})

function assertStory<State>(t: TestContext, model: Model<State>): void {
  const { story, states } = explore(model)
  assert.ok(story !== undefined, `nothing bad in ${states} states`)
  t.diagnostic(story.join('; '))
}
