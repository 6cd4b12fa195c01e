/** Errors for files that cannot be sent. */
import { GatewayError } from '../../schemas/errors.js'
import type { FileKind } from '../../schemas/send-content.js'
import { RefusedFile } from './pictures.js'

/** Maps a failure to read a picture to a refusal of the file. */
export async function mapUnreadable<T>(kind: FileKind, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw unreadable(kind, error, 'it cannot be read as a picture')
  }
}

export function unreadable(kind: FileKind, error: unknown, why: string): GatewayError {
  return fileRefused(kind, error instanceof RefusedFile ? error.message : why)
}

const WANTED: Readonly<Record<FileKind, string>> = {
  image: 'a JPEG, PNG, WebP, GIF, HEIC, AVIF or TIFF picture',
  preview: 'a JPEG, PNG, WebP, GIF, HEIC, AVIF or TIFF picture',
  sticker: 'a WebP, PNG, JPEG, GIF, HEIC or AVIF picture',
  video: 'an MP4 video, or one that ffmpeg converts',
  gif: 'an MP4 video, or one that ffmpeg converts',
  ptv: 'an MP4 video, or one that ffmpeg converts',
  audio: 'an audio file',
  ptt: 'an audio file',
  document: 'a file',
}

export function fileRefused(kind: FileKind, why: string): GatewayError {
  return new GatewayError('MEDIA_TYPE_REFUSED', {
    message: `The file cannot be sent so: it must be ${WANTED[kind]}, and ${why}.`,
    details: [{ field: 'file', why }],
  })
}

export function invalidThumbnail(): GatewayError {
  const why = 'must be a JPEG, PNG, WebP, GIF, AVIF or TIFF picture of at most 5 MiB'
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: thumbnail ${why}.`,
    details: [{ field: 'thumbnail', why }],
  })
}

/** Returns true when the disk is full or broken. */
export function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO' || code === 'EROFS'
}
