import type { RequestedFile } from '../../schemas/ports/media.js'
import type { FileFacts, FileKind } from '../../schemas/send-content.js'
import type { Ffmpeg } from './ffmpeg.js'
import { mapUnreadable } from './file-refusals.js'
import type { Pictures } from './pictures.js'
import { readTracks } from './tracks.js'

/** Functions that read files and pictures. */
export interface FileReaders {
  readonly ffmpeg: Pick<Ffmpeg, 'firstPicture' | 'seconds' | 'waveform'>
  readonly pictures: Pick<Pictures, 'describe'>
}

const FIRST_PICTURE_PX = 640

/** Describes a file as clients need it: its size in pixels, length, waveform and small picture. `thumbnail` is the caller's own. */
export async function describeFile(
  asked: RequestedFile<FileKind>,
  file: string,
  thumbnail: string | undefined,
  { ffmpeg, pictures }: FileReaders,
): Promise<Omit<FileFacts, 'mimetype' | 'fileName'>> {
  const { instance } = asked
  const given = thumbnail === undefined ? {} : { thumbnail }
  switch (asked.kind) {
    case 'image':
      return { ...(await mapUnreadable(asked.kind, pictures.describe(instance, file))), ...given }
    case 'preview': {
      const { width, height } = await mapUnreadable(asked.kind, pictures.describe(instance, file))
      return { width, height }
    }
    case 'sticker':
      return { width: 512, height: 512 }
    case 'video':
    case 'gif':
    case 'ptv': {
      const first = thumbnail === undefined ? await ffmpeg.firstPicture(instance, file, FIRST_PICTURE_PX) : null
      const picture = first === null ? {} : await pictures.describe(instance, first).catch(() => ({}))
      return { ...picture, ...(await lengthOf(instance, file, ffmpeg)), ...given }
    }
    case 'audio':
      return await lengthOf(instance, file, ffmpeg)
    case 'ptt': {
      const waveform = await ffmpeg.waveform(instance, file)
      return { ...(await lengthOf(instance, file, ffmpeg)), ...(waveform === null ? {} : { waveform }) }
    }
    case 'document':
      return given
  }
}

/** Returns whole seconds, at least one; nothing when nobody can tell. */
async function lengthOf(
  instance: string,
  file: string,
  ffmpeg: Pick<Ffmpeg, 'seconds'>,
): Promise<{ seconds?: number }> {
  const { seconds = await ffmpeg.seconds(instance, file) } = await readTracks(file)
  return seconds !== null && seconds > 0 ? { seconds: Math.max(1, Math.round(seconds)) } : {}
}
