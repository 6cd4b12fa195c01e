import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ANSWER, encodeFrame, FrameReader, LEAVING, REQUEST, type WireFrame } from './frames.js'

const sent: readonly (readonly [kind: number, call: number, head: string, body: string])[] = [
  [REQUEST, 1, '/command a.1.b', '{"text":"Olá 😀"}'],
  [LEAVING, 0, '', ''],
  [ANSWER, 4_294_967_295, '200 signature', 'x'.repeat(70_000)],
  [ANSWER, 2, '421 s', '{}'],
]
const bytes = Buffer.concat(sent.map((frame) => encodeFrame(...frame)))
const plain = ({ kind, call, head, body }: WireFrame) => [kind, call, head, body.toString()]

it('frames arrive as they were, wherever they were cut', () => {
  for (const size of [1, 2, 3, 5, 11, 1_000, 65_536, bytes.length]) {
    const reader = new FrameReader(100_000)
    const read: WireFrame[] = []
    for (let at = 0; at < bytes.length; at += size) read.push(...reader.push(bytes.subarray(at, at + size)))
    assert.deepEqual(read.map(plain), sent, `cut every ${size} bytes`)
  }
})

it('does not wait for invalid or oversized frames', () => {
  const noFrames = [
    Buffer.from('GET / HTTP/1.1\r\n'),
    Buffer.from([0, 0, 0, 6, 1, 0]),
    Buffer.from([0, 0, 0, 7, 1, 0, 0, 0, 1, 0, 1]),
    encodeFrame(REQUEST, 1, '', 'x'.repeat(12_000)).subarray(0, 4),
  ]
  for (const wrong of noFrames) assert.throws(() => new FrameReader(10_000).push(wrong), RangeError)
})
