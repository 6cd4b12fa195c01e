import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { javascriptXeddsa, nativeXeddsa, useNativeXeddsa } from './xeddsa.js'

const require = createRequire(import.meta.url)

function makeKeyPair(): { public: Uint8Array; private: Uint8Array } {
  const { generateKeyPair } = createRequire(require.resolve('libsignal'))('curve25519-js') as {
    generateKeyPair(seed: Uint8Array): { public: Uint8Array; private: Uint8Array }
  }
  return generateKeyPair(randomBytes(32))
}

/** The order of the base point: a signature's scalar plus it verifies too, where nobody looks whether it is reduced. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

const LOW_ORDER_KEYS = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

function verdict(xeddsa: typeof nativeXeddsa, key: Uint8Array, message: Uint8Array, signature: Uint8Array): string {
  try {
    // Copies: the one in JavaScript clears a bit of what it is given.
    return String(xeddsa.verify(Buffer.from(key), Buffer.from(message), Buffer.from(signature)))
  } catch {
    return 'refused'
  }
}

function assertSame(what: string, key: Uint8Array, message: Uint8Array, signature: Uint8Array): string {
  const native = verdict(nativeXeddsa, key, message, signature)
  assert.equal(
    native,
    verdict(javascriptXeddsa, key, message, signature),
    `${what}: ${Buffer.from(key).toString('hex')} ${Buffer.from(signature).toString('hex')}`,
  )
  return native
}

function withBit(bytes: Uint8Array, index: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[index >> 3] = (changed[index >> 3] ?? 0) ^ (1 << (index & 7))
  return changed
}

function plusOrder(signature: Uint8Array): Buffer | null {
  let scalar = 0n
  for (let index = 31; index >= 0; index -= 1)
    scalar = (scalar << 8n) | BigInt((signature[32 + index] ?? 0) & (index === 31 ? 0x7f : 0xff))
  let sum = scalar + ORDER
  if (sum >= 2n ** 255n) return null
  const changed = Buffer.from(signature)
  for (let index = 0; index < 32; index += 1) {
    changed[32 + index] = Number(sum & 255n) | (index === 31 ? (signature[63] ?? 0) & 0x80 : 0)
    sum >>= 8n
  }
  return changed
}

describe('XEdDSA in WebAssembly', () => {
  it('accepts signatures of the JavaScript implementation, and the other way round', () => {
    for (let length = 0; length < 12; length += 1) {
      const { public: publicKey, private: privateKey } = makeKeyPair()
      const message = randomBytes(length * 7)
      for (const signer of [javascriptXeddsa, nativeXeddsa])
        assert.equal(assertSame('valid', publicKey, message, signer.sign(privateKey, message)), 'true')
    }
  })

  it('rejects changed bits, foreign scalars and wrong lengths, as the JavaScript implementation does', () => {
    for (let round = 0; round < 10; round += 1) {
      const { public: publicKey, private: privateKey } = makeKeyPair()
      const message = randomBytes(32)
      const signature = nativeXeddsa.sign(privateKey, message)
      for (let flip = 0; flip < 8; flip += 1)
        assert.equal(assertSame('signature bit', publicKey, message, withBit(signature, randomInt(512))), 'false')
      for (const bit of [508, 509, 510, 511]) assertSame('high bit', publicKey, message, withBit(signature, bit))
      assertSame('key bit', withBit(publicKey, randomInt(255)), message, signature)
      assertSame('high bit of the key', withBit(publicKey, 255), message, signature)
      assert.equal(assertSame('message', publicKey, randomBytes(32), signature), 'false')
      const foreign = plusOrder(signature)
      if (foreign !== null) assertSame('scalar not reduced', publicKey, message, foreign)
      for (const length of [0, 63, 65])
        assertSame(`length ${length}`, publicKey, message, Buffer.concat([signature, signature]).subarray(0, length))
    }
  })

  it('rejects each signature under a key of low order that the JavaScript implementation rejects', () => {
    for (const hex of LOW_ORDER_KEYS) {
      const key = Buffer.from(hex, 'hex')
      const identity = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])
      for (const signature of [Buffer.alloc(64), identity, randomBytes(64)]) {
        const message = randomBytes(9)
        // Under such a key a signature of zeros fits some messages; the native way takes none, which is the stricter.
        if (verdict(nativeXeddsa, key, message, signature) === 'true') assertSame(hex, key, message, signature)
      }
    }
  })

  it('is used by libsignal once it is installed', () => {
    useNativeXeddsa()
    const curve = require('libsignal/src/curve.js') as {
      calculateSignature(key: Buffer, message: Buffer): Buffer
      verifySignature(key: Buffer, message: Buffer, signature: Buffer): boolean
    }
    const { public: publicKey, private: privateKey } = makeKeyPair()
    const message = Buffer.from('a group message')
    const signature = curve.calculateSignature(Buffer.from(privateKey), message)
    // The one in JavaScript signs the same message the same way twice; the native one never does.
    assert.notDeepEqual(signature, curve.calculateSignature(Buffer.from(privateKey), message))
    assert.equal(curve.verifySignature(Buffer.concat([Buffer.from([5]), publicKey]), message, signature), true)
  })
})
