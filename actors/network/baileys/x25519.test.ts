import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { Curve } from '@whiskeysockets/baileys/lib/Utils/crypto.js'
import { nativeX25519, nodeX25519, useNativeX25519 } from './x25519.js'

/** The points of small order (cr.yp.to/ecdh.html). The test vector below is of RFC 7748, 5.2. */
const LOW_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

function makePublicKey(hex: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([5]), typeof hex === 'string' ? Buffer.from(hex, 'hex') : hex])
}

function agreement(x25519: typeof nativeX25519, publicKey: Uint8Array, privateKey: Uint8Array): string {
  try {
    return x25519.calculateAgreement(publicKey, privateKey).toString('hex')
  } catch {
    return 'refused'
  }
}

function assertSame(publicKey: Uint8Array, privateKey: Uint8Array): string {
  const native = agreement(nativeX25519, publicKey, privateKey)
  // The first time by WebAssembly, then by OpenSSL.
  for (let times = 0; times < 2; times += 1) assert.equal(agreement(nativeX25519, publicKey, privateKey), native)
  const what = `${Buffer.from(publicKey).toString('hex')} ${Buffer.from(privateKey).toString('hex')}`
  assert.equal(native, agreement(nodeX25519, publicKey, privateKey), what)
  return native
}

/** Repeatable: a failure shows the same keys again. */
function keyNumber(index: number, name: string): Buffer {
  return createHash('sha256').update(`${name} ${index}`).digest()
}

describe('native X25519', () => {
  it('gives the secret of the test vector', () => {
    const scalar = Buffer.from('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4', 'hex')
    const point = makePublicKey('e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c')
    assert.equal(assertSame(point, scalar), 'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552')
  })

  it('agrees with the original on unclamped private keys and on public keys with the high bit', () => {
    for (let index = 0; index < 300; index += 1) {
      const privateKey = keyNumber(index, 'private')
      const publicKey = makePublicKey(keyNumber(index, 'public'))
      const shared = assertSame(publicKey, privateKey)
      const other = Buffer.from(publicKey)
      other[32] = (other[32] ?? 0) ^ 0x80
      assert.equal(assertSame(other, privateKey), shared)
    }
    for (const edge of [Buffer.alloc(32), Buffer.alloc(32, 255), Buffer.from(`01${'00'.repeat(31)}`, 'hex')])
      assertSame(makePublicKey(keyNumber(0, 'public')), edge)
  })

  it('refuses public keys of low order, also those that are not reduced', () => {
    for (const hex of LOW_ORDER) {
      const withHighBit = Buffer.from(hex, 'hex')
      withHighBit[31] = (withHighBit[31] ?? 0) | 0x80
      for (const key of [Buffer.from(hex, 'hex'), withHighBit])
        assert.equal(assertSame(makePublicKey(key), keyNumber(1, 'private')), 'refused')
    }
  })

  it('refuses keys of another length or type, as the original does', () => {
    const [publicKey, privateKey] = [makePublicKey(keyNumber(2, 'public')), keyNumber(2, 'private')]
    assertSame(publicKey, privateKey.subarray(1))
    assertSame(publicKey, Buffer.concat([privateKey, privateKey]))
    assertSame(publicKey.subarray(2), privateKey)
    assertSame(Buffer.concat([publicKey, publicKey]), privateKey)
    assertSame(Buffer.concat([Buffer.from([6]), publicKey.subarray(1)]), privateKey)
    assert.equal(agreement(nativeX25519, publicKey, privateKey.subarray(1)), 'refused')
  })

  it('makes different key pairs, which both implementations accept', () => {
    const seen = new Set<string>()
    for (const maker of [nativeX25519, nodeX25519]) {
      for (let index = 0; index < 20; index += 1) {
        const [ours, theirs] = [maker.generateKeyPair(), nodeX25519.generateKeyPair()]
        assert.equal(ours.pubKey.length, 33)
        assert.equal(ours.pubKey[0], 5)
        assert.equal(ours.privKey.length, 32)
        assert.equal(assertSame(theirs.pubKey, ours.privKey), assertSame(ours.pubKey, theirs.privKey))
        seen.add(ours.privKey.toString('hex'))
      }
    }
    assert.equal(seen.size, 40)
  })

  it('is used by libsignal and Baileys once it is installed', () => {
    useNativeX25519()
    const libsignal = createRequire(import.meta.url)('libsignal/src/curve.js') as typeof nativeX25519
    assert.equal(libsignal.calculateAgreement, nativeX25519.calculateAgreement)
    assert.equal(libsignal.generateKeyPair, nativeX25519.generateKeyPair)
    const [one, two] = [Curve.generateKeyPair(), Curve.generateKeyPair()]
    assert.equal(one.public.length, 32)
    assert.deepEqual(
      Curve.sharedKey(one.private, two.public),
      nodeX25519.calculateAgreement(makePublicKey(one.public), Buffer.from(two.private)),
    )
    assert.throws(() => Curve.sharedKey(randomBytes(32), Buffer.alloc(32)))
  })
})
