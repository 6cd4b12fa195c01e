import { createRequire } from 'node:module'
import { Curve } from '@whiskeysockets/baileys/lib/Utils/crypto.js'
import { calculateAgreement, generateKeyPair } from 'whatsapp-rust-bridge'

/** X25519 in libsignal's form: public keys have 33 bytes, the first of which is 5. */
interface LibsignalX25519 {
  calculateAgreement(publicKey: Uint8Array, privateKey: Uint8Array): Buffer<ArrayBuffer>
  generateKeyPair(): { pubKey: Buffer<ArrayBuffer>; privKey: Buffer<ArrayBuffer> }
}

/** Original implementation by `node:crypto`. Kept for the tests, which compare both. */
export const nodeX25519: LibsignalX25519 = { ...load() }

/**
 * X25519 by the WebAssembly module that Baileys already depends on. An agreement takes a fifth of the time, a key pair a fourth: the original
 * spends most of its time in `createPrivateKey`. A first message to a device needs four agreements and two key pairs, an answer in a
 * conversation two and one.
 */
export const nativeX25519: LibsignalX25519 = {
  calculateAgreement(publicKey, privateKey) {
    const shared = asBuffer(calculateAgreement(withType(publicKey), privateKey))
    // A public key of low order gives zeros. Refuses it like the original, because everybody would know the secret (RFC 7748, 6.1).
    if (shared.equals(ZEROS)) throw new Error('The public key has a low order.')
    return shared
  },
  generateKeyPair() {
    const { pubKey, privKey } = generateKeyPair()
    return { pubKey: asBuffer(pubKey), privKey: asBuffer(privKey) }
  },
}

/**
 * Installs the native functions in libsignal, which calls them through its exports at each use, and in Baileys' `Curve`, which copied the
 * originals when it was loaded (`Utils/crypto.js` of 7.0.0-rc14) and serves the handshake and the pre-keys of a pairing.
 */
export function useNativeX25519(): void {
  Object.assign(load(), nativeX25519)
  Curve.sharedKey = (privateKey, publicKey) => nativeX25519.calculateAgreement(publicKey, privateKey)
  Curve.generateKeyPair = () => {
    const { pubKey, privKey } = nativeX25519.generateKeyPair()
    return { private: privKey, public: pubKey.subarray(1) }
  }
}

const ZEROS = Buffer.alloc(32)
const KEY_TYPE = Buffer.from([5])

function load(): LibsignalX25519 {
  return createRequire(import.meta.url)('libsignal/src/curve.js') as LibsignalX25519
}

function withType(publicKey: Uint8Array): Uint8Array {
  return publicKey.length === 32 ? Buffer.concat([KEY_TYPE, publicKey]) : publicKey
}

/** Shares the memory: the module has already made a copy. */
function asBuffer(bytes: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
}
