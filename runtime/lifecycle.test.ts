import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLifecycle, LifecycleStopped } from './lifecycle.js'
import { createLogger } from './logging.js'

const logger = createLogger({ level: 'silent' })

function lifecycleWith(steps: string[], shutdownTimeoutMs = 1_000) {
  let ended: (code: number) => void = () => undefined
  const exit = new Promise<number>((resolve) => {
    ended = resolve
  })
  const lifecycle = createLifecycle({ logger, shutdownTimeoutMs, exit: (code) => ended(code) })
  const part = (name: string) =>
    lifecycle.start(
      name,
      () => void steps.push(`start ${name}`),
      () => void steps.push(`stop ${name}`),
    )
  return { lifecycle, part, exit }
}

describe('the life of the process', () => {
  it('starts parts in order and stops them in reverse, once', async () => {
    const steps: string[] = []
    const { lifecycle, part } = lifecycleWith(steps)
    await part('store')
    await part('api')
    await Promise.all([lifecycle.stop('test'), lifecycle.stop('test again')])
    assert.deepEqual(steps, ['start store', 'start api', 'stop api', 'stop store'])
  })

  it('hands a part to those after it', async () => {
    const { lifecycle } = lifecycleWith([])
    assert.equal(await lifecycle.start('store', async () => 42), 42)
  })

  it('stops the others although one fails or hangs', async () => {
    const steps: string[] = []
    const { lifecycle, part } = lifecycleWith(steps)
    await part('store')
    await lifecycle.start(
      'broken',
      () => undefined,
      () => Promise.reject(new Error('broken')),
    )
    await lifecycle.start(
      'hanging',
      () => undefined,
      () => new Promise(() => undefined),
      { stopTimeoutMs: 10 },
    )
    await lifecycle.stop('test')
    assert.deepEqual(steps, ['start store', 'stop store'])
  })

  it('gives up the whole stop after its time', async () => {
    const { lifecycle } = lifecycleWith([], 20)
    await lifecycle.start(
      'hanging',
      () => undefined,
      () => new Promise(() => undefined),
      { stopTimeoutMs: 200 },
    )
    await lifecycle.stop('test')
    assert.equal(lifecycle.isStopping, true)
  })

  it('names the part that takes too long to start', async () => {
    const { lifecycle } = lifecycleWith([])
    const start = lifecycle.start('store', () => new Promise(() => undefined), undefined, { startTimeoutMs: 10 })
    await assert.rejects(start, /Starting store took longer than 10 ms/)
  })

  it('stops a part that was starting when the end came', async () => {
    const steps: string[] = []
    const { lifecycle, part } = lifecycleWith(steps)
    let started: () => void = () => undefined
    const slow = lifecycle.start(
      'slow',
      () =>
        new Promise<void>((resolve) => {
          started = resolve
        }),
      () => void steps.push('stop slow'),
    )
    await lifecycle.stop('test')
    started()
    await assert.rejects(slow, LifecycleStopped)
    await assert.rejects(part('later'), LifecycleStopped)
    assert.deepEqual(steps, ['stop slow'])
  })

  it('destroys sockets before anything else when an error is fatal, and exits 1', async () => {
    const steps: string[] = []
    const { lifecycle, part, exit } = lifecycleWith(steps)
    lifecycle.onFatal(() => {
      steps.push('destroy sockets')
      throw new Error('and fails')
    })
    await part('store')
    assert.equal(lifecycle.isFatal, false)
    lifecycle.fail(new Error('fatal'))
    assert.equal(lifecycle.isFatal, true)
    assert.equal(await exit, 1)
    assert.deepEqual(steps, ['start store', 'destroy sockets', 'stop store'])
  })
})
