import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { it } from 'node:test'
import { TickWriter } from './tick-writer.js'

it('sends the frames of one turn in one write, and those of the next in another', async () => {
  const writes: string[] = []
  const socket = new Writable({
    decodeStrings: false,
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(' '))
      done()
    },
  })
  const writer = new TickWriter(socket)
  writer.write(Buffer.from('one'))
  await null
  process.nextTick(() => writer.write(Buffer.from('two')))
  await new Promise(setImmediate)
  assert.deepEqual(writes, ['one two'])
  writer.write(Buffer.from('three'))
  await new Promise(setImmediate)
  assert.deepEqual(writes, ['one two', 'three'])
})
