import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { readHandle, withHandle } from './channel-handle.js'

describe('the handle of an upload for a channel', () => {
  const encoded = proto.Message.encode({ conversation: 'a post' } as proto.Message).finish()

  it('is stored behind the message, which stays readable, and is taken off again', () => {
    for (const handle of ['h', 'a'.repeat(126), 'a'.repeat(500), 'ü'.repeat(500)]) {
      const stored = withHandle(encoded, handle)
      assert.equal(proto.Message.decode(stored).conversation, 'a post')
      const read = readHandle(stored)
      assert.deepEqual(
        [Buffer.from(read.encoded).toString('hex'), read.handle],
        [Buffer.from(encoded).toString('hex'), handle],
      )
    }
  })

  it('is missing in other messages, whatever they end with', () => {
    for (const bytes of [new Uint8Array(), encoded, Buffer.from([0, 1]), Buffer.alloc(700, 0xff), Buffer.alloc(700, 0)])
      assert.deepEqual(readHandle(bytes), { encoded: bytes, handle: null })
  })
})
