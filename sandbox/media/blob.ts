import type { MediaType } from '@whiskeysockets/baileys'
import { encryptMedia } from './cipher.js'
import type { MediaHost } from './host.js'

/** Puts bytes that a message or a patch only refers to on the media host, and returns the reference. */
export async function blobOnMediaHost(host: MediaHost, plain: Buffer, type: MediaType) {
  const { bytes, ...proof } = await encryptMedia(plain, type)
  return { ...proof, directPath: host.put(type, bytes).directPath }
}
