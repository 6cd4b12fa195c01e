/** How media is encrypted: AES-256-CBC and ten bytes of an HMAC over IV and ciphertext, under keys made from the media key. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys'

const MAC_BYTES = 10

export interface EncryptedMedia {
  /** Ciphertext and MAC. */
  bytes: Buffer
  mediaKey: Buffer
  fileSha256: Buffer
  fileEncSha256: Buffer
  fileLength: number
}

export async function encryptMedia(plain: Buffer, type: MediaType): Promise<EncryptedMedia> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()])
  const bytes = Buffer.concat([ciphertext, mac(macKey as Buffer, iv, ciphertext)])
  return { bytes, mediaKey, fileSha256: sha256(plain), fileEncSha256: sha256(bytes), fileLength: plain.length }
}

export interface MediaProof {
  mediaKey?: Uint8Array | null | undefined
  fileSha256?: Uint8Array | null | undefined
  fileEncSha256?: Uint8Array | null | undefined
  fileLength?: unknown
}

/** The plain bytes, once everything that the message says of them is true. @throws Error that says what is not */
export async function decryptMedia(bytes: Buffer, type: MediaType, proof: MediaProof): Promise<Buffer> {
  const { mediaKey, fileSha256, fileEncSha256, fileLength } = proof
  if (!mediaKey) throw new Error('There is no media key.')
  if (!fileEncSha256 || !sha256(bytes).equals(fileEncSha256)) throw new Error('fileEncSha256 is not that of the file.')
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  const ciphertext = bytes.subarray(0, -MAC_BYTES)
  if (!mac(macKey as Buffer, iv, ciphertext).equals(bytes.subarray(-MAC_BYTES))) throw new Error('The MAC is wrong.')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const plain = Buffer.concat([decipher.update(ciphertext), decipher.final()])
  if (!fileSha256 || !sha256(plain).equals(fileSha256)) throw new Error('fileSha256 is not that of the file.')
  if (fileLength !== undefined && Number(fileLength) !== plain.length)
    throw new Error(`fileLength is ${fileLength}, not ${plain.length}.`)
  return plain
}

function mac(key: Buffer, iv: Uint8Array, ciphertext: Buffer): Buffer {
  return createHmac('sha256', key).update(iv).update(ciphertext).digest().subarray(0, MAC_BYTES)
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
