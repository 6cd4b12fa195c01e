import { type FileTypeResult, fileTypeFromFile } from 'file-type'
import { GatewayError } from '../../schemas/errors.js'
import type { RequestedFile } from '../../schemas/ports/media.js'
import type { FileKind } from '../../schemas/send-content.js'
import type { Ffmpeg } from './ffmpeg.js'
import { fileRefused, isFull, unreadable } from './file-refusals.js'
import type { FetchedFile } from './file-source.js'
import { readTracks } from './file-source.js'
import {
  bareType,
  hasRareCodec,
  isAudio,
  isCommonSound,
  isHeic,
  isOpus,
  isOtherVideo,
  isPicture,
  isVideo,
  PICTURES,
  soundType,
  typeOfName,
  UNKNOWN_TYPE,
  VIDEOS,
  VOICE_NOTE,
} from './file-types.js'
import { isSticker, type Pictures } from './pictures.js'
import type { UnaidedConversions } from './unaided.js'

/** A file in a form that clients show. */
export interface ConvertedFile {
  readonly path: string
  readonly mimetype: string
  /** Type by the bytes of the file that was given. */
  readonly found: FileTypeResult | undefined
}

/** Functions that convert files and pictures. */
export interface FileConverters {
  readonly ffmpeg: Pick<Ffmpeg, 'isThere' | 'toMp3' | 'toMp4' | 'toVoiceNote'>
  readonly pictures: Pick<Pictures, 'toJpeg' | 'toPreview' | 'toSticker'>
  readonly unaided: UnaidedConversions
}

/**
 * Finds the type of a file by its bytes and converts it where clients need another.
 * @param temp makes the path of a temporary file
 * @throws GatewayError MEDIA_TYPE_REFUSED, CONVERSION_UNAVAILABLE, RATE_LIMITED
 */
export async function convertFile(
  asked: RequestedFile<FileKind>,
  fetched: FetchedFile,
  converters: FileConverters,
  temp: () => string,
): Promise<ConvertedFile> {
  const { ffmpeg, pictures, unaided } = converters
  const type = await fileTypeFromFile(fetched.path)
  const found = type === undefined ? undefined : bareType(type.mime)
  const asIs = (mimetype: string): ConvertedFile => ({ path: fetched.path, mimetype, found: type })
  const converted = async (mimetype: string, convert: Convert): Promise<ConvertedFile> => ({
    path: await convertTo(asked, fetched.path, temp(), convert),
    mimetype,
    found: type,
  })
  if (isHeic(found) && PICTURE_KINDS.has(asked.kind)) {
    const { path } = await converted('image/jpeg', unaided.heicToJpeg)
    return await convertFile(asked, { ...fetched, path }, converters, temp)
  }
  const toOgg = ffmpeg.isThere ? undefined : unaided.toOgg
  switch (asked.kind) {
    case 'image':
      if (found === 'image/jpeg' || found === 'image/png') return asIs(found)
      if (found !== undefined && PICTURES.has(found)) return await converted('image/jpeg', pictures.toJpeg)
      break
    case 'preview':
      if (isPicture(found)) return await converted('image/jpeg', pictures.toPreview)
      break
    case 'sticker':
      if (isPicture(found)) {
        const isOne = found === 'image/webp' && (await isSticker(fetched.path).catch(() => false))
        return isOne ? asIs(found) : await converted('image/webp', pictures.toSticker)
      }
      break
    case 'video':
    case 'gif':
    case 'ptv':
      if (isOtherVideo(found)) return await converted('video/mp4', ffmpeg.toMp4)
      if (found === undefined || !VIDEOS.has(found)) break
      if (!hasRareCodec((await readTracks(fetched.path)).codecs)) return asIs(asked.mimetype ?? found)
      if (ffmpeg.isThere) return await converted('video/mp4', ffmpeg.toMp4)
      asked.warn?.('its codec plays on few devices, and there is no ffmpeg on this server to convert it')
      return asIs(asked.mimetype ?? found)
    case 'audio':
      if (isVideo(found) && toOgg !== undefined) return await converted(VOICE_NOTE, toOgg)
      if (isVideo(found)) return await converted('audio/mpeg', ffmpeg.toMp3)
      if (!isAudio(found)) break
      if (isCommonSound(type)) return asIs(asked.mimetype ?? soundType(type))
      try {
        return await converted('audio/mpeg', ffmpeg.toMp3)
      } catch (error) {
        asked.warn?.(`${soundType(type)} plays on few devices, and it could not be converted: ${whyNot(error)}`)
        return asIs(asked.mimetype ?? soundType(type))
      }
    case 'ptt':
      if (isOpus(type)) return asIs(VOICE_NOTE)
      if (isAudio(found) || isVideo(found)) return await converted(VOICE_NOTE, toOgg ?? ffmpeg.toVoiceNote)
      break
    case 'document':
      return asIs(
        asked.mimetype ?? found ?? typeOfName(asked.fileName ?? fetched.name) ?? (fetched.declared || UNKNOWN_TYPE),
      )
  }
  throw fileRefused(asked.kind, `it is ${found ?? 'of a type that is not known'}`)
}

const PICTURE_KINDS: ReadonlySet<FileKind> = new Set(['image', 'preview', 'sticker'])

/** Returns why a sound is sent as it is. @throws the error, if a later try may do better */
function whyNot(error: unknown): string {
  if (error instanceof GatewayError && error.code === 'CONVERSION_UNAVAILABLE')
    return 'there is no ffmpeg on this server'
  if (error instanceof GatewayError && error.code === 'MEDIA_TYPE_REFUSED') return 'ffmpeg cannot read it'
  throw error
}

type Convert = (owner: string, from: string, to: string) => Promise<void>

async function convertTo(
  { kind, instance }: RequestedFile<FileKind>,
  from: string,
  target: string,
  convert: Convert,
): Promise<string> {
  await convert(instance, from, target).catch((error: unknown) => {
    if (error instanceof GatewayError || isFull(error)) throw error
    throw unreadable(kind, error, 'it cannot be read as what it seems to be')
  })
  return target
}
