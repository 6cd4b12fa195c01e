import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InternalEvents } from './internal-events.js'

describe('internal events', () => {
  it('call their listeners at once, in the order in which they were added', () => {
    const events = new InternalEvents()
    const calls: string[] = []
    events.on('webhookWritten', (id) => calls.push(`first ${id}`))
    events.on('webhookWritten', (id) => calls.push(`second ${id}`))
    events.on('webhookChanged', (id) => calls.push(`other ${id}`))
    events.emit('webhookWritten', 'a')
    assert.deepEqual(calls, ['first a', 'second a'])
  })

  it('need no listener', () => {
    new InternalEvents().emit('tableWritten')
  })

  it('throw the error of a listener at the emitter', () => {
    const events = new InternalEvents()
    events.on('tableWritten', () => {
      throw new Error('no')
    })
    assert.throws(() => events.emit('tableWritten'), /no/)
  })
})
