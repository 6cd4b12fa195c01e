/** A file as a caller gives it becomes one that can be sent: fetched, looked at, converted where it must be, and stored. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type FileTypeResult, fileTypeFromFile } from 'file-type'
import { cut } from '../../schemas/cut.js'
import { GatewayError } from '../../schemas/errors.js'
import type { AskedFile, GivenFile } from '../../schemas/ports/media.js'
import type { FileFacts, FileKind, PreparedFile } from '../../schemas/send-content.js'
import type { Outgoing } from '../outgoing/client.js'
import type { MediaFiles } from '../store/media-files.js'
import type { Ffmpeg } from './ffmpeg.js'
import { describePicture, isSticker, TooManyPixels, toJpeg, toPreview, toSticker } from './pictures.js'
import type { Storage } from './storage.js'
import { tempFile } from './temp-folder.js'

export interface IntakeOptions {
  readonly storage: Storage
  readonly files: MediaFiles
  readonly outgoing: Pick<Outgoing, 'download'>
  readonly ffmpeg: Ffmpeg
  readonly tempDir: string
  readonly fileMaxBytes: number
  readonly fetchTimeoutMs: number
}

export type Intake = <Kind extends FileKind>(asked: AskedFile<Kind>) => Promise<PreparedFile<Kind>>
type Asked = AskedFile<FileKind>

const THUMBNAIL_SOURCE_MAX_BYTES = 5 * 1024 * 1024
/** A text waits for its preview: as much and as long as for the small picture of it. */
const PREVIEW_SOURCE_MAX_BYTES = 5 * 1024 * 1024
const PREVIEW_TIMEOUT_MS = 4_000
const UNKNOWN = 'application/octet-stream'

/** What is known of a file before it is looked into. */
interface Fetched {
  readonly path: string
  readonly sizeBytes: number
  /** What whoever gave it says; may be empty. */
  readonly declared: string
  /** The last part of its URL; may be empty. */
  readonly name: string
}

interface Looked {
  readonly path: string
  readonly mimetype: string
}

export function createIntake(options: IntakeOptions): Intake {
  const { storage, files, outgoing, ffmpeg, tempDir, fileMaxBytes, fetchTimeoutMs } = options

  return async (asked) => {
    const temporary: string[] = []
    const temp = (): string => {
      const file = tempFile(tempDir)
      temporary.push(file)
      return file
    }
    try {
      const fetched = await fetch(asked, asked.file, temp, limitsOf(asked.kind))
      if (fetched.sizeBytes === 0) throw refused(asked.kind, 'it is empty')
      const looked = await look(asked, fetched, temp)
      const facts = await describe(asked, looked)
      const fileName = asked.fileName ?? (fetched.name || undefined)
      const { size: sizeBytes } = await stat(looked.path)
      const name = `outgoing/${asked.instance}/${randomBytes(16).toString('hex')}`
      await files.beginOutgoing(
        { name, mimetype: looked.mimetype, fileName: '', sizeBytes },
        asked.instance,
        asked.messageid,
      )
      await storage.put(name, looked.path, { durable: asked.durable })
      return {
        media: asked.kind,
        file: { name, sizeBytes },
        mimetype: looked.mimetype,
        ...(fileName === undefined ? {} : { fileName }),
        ...facts,
      }
    } catch (error) {
      throw isFull(error) ? new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error }) : error
    } finally {
      await Promise.all(temporary.map((file) => rm(file, { force: true })))
    }
  }

  function limitsOf(kind: FileKind): { sizeMaxBytes: number; timeoutMs: number } {
    if (kind !== 'preview') return { sizeMaxBytes: fileMaxBytes, timeoutMs: fetchTimeoutMs }
    return {
      sizeMaxBytes: Math.min(fileMaxBytes, PREVIEW_SOURCE_MAX_BYTES),
      timeoutMs: Math.min(fetchTimeoutMs, PREVIEW_TIMEOUT_MS),
    }
  }

  async function fetch(
    { instance }: Asked,
    given: GivenFile,
    temp: () => string,
    limits = limitsOf('document'),
  ): Promise<Fetched> {
    if (given.from === 'file')
      return { path: given.path, sizeBytes: given.sizeBytes, declared: given.mimetype, name: '' }
    const target = temp()
    const { url, contentType, body } = await outgoing.download(given.url, {
      accept: '*/*',
      owner: instance,
      ...limits,
    })
    await pipeline(body, createWriteStream(target, { mode: 0o600 }))
    const { size } = await stat(target)
    return { path: target, sizeBytes: size, declared: essence(contentType), name: nameIn(url) }
  }

  async function look(asked: Asked, fetched: Fetched, temp: () => string): Promise<Looked> {
    const type = await fileTypeFromFile(fetched.path)
    const found = type === undefined ? undefined : essence(type.mime)
    const converted = async (
      mimetype: string,
      convert: (from: string, to: string) => Promise<void>,
    ): Promise<Looked> => {
      const target = temp()
      await convert(fetched.path, target).catch((error: unknown) => {
        if (error instanceof GatewayError || isFull(error)) throw error
        throw unreadable(asked.kind, error, 'it cannot be read as what it seems to be')
      })
      return { path: target, mimetype }
    }
    const asIt = (mimetype: string): Looked => ({ path: fetched.path, mimetype })
    switch (asked.kind) {
      case 'image':
        if (found === 'image/jpeg' || found === 'image/png') return asIt(found)
        if (found !== undefined && PICTURES.has(found)) return await converted('image/jpeg', toJpeg)
        break
      case 'preview':
        if (isPicture(found)) return await converted('image/jpeg', toPreview)
        break
      case 'sticker':
        if (isPicture(found)) {
          const isOne = found === 'image/webp' && (await isSticker(fetched.path).catch(() => false))
          return isOne ? asIt(found) : await converted('image/webp', toSticker)
        }
        break
      case 'video':
      case 'gif':
      case 'ptv':
        if (found !== undefined && FILMS.has(found)) return asIt(asked.mimetype ?? found)
        break
      case 'audio':
        if (isSound(found)) return asIt(asked.mimetype ?? soundType(type))
        break
      case 'ptt':
        if (isOpus(type)) return asIt(VOICE_NOTE)
        if (isSound(found) || (found !== undefined && FILMS.has(found)))
          return await converted(VOICE_NOTE, (from, to) => ffmpeg.toVoiceNote(from, to))
        break
      case 'document':
        return asIt(asked.mimetype ?? found ?? byName(asked.fileName ?? fetched.name) ?? (fetched.declared || UNKNOWN))
    }
    throw refused(asked.kind, `it is ${found ?? 'of a type that is not known'}`)
  }

  async function describe(asked: Asked, { path: file }: Looked): Promise<Omit<FileFacts, 'mimetype' | 'fileName'>> {
    const given = asked.thumbnail === undefined ? {} : { thumbnail: await thumbnailOf(asked, asked.thumbnail) }
    switch (asked.kind) {
      case 'image':
        return { ...(await readable(asked.kind, describePicture(file))), ...given }
      case 'preview': {
        const { width, height } = await readable(asked.kind, describePicture(file))
        return { width, height }
      }
      case 'sticker':
        return { width: 512, height: 512 }
      case 'video':
      case 'gif':
      case 'ptv': {
        const first = asked.thumbnail === undefined ? await ffmpeg.firstPicture(file, 640) : null
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

  async function thumbnailOf(asked: Asked, given: GivenFile): Promise<string> {
    const temporary: string[] = []
    try {
      const { path: file, sizeBytes } = await fetch(asked, given, () => {
        temporary.push(tempFile(tempDir))
        return temporary[0] as string
      })
      const type = await fileTypeFromFile(file)
      const picture =
        isPicture(type?.mime) && sizeBytes <= THUMBNAIL_SOURCE_MAX_BYTES
          ? await describePicture(file).catch(() => null)
          : null
      if (picture?.thumbnail === undefined) throw invalidThumbnail()
      return picture.thumbnail
    } finally {
      await Promise.all(temporary.map((file) => rm(file, { force: true })))
    }
  }
}

/** What sharp reads and clients do not show in messages. */
const PICTURES: ReadonlySet<string> = new Set(['image/webp', 'image/gif', 'image/avif', 'image/tiff'])

function isPicture(found: string | undefined): boolean {
  return found !== undefined && (PICTURES.has(found) || found === 'image/jpeg' || found === 'image/png')
}

/** Containers that clients play. */
const FILMS: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/3gpp', 'video/x-m4v'])
const VOICE_NOTE = 'audio/ogg; codecs=opus'

function isSound(found: string | undefined): boolean {
  return found !== undefined && (found.startsWith('audio/') || found === 'application/ogg')
}

function isOpus(type: FileTypeResult | undefined): boolean {
  return type?.ext === 'opus' || /^audio\/ogg;\s*codecs=opus$/.test(type?.mime ?? '')
}

function soundType(type: FileTypeResult | undefined): string {
  if (isOpus(type)) return VOICE_NOTE
  // Clients know these by one name only.
  const known: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', m4a: 'audio/mp4', ogg: 'audio/ogg' }
  return known[type?.ext ?? ''] ?? essence(type?.mime ?? UNKNOWN)
}

/** For documents whose bytes do not tell: texts and the like. */
const BY_ENDING: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.html': 'text/html',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.ics': 'text/calendar',
  '.doc': 'application/msword',
  '.xls': 'application/vnd.ms-excel',
  '.ppt': 'application/vnd.ms-powerpoint',
}

function byName(name: string): string | undefined {
  return BY_ENDING[path.extname(name).toLowerCase()]
}

function essence(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? ''
}

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return cut(decodeURIComponent(last).replaceAll(/[\p{Cc}/\\]/gu, ''), 200)
  } catch {
    return ''
  }
}

/** Whole seconds; nothing when the file does not say. The library is loaded with the first sound or film. */
async function lengthOf(file: string): Promise<{ seconds?: number }> {
  const { parseFile } = await import('music-metadata')
  const { format } = await parseFile(file, { duration: true, skipCovers: true }).catch(() => ({
    format: {} as { duration?: number },
  }))
  const seconds = Math.round(format.duration ?? 0)
  return seconds > 0 ? { seconds } : {}
}

async function readable<T>(kind: FileKind, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw unreadable(kind, error, 'it cannot be read as a picture')
  }
}

function unreadable(kind: FileKind, error: unknown, why: string): GatewayError {
  return refused(kind, error instanceof TooManyPixels ? error.message : why)
}

const WANTED: Readonly<Record<FileKind, string>> = {
  image: 'a JPEG, PNG, WebP, GIF, AVIF or TIFF picture',
  preview: 'a JPEG, PNG, WebP, GIF, AVIF or TIFF picture',
  sticker: 'a WebP, PNG, JPEG, GIF or AVIF picture',
  video: 'an MP4 film',
  gif: 'an MP4 film',
  ptv: 'an MP4 film',
  audio: 'a sound',
  ptt: 'a sound',
  document: 'a file',
}

function refused(kind: FileKind, why: string): GatewayError {
  return new GatewayError('MEDIA_TYPE_REFUSED', {
    message: `The file cannot be sent so: it must be ${WANTED[kind]}, and ${why}.`,
    details: [{ field: 'file', why }],
  })
}

function invalidThumbnail(): GatewayError {
  const why = 'must be a JPEG, PNG, WebP, GIF, AVIF or TIFF picture of at most 5 MiB'
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: thumbnail ${why}.`,
    details: [{ field: 'thumbnail', why }],
  })
}

/** What a full or broken disk says. */
function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO' || code === 'EROFS'
}
