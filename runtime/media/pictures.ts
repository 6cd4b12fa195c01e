/** Pictures as clients want them: a small one inside the message, and formats that they show. */
import type { Sharp } from 'sharp'
import { pictureLibrary } from '../../schemas/picture-library.js'
import type { SharedWork } from '../work/work.js'

/** A picture that is decoded in full takes 3 bytes a pixel, a JPEG mostly less. */
const PIXELS_MAX = 50_000_000
/** The others take up to 18 bytes a pixel (AVIF; TIFF 6, WebP 9), and a file of kilobytes may have millions of them. */
const COSTLY_PIXELS_MAX = 16_000_000
const CHEAP_FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'gif'])
const TIMEOUT_SECONDS = 20
/** Official clients put pictures of this order into a message. */
const THUMBNAIL_PX = 100
const THUMBNAIL_MAX_BYTES = 24 * 1024
const STICKER_PX = 512
const PREVIEW_PX = 1200
/** Longest side of an image that clients send without HD. */
export const STANDARD_PX = 1600

/** Its message tells a caller why. */
export class RefusedFile extends Error {}

export interface Picture {
  readonly width: number
  readonly height: number
  /** JPEG, base64. */
  readonly thumbnail?: string
}

/** `owner`: the instance for which it works. Each call waits for its turn. @throws GatewayError RATE_LIMITED when too many wait */
export interface Pictures {
  /** Sizes as it is shown, and a small one. @throws Error when it cannot be read as a picture */
  describe(owner: string, file: string | Buffer): Promise<Picture>
  /** As JPEG, for formats that clients do not show in messages. */
  toJpeg(owner: string, from: string, to: string): Promise<void>
  /** As JPEG of a size that a chat shows over its whole width. */
  toPreview(owner: string, from: string, to: string): Promise<void>
  /** As JPEG of the size in which clients send images without HD. */
  toStandard(owner: string, from: string, to: string): Promise<void>
  /** As WebP of 512 by 512 pixels with nothing around it, moving when it moves. */
  toSticker(owner: string, from: string, to: string): Promise<void>
}

export function createPictures(work: Pick<SharedWork, 'run'>): Pictures {
  return {
    describe: (owner, file) => work.run('picture', owner, () => describe(file)),
    toJpeg: (owner, from, to) => work.run('picture', owner, () => toJpeg(from, to)),
    toPreview: (owner, from, to) => work.run('picture', owner, () => toPreview(from, to)),
    toStandard: (owner, from, to) => work.run('picture', owner, () => toStandard(from, to)),
    toSticker: (owner, from, to) => work.run('picture', owner, () => toSticker(from, to)),
  }
}

async function describe(file: string | Buffer): Promise<Picture> {
  const image = await open(file, false)
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
}

async function toJpeg(from: string, to: string): Promise<void> {
  const image = (await open(from, false)).rotate().flatten({ background: '#ffffff' })
  await image.jpeg({ quality: 85 }).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to)
}

async function toPreview(from: string, to: string): Promise<void> {
  const image = (await open(from, false)).rotate().flatten({ background: '#ffffff' })
  const small = image.resize(PREVIEW_PX, PREVIEW_PX, { fit: 'inside', withoutEnlargement: true })
  await small.jpeg({ quality: 80 }).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to)
}

async function toStandard(from: string, to: string): Promise<void> {
  const image = (await open(from, false)).rotate().flatten({ background: '#ffffff' })
  const small = image.resize(STANDARD_PX, STANDARD_PX, { fit: 'inside', withoutEnlargement: true })
  await small.jpeg({ quality: 80 }).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to)
}

async function toSticker(from: string, to: string): Promise<void> {
  const image = (await open(from, true)).resize(STICKER_PX, STICKER_PX, { fit: 'contain', background: '#00000000' })
  await image.webp({ quality: 75, effort: 3 }).timeout({ seconds: TIMEOUT_SECONDS }).toFile(to)
}

/** Returns true when the file is a sticker already, as clients want them. */
export async function isSticker(file: string): Promise<boolean> {
  const { format, width, height, pageHeight } = await (await open(file, false)).metadata()
  return format === 'webp' && width === STICKER_PX && (pageHeight ?? height) === STICKER_PX
}

async function open(file: string | Buffer, animated: boolean): Promise<Sharp> {
  const picture = await pictureLibrary()
  const {
    format,
    width,
    height,
    pages = 1,
    pageHeight,
  } = await picture(file, {
    limitInputPixels: false,
    animated,
  }).metadata()
  const pixels = width * (pageHeight === undefined ? height : pageHeight * pages)
  const allowed = CHEAP_FORMATS.has(format) ? PIXELS_MAX : COSTLY_PIXELS_MAX
  if (pixels > allowed) throw new RefusedFile(`it has more than ${allowed / 1_000_000} million pixels`)
  return picture(file, { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true, animated })
}
