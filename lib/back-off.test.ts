import assert from 'node:assert/strict'
import { it } from 'node:test'
import { backOffMs, withHalfJitter } from './back-off.js'

it('doubles a delay with each failure, up to its maximum', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 2_000].map((failures) => backOffMs(failures, 100, 1_000)),
    [100, 200, 400, 800, 1_000, 1_000],
  )
})

it('spreads a delay over its upper half', () => {
  assert.equal(withHalfJitter(1_000, 0), 500)
  assert.equal(withHalfJitter(1_000, 1), 1_000)
})
