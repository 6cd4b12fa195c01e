/** Draws QR codes. */
import { LRUCache } from 'lru-cache'
import { toBuffer } from 'qrcode'

// Callers that poll for their QR code get the same drawing many times.
const drawn = new LRUCache<string, Promise<Buffer>>({ max: 500, ttl: 120_000 })

/** Returns the text as a QR code, a PNG. */
export function drawQrCode(text: string): Promise<Buffer> {
  const known = drawn.get(text)
  if (known !== undefined) return known
  const drawing = toBuffer(text, { type: 'png', errorCorrectionLevel: 'L', margin: 4, scale: 6 })
  drawn.set(text, drawing)
  return drawing
}
