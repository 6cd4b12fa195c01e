export interface FakePicture {
  /** Length of the base64 text. */
  readonly base64Bytes: number
  readonly width: number
  readonly height: number
}

/** Reads the size of a PNG, GIF, WebP or JPEG. Returns undefined for other bytes. */
export function readPicture(base64: string): FakePicture | undefined {
  const bytes = Buffer.from(base64, 'base64')
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes)
  return size === undefined ? undefined : { base64Bytes: base64.length, width: size[0], height: size[1] }
}

type Size = readonly [number, number]

function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return undefined
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

function gifSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'GIF') return undefined
  return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
}

function webpSize(bytes: Buffer): Size | undefined {
  return bytes.length > 30 && bytes.toString('latin1', 8, 12) === 'WEBP' ? [1, 1] : undefined
}

function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes.readUInt16BE(at)
    // Frames, without the tables and the arithmetic conditioning between them.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
