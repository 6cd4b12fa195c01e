import { createRequire } from 'node:module'
import { calculateSignature, verifySignature } from 'whatsapp-rust-bridge'

interface Curve25519 {
  sign(privateKey: Uint8Array, message: Uint8Array, random?: Uint8Array): Uint8Array
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
}

/** The library's own functions in JavaScript: 6 to 10 ms per signature. Kept for the tests, which compare both. */
export const javascriptXeddsa: Curve25519 = { ...load() }

/**
 * Installs XEdDSA by the WebAssembly module that Baileys already depends on: 0.1 ms instead of 6. Each group message is signed, so this is most
 * of the cost of receiving one. Both implementations accept and reject the same signatures, except that this one is stricter with keys of low
 * order, which no device has (`xeddsa.test.ts`).
 */
export function useNativeXeddsa(): void {
  const curve = load()
  curve.sign = nativeXeddsa.sign
  curve.verify = nativeXeddsa.verify
}

export const nativeXeddsa: Curve25519 = {
  sign: (privateKey, message) => {
    checkLength('private key', privateKey, 32)
    return calculateSignature(privateKey, message)
  },
  verify: (publicKey, message, signature) => {
    checkLength('public key', publicKey, 32)
    checkLength('signature', signature, 64)
    return verifySignature(publicKey, message, signature)
  },
}

/** libsignal's module. Its functions can be replaced, because libsignal calls them through the exports at each use. */
function load(): Curve25519 {
  return createRequire(createRequire(import.meta.url).resolve('libsignal'))('curve25519-js') as Curve25519
}

function checkLength(what: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new Error(`A ${what} has ${length} bytes, not ${bytes.length}.`)
}
