import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillRandom, RANDOM_BYTES_MAX, randomBuffer, randomHex } from './random.js'

describe('random bytes from a supply', () => {
  it('are never given out twice, over many fillings and whatever was taken before', () => {
    // 16 bytes that come twice are a mistake: by chance they do not.
    const given: Buffer[] = []
    for (let index = 0; index < 4_000; index++) {
      given.push(index % 2 === 0 ? randomBuffer(16 + (index % 17)) : Buffer.from(randomHex(16 + (index % 5)), 'hex'))
    }
    for (const length of [16, RANDOM_BYTES_MAX]) {
      const filled = new Uint8Array(length)
      fillRandom(filled)
      given.push(Buffer.from(filled))
    }
    assert.equal(new Set(given.map((bytes) => bytes.toString('hex', 0, 16))).size, given.length)
    // Nor in part, which would make the ends of what is given out foreseeable.
    assert.equal(new Set(given.map((bytes) => bytes[0])).size, 256)
    assert.equal(new Set(given.map((bytes) => bytes.at(-1))).size, 256)
  })

  it('do not change after they were given out', () => {
    const first = randomBuffer(32)
    const before = first.toString('hex')
    for (let index = 0; index < 1_000; index++) randomBuffer(32)
    assert.equal(first.toString('hex'), before)
  })

  it('have the requested length, and take every value', () => {
    const seen = new Set<number>()
    for (let index = 0; index < 1_000; index++) {
      const bytes = randomBuffer(RANDOM_BYTES_MAX)
      assert.equal(bytes.length, RANDOM_BYTES_MAX)
      for (const byte of bytes) seen.add(byte)
    }
    assert.equal(seen.size, 256)
    assert.match(randomHex(18), /^[0-9a-f]{36}$/)
    assert.equal(randomHex(0), '')
  })

  it('are refused where they are too many for a supply', () => {
    assert.throws(() => randomBuffer(RANDOM_BYTES_MAX + 1), RangeError)
    assert.throws(() => fillRandom(new Uint8Array(100_000)), RangeError)
  })
})
