import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withTimeLimit } from './time-limit.js'

const never = new Promise<never>(() => {})

it('resolves with the result of work that ends in time, and clears the timer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let isLate = false
  const late = () => {
    isLate = true
  }
  assert.equal(await withTimeLimit(Promise.resolve('done'), 100, late), 'done')
  t.mock.timers.tick(1_000)
  await Promise.resolve()
  assert.equal(isLate, false)
})

it('resolves with the result of `late` when the work takes longer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const limited = withTimeLimit(never, 100, () => 'late')
  t.mock.timers.tick(100)
  assert.equal(await limited, 'late')
})

it('rejects with the error of the work, or with that of `late`', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await assert.rejects(
    withTimeLimit(Promise.reject(new Error('failed')), 100, () => 'late'),
    /failed/,
  )
  const limited = withTimeLimit(never, 100, () => {
    throw new Error('too late')
  })
  t.mock.timers.tick(100)
  await assert.rejects(limited, /too late/)
})

it('ignores a failure of work that is too late', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let fail: (error: Error) => void = () => {}
  const work = new Promise<never>((_, reject) => {
    fail = reject
  })
  const limited = withTimeLimit(work, 100, () => 'late')
  t.mock.timers.tick(100)
  assert.equal(await limited, 'late')
  fail(new Error('An unhandled rejection would end this process.'))
})
