import assert from 'node:assert/strict'
import { it } from 'node:test'
import { RateLimit } from './rate-limit.js'

it('a rate limit lets a number of things happen within any window of its length', () => {
  const limit = new RateLimit(2, 1_000)
  assert.deepEqual(
    [0, 600, 900, 1_000, 1_500, 1_600].map((atMs) => limit.take(atMs)),
    [true, true, false, true, false, true],
  )
})
