import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createRequire } from 'node:module'
import { Curve } from '@whiskeysockets/baileys/lib/Utils/crypto.js'
import { LRUCache } from 'lru-cache'
import { calculateAgreement, generateKeyPair } from 'whatsapp-rust-bridge'

/** X25519 in libsignal's form: public keys have 33 bytes, the first of which is 5. */
interface LibsignalX25519 {
  calculateAgreement(publicKey: Uint8Array, privateKey: Uint8Array): Buffer<ArrayBuffer>
  generateKeyPair(): { pubKey: Buffer<ArrayBuffer>; privKey: Buffer<ArrayBuffer> }
}

/** Original implementation by `node:crypto`. Kept for the tests, which compare both. */
export const nodeX25519: LibsignalX25519 = { ...load() }

/**
 * X25519 by OpenSSL for private keys that this process has made or used before, which are most, and by the WebAssembly module of Baileys for
 * others. An agreement takes 45 to 80 µs with a key that OpenSSL has, 150 to 170 by WebAssembly, and 800 in the original, which hands over
 * each key in DER (Node.js 20 and 22; 100 and 125 on 24). A first message to a device needs four or five agreements and two key pairs, an
 * answer in a conversation two and one.
 */
export const nativeX25519: LibsignalX25519 = {
  /** @throws Error for a key of another form, or a public key of low order: everybody would know the secret (RFC 7748, 6.1) */
  calculateAgreement(publicKey, privateKey) {
    const key = recentKey(privateKey)
    if (key === undefined) return agreementByModule(publicKey, privateKey)
    const x = base64url(rawPublicKey(publicKey))
    return diffieHellman({
      privateKey: key,
      publicKey: createPublicKey({ key: { ...OKP, x }, format: 'jwk' }),
    }) as Buffer<ArrayBuffer>
  },
  generateKeyPair() {
    const { privateKey } = generateKeyPairSync('x25519')
    const { x = '', d = '' } = privateKey.export({ format: 'jwk' })
    const privKey = Buffer.from(d, 'base64url')
    recent.set(formatName(privKey), privateKey)
    return { pubKey: Buffer.concat([KEY_TYPE, Buffer.from(x, 'base64url')]), privKey }
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
    // Mostly one of 812 pre-keys, of which few are used.
    const { pubKey, privKey } = generateKeyPair()
    return { private: asBuffer(privKey), public: asBuffer(pubKey).subarray(1) }
  }
}

const OKP = { kty: 'OKP', crv: 'X25519' } as const
/** Header of PKCS #8 for an X25519 private key, whose 32 bytes follow it (RFC 8410, 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex')
const KEY_TYPE = Buffer.from([5])
const KEY_BYTES = 32
const ZEROS = Buffer.alloc(KEY_BYTES)

/** Private keys that were made or used last, by their bytes. */
const recent = new LRUCache<string, KeyObject | 'used'>({ max: 1_000 })

/**
 * Imports a private key; OpenSSL computes its public key. A JWK without a public key takes 40 µs, but Node.js 24.22.3 refuses it (24.21 did not). DER
 * takes 40 µs on Node.js 22 and 24, and 360 on 20, so that it is used only where the JWK is refused.
 */
const toPrivateKey = takesKeysWithoutPublic() ? fromJwk : fromDer

function takesKeysWithoutPublic(): boolean {
  try {
    fromJwk(Buffer.alloc(KEY_BYTES, 1))
    return true
  } catch {
    return false
  }
}

function fromJwk(bytes: Uint8Array): KeyObject {
  return createPrivateKey({ key: { ...OKP, d: base64url(bytes), x: '' }, format: 'jwk' })
}

function fromDer(bytes: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: 'der', type: 'pkcs8' })
}

function load(): LibsignalX25519 {
  return createRequire(import.meta.url)('libsignal/src/curve.js') as LibsignalX25519
}

/** Returns the key as OpenSSL has it. Returns undefined for a key that is used for the first time: most of these are used once. */
function recentKey(bytes: Uint8Array): KeyObject | undefined {
  if (bytes.length !== KEY_BYTES) return undefined
  const name = formatName(bytes)
  const known = recent.get(name)
  if (known !== undefined && known !== 'used') return known
  if (known === undefined) {
    recent.set(name, 'used')
    return undefined
  }
  const key = toPrivateKey(bytes)
  recent.set(name, key)
  return key
}

function agreementByModule(publicKey: Uint8Array, privateKey: Uint8Array): Buffer<ArrayBuffer> {
  const shared = asBuffer(calculateAgreement(withType(publicKey), privateKey))
  if (shared.equals(ZEROS)) throw new Error('The public key has a low order.')
  return shared
}

function withType(publicKey: Uint8Array): Uint8Array {
  return publicKey.length === KEY_BYTES ? Buffer.concat([KEY_TYPE, publicKey]) : publicKey
}

/** Returns the public key without its type. */
function rawPublicKey(bytes: Uint8Array): Uint8Array {
  if (bytes.length === KEY_BYTES) return bytes
  if (bytes.length === KEY_BYTES + 1 && bytes[0] === KEY_TYPE[0]) return bytes.subarray(1)
  throw new Error('A public key has 32 bytes, or 33 of which the first is 5.')
}

function formatName(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1')
}

function base64url(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('base64url')
}

/** Shares the memory. */
function asBuffer(bytes: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
}
