/** Encryption at rest: AES-256-GCM, bound to the place where the value is kept, with keys that can be replaced. */
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { fillRandom } from '../../lib/random.js'

export interface Encryption {
  /** `place` (instance, kind, id) is authenticated: a value moved to another row does not open. */
  seal(data: Uint8Array, ...place: string[]): Buffer
  /** @throws Error when no key that we have opens it, or when it was changed or moved. */
  open(sealed: Uint8Array, ...place: string[]): Buffer
  /** False for a value sealed under an old key: write it again with `seal`. */
  isCurrent(sealed: Uint8Array): boolean
  /** Returns a secret of 32 bytes for another purpose, made of the current key: the same on every node that has it. */
  derive(purpose: string): Buffer
  /** Names the current key; made of the key's hash, so the same on every node. */
  readonly keyId: string
}

const FORMAT = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES

/** `current` seals; `old` keys only open. Each has 32 bytes. */
export function createEncryption(current: Uint8Array, old: readonly Uint8Array[] = []): Encryption {
  for (const key of [current, ...old]) {
    if (key.length !== 32) throw new Error('An encryption key has exactly 32 bytes (44 characters in base64).')
  }
  const currentId = computeKeyId(current)
  const keys = new Map<string, Uint8Array>()
  for (const key of [current, ...old]) keys.set(computeKeyId(key).toString('hex'), key)

  return {
    keyId: currentId.toString('hex'),
    seal(data, ...place) {
      const sealed = Buffer.allocUnsafe(HEADER_BYTES + data.length)
      sealed[0] = FORMAT
      currentId.copy(sealed, 1)
      const nonce = sealed.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + NONCE_BYTES)
      fillRandom(nonce)
      const cipher = createCipheriv('aes-256-gcm', current, nonce)
      cipher.setAAD(encodePlace(place))
      cipher.update(data).copy(sealed, HEADER_BYTES)
      cipher.final()
      cipher.getAuthTag().copy(sealed, 1 + KEY_ID_BYTES + NONCE_BYTES)
      return sealed
    },
    open(sealed, ...place) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes.length < HEADER_BYTES || bytes[0] !== FORMAT) throw new Error('Not a value that we encrypted.')
      const keyId = bytes.subarray(1, 1 + KEY_ID_BYTES).toString('hex')
      const key = keys.get(keyId)
      if (key === undefined) throw new Error(`No key opens this value: it was encrypted with the key ${keyId}.`)
      const nonce = bytes.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      decipher.setAAD(encodePlace(place))
      decipher.setAuthTag(bytes.subarray(1 + KEY_ID_BYTES + NONCE_BYTES, HEADER_BYTES))
      const data = decipher.update(bytes.subarray(HEADER_BYTES))
      decipher.final()
      return data
    },
    derive: (purpose) => createHmac('sha256', current).update(`posthorn ${purpose}`).digest(),
    isCurrent(sealed) {
      return currentId.equals(sealed.subarray(1, 1 + KEY_ID_BYTES))
    },
  }
}

function computeKeyId(key: Uint8Array): Buffer {
  return createHash('sha256').update('posthorn key id').update(key).digest().subarray(0, KEY_ID_BYTES)
}

function encodePlace(place: readonly string[]): Buffer {
  return Buffer.from(place.join('\0'))
}
