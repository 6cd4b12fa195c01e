/** Pictures as clients want them: a small one inside the message, and formats that they show. */
import sharp, { type Sharp } from 'sharp'
import { turns } from './ffmpeg.js'

const PIXELS_MAX = 100_000_000
const TIMEOUT_SECONDS = 20
/** What official clients put into a message is of this order. */
const THUMBNAIL_PX = 100
const THUMBNAIL_MAX_BYTES = 24 * 1024
const STICKER_PX = 512
const PREVIEW_PX = 1200
/** Each may take some 50 MB while it works. */
const AT_ONCE = 2

// What was decoded is not asked for again: its memory is better given back.
sharp.cache(false)
const inTurn = turns(AT_ONCE)

export interface Picture {
  readonly width: number
  readonly height: number
  /** JPEG, base64. */
  readonly thumbnail?: string
}

/** Sizes as it is shown, and a small one. @throws Error when it cannot be read as a picture */
export function describePicture(file: string | Buffer): Promise<Picture> {
  return inTurn(async () => {
    const image = open(file, false)
    const { width = 0, height = 0, orientation = 1 } = await image.metadata()
    const small = await image
      .rotate()
      .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 50 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
    const isTurned = orientation >= 5
    return {
      width: isTurned ? height : width,
      height: isTurned ? width : height,
      ...(small.length > THUMBNAIL_MAX_BYTES ? {} : { thumbnail: small.toString('base64') }),
    }
  })
}

/** As JPEG, for formats that clients do not show in messages. */
export function toJpeg(from: string, to: string): Promise<void> {
  return inTurn(async () => {
    const image = open(from, false).rotate().flatten({ background: '#ffffff' })
    await image.jpeg({ quality: 85 }).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to)
  })
}

/** As JPEG of a size that a chat shows over its whole width. */
export function toPreview(from: string, to: string): Promise<void> {
  return inTurn(async () => {
    const image = open(from, false).rotate().flatten({ background: '#ffffff' })
    const small = image.resize(PREVIEW_PX, PREVIEW_PX, { fit: 'inside', withoutEnlargement: true })
    await small.jpeg({ quality: 80 }).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to)
  })
}

/** As WebP of 512 by 512 pixels with nothing around it, moving when it moves. */
export function toSticker(from: string, to: string): Promise<void> {
  return inTurn(async () => {
    const image = open(from, true).resize(STICKER_PX, STICKER_PX, { fit: 'contain', background: '#00000000' })
    await image.webp({ quality: 75, effort: 3 }).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to)
  })
}

/** Whether it is a sticker already, as clients want them. */
export async function isSticker(file: string): Promise<boolean> {
  const { format, width, height, pageHeight } = await open(file, false).metadata()
  return format === 'webp' && width === STICKER_PX && (pageHeight ?? height) === STICKER_PX
}

function open(file: string | Buffer, animated: boolean): Sharp {
  return sharp(file, { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true, animated })
}
