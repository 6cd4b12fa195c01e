/**
 * Opens and seals what is encrypted under the secret of an earlier message: edits, votes, answers to events. The key is HKDF-SHA256 of the
 * secret, without salt, over id, author, modifier and use case; the cipher is AES-256-GCM (`msgsecret.go` of tulir/whatsmeow,
 * `wacore/src/secret_enc_addon.rs` of oxidezap/whatsapp-rust).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type UseCase =
  | 'Message Edit'
  | 'Event Edit'
  | 'Poll Edit'
  | 'Poll Add Option'
  | 'Event Response'
  | 'Enc Reaction'
  | 'Enc Comment'
  | 'Poll Vote'

export interface SealedPayload {
  readonly payload: Uint8Array
  readonly iv: Uint8Array
}

/** The people and the message that a key is made of. JIDs are bare. */
export interface SecretScope {
  readonly secret: Uint8Array
  /** Id of the message that has the secret. */
  readonly messageid: string
  readonly author: string
  readonly modifier: string
  readonly useCase: UseCase
}

export const SECRET_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** Maximum size of a payload. A text of a client has up to 65,536 characters; each key that is tried reads the payload once. */
const PAYLOAD_BYTES_MAX = 512 * 1024

/** Use cases whose tag also covers id and modifier. */
const AUTHENTICATED: ReadonlySet<UseCase> = new Set(['Event Response', 'Poll Vote'])

/** Returns the plaintext; null if the key is another one, or the payload was changed. */
export function openPayload({ payload, iv }: SealedPayload, scope: SecretScope): Uint8Array | null {
  const size = payload.length - TAG_BYTES
  if (size < 0 || payload.length > PAYLOAD_BYTES_MAX || iv.length !== IV_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(scope), iv)
  decipher.setAAD(additionalData(scope))
  decipher.setAuthTag(payload.subarray(size))
  const plaintext = decipher.update(payload.subarray(0, size))
  try {
    decipher.final()
    return plaintext
  } catch {
    return null
  }
}

export function sealPayload(plaintext: Uint8Array, scope: SecretScope): SealedPayload {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(scope), iv)
  cipher.setAAD(additionalData(scope))
  const payload = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  return { payload, iv }
}

function deriveKey({ secret, messageid, author, modifier, useCase }: SecretScope): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `${messageid}${author}${modifier}${useCase}`, 32))
}

function additionalData({ messageid, modifier, useCase }: SecretScope): Buffer {
  return Buffer.from(AUTHENTICATED.has(useCase) ? `${messageid}\0${modifier}` : '')
}
