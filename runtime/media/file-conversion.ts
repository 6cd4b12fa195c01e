import { fileTypeFromFile } from 'file-type'
import { GatewayError } from '../../schemas/errors.js'
import type { RequestedFile } from '../../schemas/ports/media.js'
import type { FileKind } from '../../schemas/send-content.js'
import type { Ffmpeg } from './ffmpeg.js'
import { fileRefused, isFull, unreadable } from './file-refusals.js'
import type { FetchedFile } from './file-source.js'
import {
  bareType,
  isOpus,
  isPicture,
  isSound,
  PICTURES,
  soundType,
  typeOfName,
  UNKNOWN_TYPE,
  VIDEOS,
  VOICE_NOTE,
} from './file-types.js'
import { isSticker, toJpeg, toPreview, toSticker } from './pictures.js'

/** A file in a form that clients show. */
export interface ConvertedFile {
  readonly path: string
  readonly mimetype: string
}

/**
 * Finds the type of a file by its bytes and converts it where clients need another.
 * @param temp makes the path of a temporary file
 * @throws GatewayError MEDIA_TYPE_REFUSED, CONVERSION_UNAVAILABLE
 */
export async function convertFile(
  asked: RequestedFile<FileKind>,
  fetched: FetchedFile,
  ffmpeg: Pick<Ffmpeg, 'toVoiceNote'>,
  temp: () => string,
): Promise<ConvertedFile> {
  const type = await fileTypeFromFile(fetched.path)
  const found = type === undefined ? undefined : bareType(type.mime)
  const asIs = (mimetype: string): ConvertedFile => ({ path: fetched.path, mimetype })
  const converted = (mimetype: string, convert: Convert) =>
    convertTo(asked.kind, fetched.path, temp(), mimetype, convert)
  switch (asked.kind) {
    case 'image':
      if (found === 'image/jpeg' || found === 'image/png') return asIs(found)
      if (found !== undefined && PICTURES.has(found)) return await converted('image/jpeg', toJpeg)
      break
    case 'preview':
      if (isPicture(found)) return await converted('image/jpeg', toPreview)
      break
    case 'sticker':
      if (isPicture(found)) {
        const isOne = found === 'image/webp' && (await isSticker(fetched.path).catch(() => false))
        return isOne ? asIs(found) : await converted('image/webp', toSticker)
      }
      break
    case 'video':
    case 'gif':
    case 'ptv':
      if (found !== undefined && VIDEOS.has(found)) return asIs(asked.mimetype ?? found)
      break
    case 'audio':
      if (isSound(found)) return asIs(asked.mimetype ?? soundType(type))
      break
    case 'ptt':
      if (isOpus(type)) return asIs(VOICE_NOTE)
      if (isSound(found) || (found !== undefined && VIDEOS.has(found)))
        return await converted(VOICE_NOTE, (from, to) => ffmpeg.toVoiceNote(from, to))
      break
    case 'document':
      return asIs(
        asked.mimetype ?? found ?? typeOfName(asked.fileName ?? fetched.name) ?? (fetched.declared || UNKNOWN_TYPE),
      )
  }
  throw fileRefused(asked.kind, `it is ${found ?? 'of a type that is not known'}`)
}

type Convert = (from: string, to: string) => Promise<void>

async function convertTo(
  kind: FileKind,
  from: string,
  target: string,
  mimetype: string,
  convert: Convert,
): Promise<ConvertedFile> {
  await convert(from, target).catch((error: unknown) => {
    if (error instanceof GatewayError || isFull(error)) throw error
    throw unreadable(kind, error, 'it cannot be read as what it seems to be')
  })
  return { path: target, mimetype }
}
