import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createRetryTimer } from './retry-timer.js'

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 1_000_000 })
  const called: string[] = []
  const timer = createRetryTimer(
    (lane) => called.push(lane),
    () => Date.now(),
  )
  t.after(() => timer.close())
  return { timer, called }
}

describe('lanes that wait for their next attempt', () => {
  it('are called when their time has come, each once', (t) => {
    const { timer, called } = start(t)
    timer.add('late', 500, '')
    timer.add('soon', 150, '')
    t.mock.timers.tick(200)
    assert.deepEqual(called, ['soon'])
    t.mock.timers.tick(1000)
    assert.deepEqual(called, ['soon', 'late'])
    assert.equal(timer.size, 0)
  })

  it('are taken by whom they wait for, which a look at them in between does not change', (t) => {
    const { timer } = start(t)
    timer.add('a', 900, 'x')
    timer.add('b', 300, 'x')
    timer.add('c', 100, 'y')
    timer.add('d', 200, '')
    timer.add('a', 900)
    timer.add('d', 200)
    assert.equal(timer.takeFirst('x'), 'b')
    assert.deepEqual(timer.take('x'), ['a'])
    assert.equal(timer.takeFirst('x'), undefined)
    assert.deepEqual(
      timer.release(() => true),
      ['c'],
      'd was asked to wait',
    )
    assert.equal(timer.size, 1)
  })

  it('are no longer taken after the end', (t) => {
    const { timer, called } = start(t)
    timer.add('a', 100, '')
    timer.close()
    timer.add('b', 100, '')
    t.mock.timers.tick(1000)
    assert.deepEqual([called, timer.size], [[], 0])
  })
})
