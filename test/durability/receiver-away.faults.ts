import assert from 'node:assert/strict'
import { it } from 'node:test'
import { receiverAway } from './receiver-away.js'

it('a receiver away for 4 s, and kill -9 meanwhile: every webhook arrives, in order', async (t) => {
  const summary = await receiverAway(t, { awayMs: 4_000 })
  assert.deepEqual(summary, { lost: 0, doubled: 0, inverted: 0, deadLetters: 0 })
})
