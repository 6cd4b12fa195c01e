import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ModelError } from '../../../schemas/agents/models.js'
import { ModelBreakers } from './breaker.js'

const failure = (retryAfterMs: number | null = null) => new ModelError('temporary', 'Away.', { retryAfterMs })

it('a breaker opens after five failures in a row, lets one probe through at a time, and rests longer after each', () => {
  let nowMs = 1_000
  const breakers = new ModelBreakers(() => nowMs)
  for (let count = 0; count < 4; count += 1) breakers.failed('a', failure())
  breakers.succeeded('a')
  for (let count = 0; count < 5; count += 1) {
    assert.equal(breakers.admit('a'), 0)
    breakers.failed('a', failure())
  }
  const firstMs = breakers.admit('a')
  assert.ok(firstMs >= 1_000 && firstMs <= 2_000)
  assert.equal(breakers.admit('b'), 0)
  nowMs += firstMs
  assert.equal(breakers.admit('a'), 0)
  assert.ok(breakers.admit('a') > 0, 'A second probe beside the first.')
  breakers.failed('a', failure(20_000))
  assert.ok(breakers.admit('a') >= 20_000)
  nowMs += 60_000
  assert.equal(breakers.admit('a'), 0)
  breakers.passed('a')
  assert.equal(breakers.admit('a'), 0, 'A probe that was aborted keeps nobody waiting.')
  breakers.succeeded('a')
  for (let count = 0; count < 3; count += 1) assert.equal(breakers.admit('a'), 0)
})

it('a probe whose caller is gone keeps a breaker open for at most two minutes', () => {
  let nowMs = 1_000
  const breakers = new ModelBreakers(() => nowMs)
  for (let count = 0; count < 5; count += 1) breakers.failed('a', failure())
  nowMs += 10_000
  assert.equal(breakers.admit('a'), 0)
  nowMs += 60_000
  assert.ok(breakers.admit('a') > 0)
  nowMs += 61_000
  assert.equal(breakers.admit('a'), 0)
})
