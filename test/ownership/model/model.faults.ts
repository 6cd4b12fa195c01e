import assert from 'node:assert/strict'
import { it } from 'node:test'
import { explore } from './explore.js'
import { proofModel } from './proof.js'

it('no owner is declared dead with its guard open, in any state of the model', (t) => {
  const { states, story } = explore(proofModel())
  assert.equal(story, undefined)
  t.diagnostic(`${states} states`)
})

it('one is when a lease counts that SQL did not confirm', (t) => {
  const { story } = explore(proofModel({ confirmsLease: false }))
  assert.ok(story !== undefined)
  t.diagnostic(story.join('; '))
})
