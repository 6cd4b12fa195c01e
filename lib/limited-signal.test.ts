import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limitedSignal } from './time-limit.js'

it('a signal with a time ends its work then, even if nothing else holds it and the collector runs', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const outer = new AbortController()
  const ended = new Promise<string>((resolve) => {
    const { signal } = limitedSignal(outer.signal, 50)
    signal.addEventListener('abort', () => resolve((signal.reason as Error).name))
  })
  collect()
  assert.equal(await ended, 'TimeoutError')
})

it('a signal with a time ends with the other one, also with one that has ended, and not after its end', async () => {
  const outer = new AbortController()
  const [one, over] = [limitedSignal(outer.signal, 60_000), limitedSignal(outer.signal, 60_000)]
  over.end()
  outer.abort(new Error('stopped'))
  assert.deepEqual([(one.signal.reason as Error).message, over.signal.aborted], ['stopped', false])
  one.end()
  const late = limitedSignal(outer.signal, 60_000)
  assert.equal((late.signal.reason as Error).message, 'stopped')
  late.end()
})
