import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { type GatedSocket, gateOutput } from './output-gate.js'

/** A journal whose commits the test makes, and a socket that notes what leaves. */
function start({ stream }: { stream?: Writable } = {}) {
  let pending: { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } | undefined
  const left: string[] = []
  const failures: unknown[] = []
  const heldMs: number[] = []
  const asked: string[] = []
  const socket: GatedSocket = {
    send: (data, sent) => {
      if (stream === undefined) left.push(Buffer.from(data).toString())
      else stream.write(data)
      sent?.()
    },
    _socket: stream ?? null,
  }
  const journal = {
    write: async () => ({ messages: new Map() }),
    settled: (when?: 'soon') => {
      asked.push(when ?? 'now')
      return pending?.promise
    },
    together: (work: () => void) => work(),
  }
  let isProven = true
  let reopen: () => void = () => {}
  const guard = {
    isOpen: () => isProven,
    opened: () => new Promise<void>((resolve) => (reopen = resolve)),
  }
  const gate = gateOutput(
    socket,
    journal,
    guard,
    (error) => failures.push(error),
    (ms) => heldMs.push(ms),
  )
  return {
    left,
    failures,
    heldMs,
    /** How the gate asked the journal for its end. */
    asked,
    gate,
    doubt() {
      isProven = false
    },
    async prove() {
      isProven = true
      reopen()
      await new Promise(setImmediate)
    },
    send: (text: string) => socket.send(Buffer.from(text)),
    write() {
      let resolve = () => {}
      let reject: (error: Error) => void = () => {}
      const promise = new Promise<void>((done, failed) => {
        resolve = done
        reject = failed
      })
      pending = { promise, resolve, reject }
    },
    async commit() {
      const committed = pending
      pending = undefined
      committed?.resolve()
      await new Promise(setImmediate)
    },
    async fail() {
      const failed = pending
      pending = undefined
      failed?.reject(new Error('the store is away'))
      await new Promise(setImmediate)
    },
  }
}

describe('the output gate', () => {
  it('holds an answer that has time in its order, and lets the writes before it wait', async () => {
    const { gate, send, write, commit, left, asked } = start()
    write()
    gate.patiently(() => send('answer to a receipt'))
    send('message')
    assert.deepEqual([left, asked], [[], ['soon', 'now']])
    await commit()
    assert.deepEqual(left, ['answer to a receipt', 'message'])
  })

  it('releases a frame at once when nothing is pending', () => {
    const { send, left } = start()
    send('keep-alive')
    assert.deepEqual(left, ['keep-alive'])
  })

  it('holds frames until earlier writes are durable, and keeps their order', async () => {
    const { send, left, write, commit, heldMs } = start()
    write()
    send('receipt')
    send('message')
    await new Promise(setImmediate)
    assert.deepEqual(left, [])
    await commit()
    assert.deepEqual(left, ['receipt', 'message'])
    assert.ok(heldMs.length === 2 && heldMs.every((ms) => ms > 0))
    send('next')
    assert.deepEqual(left, ['receipt', 'message', 'next'])
    assert.equal(heldMs.length, 2)
  })

  it('holds every frame while the node cannot prove that it lives, also those that waited for a commit', async () => {
    const { send, left, write, commit, doubt, prove, gate } = start()
    write()
    send('receipt')
    doubt()
    await commit()
    send('keep-alive')
    assert.deepEqual(left, [])
    await prove()
    assert.deepEqual(left, ['receipt', 'keep-alive'])
    doubt()
    send('message')
    gate.close()
    await prove()
    assert.deepEqual(left, ['receipt', 'keep-alive'])
  })

  it('checks again when the bytes leave, so that a pause after the release of a frame holds the whole burst', async () => {
    const written: string[] = []
    let finish: (() => void) | undefined
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written.push(chunk.toString())
        finish = done
      },
      writev: (chunks, done) => {
        written.push(chunks.map(({ chunk }) => (chunk as Buffer).toString()).join('+'))
        finish = done
      },
    })
    const { send, doubt, prove, gate } = start({ stream })
    send('one')
    send('two')
    // As after a pause: the process wakes before the bytes have left.
    doubt()
    await new Promise(setImmediate)
    assert.deepEqual(written, [])
    await prove()
    assert.deepEqual(written, ['one+two'])
    // The kernel takes no more for now, and takes it again after a pause.
    send('three')
    await new Promise(setImmediate)
    doubt()
    finish?.()
    await new Promise(setImmediate)
    assert.deepEqual(written, ['one+two'])
    gate.close()
    await prove()
    assert.deepEqual(written, ['one+two'])
  })

  it('releases nothing after a failed write, and reports it once', async () => {
    const { send, left, failures, write, fail } = start()
    write()
    send('receipt')
    send('message')
    await fail()
    send('later')
    await new Promise(setImmediate)
    assert.deepEqual([left, failures.length], [[], 1])
  })
})
