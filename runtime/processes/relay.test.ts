import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it } from 'node:test'
import type { FromSupervisor } from './messages.js'
import { createRelay } from './process-group.js'

class FakeWorker extends EventEmitter {
  readonly heard: FromSupervisor[] = []
  isConnected(): boolean {
    return true
  }
  send(message: FromSupervisor): void {
    this.heard.push(message)
  }
  /** Returns the id of the last question. */
  get lastId(): number {
    const last = this.heard.at(-1)
    return last !== undefined && 'id' in last ? last.id : 0
  }
}

describe('the relay of a supervisor', () => {
  it('asks all but the one who asks, and returns what they answer', async () => {
    const workers = [new FakeWorker(), new FakeWorker(), new FakeWorker()]
    const [one, two, three] = workers as [FakeWorker, FakeWorker, FakeWorker]
    const relay = createRelay(() => workers)
    const asked = relay.ask(one, 'metrics')
    assert.deepEqual(
      [one, two, three].map(({ heard }) => heard.length),
      [0, 1, 1],
    )
    relay.answered(three.lastId, 'third')
    relay.answered(two.lastId, 'second')
    assert.deepEqual(await asked, ['second', 'third'])
  })

  it('waits neither for one that ends nor for one that is silent', async () => {
    const workers = [new FakeWorker(), new FakeWorker(), new FakeWorker()]
    const [one, two, three] = workers as [FakeWorker, FakeWorker, FakeWorker]
    const relay = createRelay(() => workers, 1)
    const asked = relay.ask(one, 'readiness')
    two.emit('exit')
    assert.deepEqual(await asked, [])
    relay.answered(three.lastId, 'too late')
    assert.equal(three.listenerCount('exit'), 0)
  })
})
