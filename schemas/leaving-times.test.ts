import assert from 'node:assert/strict'
import { it } from 'node:test'
import { estimateLeavings } from './leaving-today.js'

const estimate = (duesMs: readonly number[], { busyUntilMs = 0, intervalMs = 3_000 } = {}) =>
  estimateLeavings({ duesMs, busyUntilMs, intervalMs }).at(-1)

it('lets a scheduled send leave at its time if none is due shortly before', () => {
  assert.equal(estimate([60_000]), 60_000)
  assert.equal(estimate([10_000, 13_000, 60_000]), 60_000)
})

it('adds the pauses of those that are due before it', () => {
  assert.equal(estimate([60_000, 60_000]), 63_000)
  const eachSecond = Array.from({ length: 60 }, (_, second) => 100_000 + second * 1_000)
  assert.equal(estimate(eachSecond), 100_000 + 59 * 3_000)
  assert.equal(estimate(eachSecond, { intervalMs: 1_000 }), 159_000)
})

it('forgets the backlog once there was time for all of it', () => {
  assert.equal(estimate([0, 0, 0, 60_000, 61_000]), 63_000)
})

it('begins behind the queue', () => {
  assert.equal(estimate([60_000], { busyUntilMs: 90_000 }), 90_000)
  assert.equal(estimate([60_000, 61_000], { busyUntilMs: 90_000 }), 93_000)
  assert.equal(estimate([60_000], { busyUntilMs: 30_000 }), 60_000)
})
