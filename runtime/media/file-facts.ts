import type { RequestedFile } from '../../schemas/ports/media.js'
import type { FileFacts, FileKind } from '../../schemas/send-content.js'
import type { Ffmpeg } from './ffmpeg.js'
import { mapUnreadable } from './file-refusals.js'
import { describePicture } from './pictures.js'

const FIRST_PICTURE_PX = 640

/** Describes a file as clients need it: its size in pixels, length, waveform and small picture. `thumbnail` is the caller's own. */
export async function describeFile(
  asked: RequestedFile<FileKind>,
  file: string,
  thumbnail: string | undefined,
  ffmpeg: Pick<Ffmpeg, 'firstPicture' | 'waveform'>,
): Promise<Omit<FileFacts, 'mimetype' | 'fileName'>> {
  const given = thumbnail === undefined ? {} : { thumbnail }
  switch (asked.kind) {
    case 'image':
      return { ...(await mapUnreadable(asked.kind, describePicture(file))), ...given }
    case 'preview': {
      const { width, height } = await mapUnreadable(asked.kind, describePicture(file))
      return { width, height }
    }
    case 'sticker':
      return { width: 512, height: 512 }
    case 'video':
    case 'gif':
    case 'ptv': {
      const first = thumbnail === undefined ? await ffmpeg.firstPicture(file, FIRST_PICTURE_PX) : null
      const picture = first === null ? {} : await describePicture(first).catch(() => ({}))
      return { ...picture, ...(await lengthOf(file)), ...given }
    }
    case 'audio':
      return await lengthOf(file)
    case 'ptt': {
      const waveform = await ffmpeg.waveform(file)
      return { ...(await lengthOf(file)), ...(waveform === null ? {} : { waveform }) }
    }
    case 'document':
      return given
  }
}

/** Returns whole seconds; nothing when the file does not tell. Loads the library with the first sound or film. */
async function lengthOf(file: string): Promise<{ seconds?: number }> {
  const { parseFile } = await import('music-metadata')
  const { format } = await parseFile(file, { duration: true, skipCovers: true }).catch(() => ({
    format: {} as { duration?: number },
  }))
  const seconds = Math.round(format.duration ?? 0)
  return seconds > 0 ? { seconds } : {}
}
