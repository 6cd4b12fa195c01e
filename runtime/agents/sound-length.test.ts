import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { oggPage } from '../../test/support/ogg.js'
import { secondsOfSound } from './sound-length.js'

const head = oggPage([Buffer.from('OpusHead\u0001\u0001')])
/** A packet with one frame of 20 ms of CELT. */
const packet = Buffer.from([31 << 3, 1, 2, 3])

describe('the length of a sound', () => {
  it('is that of its packets, whatever the sender and its pages say', () => {
    const pages = Array.from({ length: 50 }, () => oggPage(Array.from({ length: 100 }, () => packet)))
    assert.equal(secondsOfSound(Buffer.concat([head, ...pages]), 600), 100)
    const long = Buffer.concat([head, ...Array.from({ length: 400 }, () => oggPage(Array(100).fill(packet)))])
    const measured = secondsOfSound(long, 600) ?? 0
    assert.ok(measured > 600 && measured < 610)
    // Two frames, and 48 by their count; a packet of 400 bytes takes two segments.
    const frames = [Buffer.from([(31 << 3) | 1]), Buffer.from([(31 << 3) | 3, 48]), Buffer.alloc(400, 31 << 3)]
    assert.equal(secondsOfSound(Buffer.concat([head, oggPage(frames)]), 600), 0.04 + 0.96 + 0.02)
    // Bytes between pages are skipped, as decoders do.
    const torn = Buffer.concat([head, Buffer.from('junk'), oggPage([packet]), Buffer.from('OggS')])
    assert.equal(secondsOfSound(torn, 600), 0.02)
  })

  it('is that of the frames of MP3, and of the samples of WAV', () => {
    // MPEG 1 layer 3, 128 kbit/s, 44.1 kHz: 417 bytes, 1152 samples.
    const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])
    const song = Buffer.concat([Buffer.from('ID3\u0004'), Buffer.alloc(6), ...Array(100).fill(frame)])
    assert.ok(Math.abs((secondsOfSound(song, 600) ?? 0) - (100 * 1152) / 44_100) < 1e-9)
    assert.ok(Math.abs((secondsOfSound(Buffer.concat(Array(10).fill(frame)), 600) ?? 0) - 11_520 / 44_100) < 1e-9)
    const wave = Buffer.alloc(44 + 16_000)
    wave.write('RIFF', 0)
    wave.write('WAVEfmt ', 8)
    wave.writeUInt16LE(1, 20)
    wave.writeUInt16LE(1, 22)
    wave.writeUInt32LE(8_000, 24)
    // The rate in bytes that it names is a lie.
    wave.writeUInt32LE(1_000_000, 28)
    wave.writeUInt16LE(8, 34)
    assert.equal(Math.round(secondsOfSound(wave, 600) ?? 0), 2)
  })

  it('is not known of other types', () => {
    // Two frames do not make MP3 of what follows.
    const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])
    const other = Buffer.concat([frame, frame, frame, Buffer.alloc(5_000, 0x55)])
    for (const bytes of [
      other,
      Buffer.from('....ftypM4A '),
      Buffer.from('OggSvorbis'),
      Buffer.from('RIFF'),
      Buffer.alloc(0),
    ])
      assert.equal(secondsOfSound(bytes, 600), null)
  })
})
