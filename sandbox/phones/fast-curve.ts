import { createRequire } from 'node:module'
import { calculateAgreement, calculateSignature, generateKeyPair, verifySignature } from 'whatsapp-rust-bridge'

/**
 * Makes phones as fast as real ones. With libsignal's own functions a signature takes 6 ms and an agreement half a millisecond, so that the
 * phones of a large group would take longer than the gateway under test.
 */
export function useFastCurve(): void {
  const libsignal = createRequire(createRequire(import.meta.url).resolve('libsignal'))
  Object.assign(libsignal('curve25519-js') as object, {
    sign: (privateKey: Uint8Array, message: Uint8Array) => calculateSignature(privateKey, message),
    verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
      verifySignature(publicKey, message, signature),
  })
  Object.assign(libsignal('./src/curve.js') as object, {
    calculateAgreement: (publicKey: Uint8Array, privateKey: Uint8Array) =>
      Buffer.from(calculateAgreement(publicKey, privateKey)),
    generateKeyPair: () => {
      const { pubKey, privKey } = generateKeyPair()
      return { pubKey: Buffer.from(pubKey), privKey: Buffer.from(privKey) }
    },
  })
}
