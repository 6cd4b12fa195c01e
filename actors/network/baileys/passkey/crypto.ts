/**
 * Cryptography of a pairing with a passkey. The network's name for it is "shortcake" (whatsmeow `pair-passkey.go`, zapo
 * `WaShortcakeFlow.ts`). Not yet tested against WhatsApp.
 */
import { randomBytes } from 'node:crypto'
import {
  aesEncryptGCM,
  bytesToCrockford,
  Curve,
  hkdf,
  hmacSign,
  type KeyPair,
  proto,
  sha256,
} from '@whiskeysockets/baileys'

const KEY_BYTES = 32
const CODE_BYTES = 5
const IV_BYTES = 12

/** The first half of the ceremony, which the companion commits to before it knows the phone's half. */
export interface Prologue {
  readonly keyPair: KeyPair
  readonly nonce: Buffer
  readonly ref: string
  readonly deviceType: number
  readonly payload: Buffer
}

export interface PrimaryIdentity {
  readonly publicKey: Buffer
  readonly nonce: Buffer
}

export interface Agreement {
  readonly key: Buffer
  /** Code for people, `XXXX-XXXX`. */
  readonly code: string
}

/** Derives the key that proves later that this companion is the one whose QR or code the phone took. */
export function handoffKey(advSecret: Uint8Array): Buffer {
  return Buffer.from(hkdf(advSecret, KEY_BYTES, { info: 'shortcake-passkey-handoff-v1' }))
}

export function handoffProof(key: Uint8Array, payload: Uint8Array): Buffer {
  return Buffer.from(hmacSign(payload, key))
}

export function makePrologue(ref: string, deviceType: number): Prologue {
  const keyPair = Curve.generateKeyPair()
  const nonce = randomBytes(KEY_BYTES)
  const identity = proto.CompanionEphemeralIdentity.encode({ publicKey: keyPair.public, deviceType, ref }).finish()
  const hash = sha256(Buffer.concat([identity, nonce]))
  const payload = proto.ProloguePayload.encode({
    companionEphemeralIdentity: identity,
    commitment: { hash },
  }).finish()
  return { keyPair, nonce, ref, deviceType, payload: Buffer.from(payload) }
}

/** Reads the phone's half; null if it is malformed. */
export function readPrimaryIdentity(bytes: Uint8Array): PrimaryIdentity | null {
  try {
    const { publicKey, nonce } = proto.PrimaryEphemeralIdentity.decode(bytes)
    if (publicKey?.length !== KEY_BYTES || nonce?.length !== KEY_BYTES) return null
    return { publicKey: Buffer.from(publicKey), nonce: Buffer.from(nonce) }
  } catch {
    return null
  }
}

/** Agrees on a key with the phone; null for a public key that gives every companion the same one. */
export function agree({ keyPair, nonce, ref, deviceType }: Prologue, primary: PrimaryIdentity): Agreement | null {
  const shared = sharedKey(keyPair.private, primary.publicKey)
  if (shared === null) return null
  const salt = Buffer.from(`Companion Pairing ${deviceType} with ref ${ref}`)
  const key = Buffer.from(hkdf(shared, KEY_BYTES, { salt, info: 'Pairing Information Encryption Key' }))
  const digest = sha256(Buffer.concat([nonce, primary.publicKey]))
  const mixed = Buffer.alloc(CODE_BYTES)
  for (let index = 0; index < CODE_BYTES; index += 1) mixed[index] = (primary.nonce[index] ?? 0) ^ (digest[index] ?? 0)
  const code = bytesToCrockford(mixed)
  return { key, code: `${code.slice(0, 4)}-${code.slice(4)}` }
}

/** Returns null for a public key of low order: the library throws, or gives zeros. */
function sharedKey(own: Uint8Array, theirs: Uint8Array): Buffer | null {
  try {
    const shared = Buffer.from(Curve.sharedKey(own, theirs))
    return shared.every((byte) => byte === 0) ? null : shared
  } catch {
    return null
  }
}

/** Encrypts the keys of this device for the phone. */
export function encryptPairingRequest(
  key: Uint8Array,
  keys: { readonly noise: Uint8Array; readonly identity: Uint8Array; readonly advSecret: Uint8Array },
): Buffer {
  const request = proto.PairingRequest.encode({
    companionPublicKey: keys.noise,
    companionIdentityKey: keys.identity,
    advSecret: keys.advSecret,
  }).finish()
  const iv = randomBytes(IV_BYTES)
  const encryptedPayload = aesEncryptGCM(request, key, iv, Buffer.alloc(0))
  return Buffer.from(proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish())
}
