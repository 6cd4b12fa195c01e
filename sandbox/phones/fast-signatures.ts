import { createRequire } from 'node:module'
import { calculateSignature, verifySignature } from 'whatsapp-rust-bridge'

/** Phones sign as fast as real ones: libsignal's own signatures take 6 ms each, which would make a flood in a group none. */
export function fastSignatures(): void {
  const curve = createRequire(createRequire(import.meta.url).resolve('libsignal'))('curve25519-js') as Record<
    string,
    unknown
  >
  curve.sign = (privateKey: Uint8Array, message: Uint8Array) => calculateSignature(privateKey, message)
  curve.verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    verifySignature(publicKey, message, signature)
}
