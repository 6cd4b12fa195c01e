import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createBatch } from './batch.js'

it('hands on what has come before a change of it, once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const taken: (readonly number[])[] = []
  const batch = createBatch<number>((items) => taken.push(items))
  batch.add(1)
  batch.add(2)
  batch.flush()
  assert.deepEqual(taken, [[1, 2]])
  batch.flush()
  t.mock.timers.tick(1_000)
  assert.deepEqual(taken, [[1, 2]])
  batch.add(3)
  t.mock.timers.tick(1_000)
  assert.deepEqual(taken, [[1, 2], [3]])
})
