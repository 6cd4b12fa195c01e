/** Draws QR codes. */
import { LRUCache } from 'lru-cache'
import { toBuffer } from 'qrcode'

// A caller that polls for its QR asks many times for the same drawing.
const drawn = new LRUCache<string, Promise<Buffer>>({ max: 500, ttl: 120_000 })

/** A PNG of the text as a QR code. */
export function drawQrCode(text: string): Promise<Buffer> {
  const known = drawn.get(text)
  if (known !== undefined) return known
  const drawing = toBuffer(text, { type: 'png', errorCorrectionLevel: 'L', margin: 4, scale: 6 })
  drawn.set(text, drawing)
  return drawing
}
