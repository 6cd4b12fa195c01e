/**
 * Encrypts and decrypts files as the network does: AES-256-CBC, then ten bytes of an HMAC-SHA256 over IV and ciphertext, under keys that are
 * derived from the file's media key (Baileys `Utils/messages-media.js`). Works on streams, so that a file is never in memory as a whole.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys'
import type { FileKind } from '../../../../schemas/send-content.js'

const MAC_BYTES = 10

/** The library's names of the kinds of files. Keys and upload paths depend on them. */
export const LIBRARY_KINDS: Readonly<
  Record<FileKind, Extract<MediaType, 'image' | 'video' | 'audio' | 'document' | 'thumbnail-link'>>
> = {
  image: 'image',
  sticker: 'image',
  preview: 'thumbnail-link',
  video: 'video',
  gif: 'video',
  ptv: 'video',
  audio: 'audio',
  ptt: 'audio',
  document: 'document',
}

/** Data of a file in its message, by which nobody can replace the file. */
export interface FileProof {
  readonly mediaKey: Uint8Array
  /** Hash of the plain bytes. */
  readonly fileSha256: Uint8Array
  /** Hash of ciphertext and MAC. */
  readonly fileEncSha256: Uint8Array
  readonly fileLength: number
}

/** Encrypts under a new key. `encrypt` yields the bytes to send; `proof` is known when all of them were read. */
export function encryption(kind: FileKind): {
  readonly encrypt: (plain: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>
  readonly proof: () => FileProof
} {
  const mediaKey = randomBytes(32)
  let made: FileProof | undefined
  return {
    async *encrypt(plain) {
      const { iv, cipherKey, macKey } = await deriveKeys(mediaKey, kind)
      const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
      const mac = createHmac('sha256', macKey).update(iv)
      const [plainHash, encryptedHash] = [createHash('sha256'), createHash('sha256')]
      let fileLength = 0
      const seal = (bytes: Buffer): Buffer => {
        mac.update(bytes)
        encryptedHash.update(bytes)
        return bytes
      }
      for await (const chunk of plain) {
        fileLength += chunk.length
        plainHash.update(chunk)
        yield seal(cipher.update(chunk))
      }
      yield seal(cipher.final())
      const end = mac.digest().subarray(0, MAC_BYTES)
      encryptedHash.update(end)
      made = { mediaKey, fileSha256: plainHash.digest(), fileEncSha256: encryptedHash.digest(), fileLength }
      yield end
    },
    proof() {
      if (made === undefined) throw new Error('The file is not encrypted yet.')
      return made
    },
  }
}

/** Thrown when a file is not the one of its message. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/**
 * Yields the plain bytes as they arrive. They are not verified before the end.
 * @throws DamagedFile at the end, if the file differs from the data in its message
 */
export async function* decrypt(
  kind: FileKind,
  encrypted: AsyncIterable<Uint8Array>,
  proof: FileProof,
): AsyncGenerator<Uint8Array> {
  const { iv, cipherKey, macKey } = await deriveKeys(proof.mediaKey, kind)
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const mac = createHmac('sha256', macKey).update(iv)
  const plainHash = createHash('sha256')
  let length = 0
  const open = (bytes: Buffer): Buffer => {
    length += bytes.length
    plainHash.update(bytes)
    return bytes
  }
  // Holds back the last bytes, because they are the MAC, and the end is not known in advance.
  let held: Uint8Array = new Uint8Array()
  for await (const chunk of encrypted) {
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const ciphertext = all.subarray(0, Math.max(0, all.length - MAC_BYTES))
    held = all.subarray(ciphertext.length)
    mac.update(ciphertext)
    yield open(decipher.update(ciphertext))
  }
  const end = mac.digest().subarray(0, MAC_BYTES)
  if (held.length !== MAC_BYTES || !timingSafeEqual(held, end)) throw new DamagedFile('Its MAC is wrong.')
  yield open(decipher.final())
  if (!plainHash.digest().equals(proof.fileSha256)) throw new DamagedFile('Its hash is wrong.')
  if (length !== proof.fileLength) throw new DamagedFile('Its length is wrong.')
}

/**
 * Yields the bytes of a file that is not encrypted, as they arrive. They are not verified before the end.
 * @throws DamagedFile at the end, if the file differs from the data in its message
 */
export async function* verify(
  plain: AsyncIterable<Uint8Array>,
  proof: Pick<FileProof, 'fileSha256' | 'fileLength'>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let length = 0
  for await (const chunk of plain) {
    length += chunk.length
    hash.update(chunk)
    yield chunk
  }
  if (!hash.digest().equals(proof.fileSha256)) throw new DamagedFile('Its hash is wrong.')
  if (length !== proof.fileLength) throw new DamagedFile('Its length is wrong.')
}

async function deriveKeys(
  mediaKey: Uint8Array,
  kind: FileKind,
): Promise<Record<'iv' | 'cipherKey' | 'macKey', Uint8Array>> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, LIBRARY_KINDS[kind])
  if (macKey === undefined || macKey === null) throw new Error('The library derived no key for the MAC.')
  return { iv, cipherKey, macKey }
}
