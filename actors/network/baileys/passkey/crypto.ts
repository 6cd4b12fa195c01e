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
import type { PasskeyOptions } from '../../../../schemas/session.js'

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

/** Maximum size of the network's options. Ordinary ones have a few hundred bytes. */
const OPTIONS_BYTES_MAX = 16_384
const CHALLENGE_BYTES_MIN = 16
const LASTS_MAX_MS = 600_000
const LASTS_MIN_MS = 10_000

/** Fields of a WebAuthn request that a browser takes. Others are left out. */
const FIELDS = ['timeout', 'allowCredentials', 'userVerification', 'extensions', 'hints'] as const

export interface ReadOptions {
  readonly publicKey: PasskeyOptions
  /** Time that a person has to sign. */
  readonly lastsMs: number
}

/** Reads the options of the network's WebAuthn request; null if no browser could use them. */
export function readPasskeyOptions(content: unknown): ReadOptions | null {
  if (!(content instanceof Uint8Array) || content.length > OPTIONS_BYTES_MAX) return null
  const given = parse(content)
  if (given === null) return null
  const { challenge, rpId } = given
  if (typeof challenge !== 'string' || Buffer.from(challenge, 'base64url').length < CHALLENGE_BYTES_MIN) return null
  // Bound: 65,536, a text or attribute of a stanza.
  if (typeof rpId !== 'string' || !/^([a-z0-9-]+\.)*whatsapp\.com$/.test(rpId)) return null
  const rest = Object.fromEntries(FIELDS.flatMap((name) => (name in given ? [[name, given[name]]] : [])))
  const timeoutMs = typeof given.timeout === 'number' ? given.timeout : LASTS_MAX_MS
  return {
    publicKey: { challenge, rpId, ...rest },
    lastsMs: Math.max(LASTS_MIN_MS, Math.min(LASTS_MAX_MS, timeoutMs)),
  }
}

function parse(content: Uint8Array): Record<string, unknown> | null {
  try {
    // Bound: 65,536, a text or attribute of a stanza.
    const value: unknown = JSON.parse(Buffer.from(content).toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
