import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { RetryReceipt } from './retry-receipt.js'
import { RetryRequests, takeOverRetries } from './retry-requests.js'

const [ZOE, MIA] = ['111@lid', '222@lid']

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 })
  const sent: string[] = []
  const full: number[] = []
  const retries = new RetryRequests({
    send: async ({ node, count, withKeys }: RetryReceipt) =>
      void sent.push(`${node.attrs.id}${withKeys ? ' keys' : ''}${count > 1 ? ` ${count}` : ''}`),
    isOpen: () => true,
    failed: (error) => assert.fail(String(error)),
    onFull: () => void full.push(sent.length),
  })
  t.after(() => retries.stop())
  const fail = (id: string, sender = ZOE, isSessionBroken = true) => {
    retries.note({ id, sender, isSessionBroken, node: { tag: 'message', attrs: { id } } })
    assert.equal(retries.ask(id), true)
  }
  const came = (id: string, { sender = ZOE, isFirstOfSession = false } = {}) =>
    retries.came({ id, sender, isFirstOfSession })
  const taken = () => sent.splice(0)
  return { retries, fail, came, taken, full, tick: (ms: number) => t.mock.timers.tick(ms) }
}

describe('a message that cannot be decrypted', () => {
  it('is asked for with keys for a new session once for each sender, and the others without', (t) => {
    const { fail, came, taken } = start(t)
    for (const id of ['a', 'b', 'c']) fail(id)
    fail('m', MIA)
    assert.deepEqual(taken(), ['a keys', 'm keys'])
    came('a', { isFirstOfSession: true })
    assert.deepEqual(taken(), ['b', 'c'])
    fail('d')
    assert.deepEqual(taken(), ['d'])
    came('m', { sender: MIA, isFirstOfSession: true })
    assert.deepEqual(taken(), [])
  })

  it('is asked for together with others, in the order in which they came: 20 of the account, and 10 of one sender', (t) => {
    const { fail, came, taken } = start(t)
    const others = Array.from({ length: 30 }, (_, index) => String(index))
    for (const sender of ['a', 'b', 'c']) {
      fail(`${sender} first`, sender)
      for (const id of others) fail(`${sender} ${id}`, sender)
    }
    assert.deepEqual(taken(), ['a first keys', 'b first keys', 'c first keys'])
    const few = (sender: string, from: number, count: number) =>
      others.slice(from, from + count).map((id) => `${sender} ${id}`)
    came('a first', { sender: 'a', isFirstOfSession: true })
    assert.deepEqual(taken(), few('a', 0, 10))
    came('b first', { sender: 'b', isFirstOfSession: true })
    assert.deepEqual(taken(), few('b', 0, 9))
    came('c first', { sender: 'c', isFirstOfSession: true })
    assert.deepEqual(taken(), few('b', 9, 1))
    came('a 3', { sender: 'a' })
    came('b 7', { sender: 'b' })
    assert.deepEqual(taken(), [...few('a', 10, 1), ...few('b', 10, 1)])
  })

  it('is asked for again with keys when its answer fails, and five times in all', (t) => {
    const { fail, came, taken, tick } = start(t)
    fail('a')
    came('a', { isFirstOfSession: true })
    fail('b')
    fail('b')
    tick(10_000)
    for (let count = 3; count < 8; count += 1) {
      fail('b')
      tick(10_000)
    }
    assert.deepEqual(taken(), ['a keys', 'b', 'b keys 2', 'b keys 3', 'b keys 4', 'b keys 5'])
  })

  it('waits no longer than 10 seconds for a sender who does not answer', (t) => {
    const { fail, taken, tick } = start(t)
    fail('a')
    fail('b')
    assert.deepEqual(taken(), ['a keys'])
    tick(9_999)
    assert.deepEqual(taken(), [])
    tick(1)
    assert.deepEqual(taken(), ['b keys'])
  })

  it('is asked for without keys in a group, whose key is in each answer', (t) => {
    const { fail, taken } = start(t)
    fail('a', ZOE, false)
    fail('b', ZOE, false)
    assert.deepEqual(taken(), ['a', 'b'])
  })

  it('takes a bounded amount of memory', (t) => {
    const { fail, taken, full } = start(t)
    for (let index = 0; index < 300; index += 1) fail(String(index))
    assert.deepEqual(taken(), ['0 keys'])
    assert.equal(full.length, 49)
    for (let index = 0; index < 1_000; index += 1) fail(String(index), `sender ${index}`)
    assert.equal(taken().length, 19)
    assert.equal(full.length, 49 + 231)
  })
})

it('leaves the library to count the retries of a message that was not noted', (t) => {
  const { retries } = start(t)
  const manager = { hasExceededMaxRetries: (id: string) => id === 'too often' }
  takeOverRetries({ messageRetryManager: manager } as unknown as Parameters<typeof takeOverRetries>[0], retries)
  assert.equal(manager.hasExceededMaxRetries('unknown'), false)
  assert.equal(manager.hasExceededMaxRetries('too often'), true)
})
