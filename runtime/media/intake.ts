/** Prepares a file of a caller to be sent: fetches it, converts it where needed, describes it and stores it. */
import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { GatewayError } from '../../schemas/errors.js'
import { inUrlField } from '../../schemas/invalid-field.js'
import type { GivenFile, RequestedFile } from '../../schemas/ports/media.js'
import type { FileFacts, FileKind, PreparedFile } from '../../schemas/send-content.js'
import type { Outgoing } from '../outgoing/client.js'
import type { MediaFiles } from '../store/media-files.js'
import type { Ffmpeg } from './ffmpeg.js'
import { type ConvertedFile, convertFile } from './file-conversion.js'
import { fileRefused, invalidThumbnail, isFull, mapUnreadable } from './file-refusals.js'
import { type FetchLimits, fetchFile, readTracks } from './file-source.js'
import { isPicture, withEnding } from './file-types.js'
import { type Pictures, STANDARD_PX } from './pictures.js'
import type { Storage } from './storage.js'
import { tempFile } from './storage.js'
import type { UnaidedConversions } from './unaided.js'

export interface IntakeOptions {
  readonly storage: Storage
  readonly files: MediaFiles
  readonly outgoing: Pick<Outgoing, 'download'>
  readonly ffmpeg: Ffmpeg
  readonly pictures: Pictures
  readonly unaided: UnaidedConversions
  readonly tempDir: string
  readonly fileMaxBytes: number
  readonly fetchTimeoutMs: number
}

export type Intake = <Kind extends FileKind>(asked: RequestedFile<Kind>) => Promise<PreparedFile<Kind>>
type Asked = RequestedFile<FileKind>

const THUMBNAIL_SOURCE_MAX_BYTES = 5 * 1024 * 1024
/** Limits of the picture of a link preview, as of its small picture: a text waits for it. */
const PREVIEW_SOURCE_MAX_BYTES = 5 * 1024 * 1024
const PREVIEW_TIMEOUT_MS = 4_000

export function createIntake(options: IntakeOptions): Intake {
  return async (asked) => {
    const temporary = new TemporaryFiles(options.tempDir)
    try {
      return await prepare(asked, options, temporary.create)
    } catch (error) {
      throw isFull(error) ? new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error }) : error
    } finally {
      await temporary.remove()
    }
  }
}

async function prepare<Kind extends FileKind>(
  asked: RequestedFile<Kind>,
  options: IntakeOptions,
  temp: () => string,
): Promise<PreparedFile<Kind>> {
  const { outgoing } = options
  const fetched = await fetchFile(outgoing, asked.file, asked.instance, temp, chooseLimits(asked.kind, options)).catch(
    (error: unknown) => {
      throw inUrlField('file', error)
    },
  )
  if (fetched.sizeBytes === 0) throw fileRefused(asked.kind, 'it is empty')
  const converted = await convertFile(asked, fetched, options, temp)
  const thumbnail = asked.thumbnail === undefined ? undefined : await makeThumbnail(asked, asked.thumbnail, options)
  const facts = await describeFile(asked, converted.path, thumbnail, options)
  const name = asked.fileName ?? (fetched.name || undefined)
  const fileName = name && asked.kind === 'document' ? withEnding(name, converted.mimetype, converted.found) : name
  const { width = 0, height = 0 } = facts
  const isPair = asked.isHd === true && asked.kind === 'image' && Math.max(width, height) > STANDARD_PX
  // The storage takes the file away, so the copy is made before.
  const copied = isPair ? await smallCopy(asked, converted, options, temp) : null
  const small = copied === null || thumbnail === undefined ? copied : { ...copied, thumbnail }
  const whole = {
    media: asked.kind,
    file: await store(asked, converted, options),
    mimetype: converted.mimetype,
    ...(fileName === undefined ? {} : { fileName }),
    ...facts,
  }
  return small === null ? whole : { ...small, hd: { ...whole, media: 'image' } }
}

/** Makes the copy of an image that clients show until they have the large one. */
async function smallCopy<Kind extends FileKind>(
  asked: RequestedFile<Kind>,
  large: ConvertedFile,
  options: IntakeOptions,
  temp: () => string,
): Promise<PreparedFile<Kind>> {
  const small = { ...large, path: temp(), mimetype: 'image/jpeg' }
  await mapUnreadable(asked.kind, options.pictures.toStandard(asked.instance, large.path, small.path))
  const facts = await mapUnreadable(asked.kind, options.pictures.describe(asked.instance, small.path))
  return { media: asked.kind, file: await store(asked, small, options), mimetype: small.mimetype, ...facts }
}

function chooseLimits(kind: FileKind, { fileMaxBytes, fetchTimeoutMs }: IntakeOptions): FetchLimits {
  if (kind !== 'preview') return { sizeMaxBytes: fileMaxBytes, timeoutMs: fetchTimeoutMs }
  return {
    sizeMaxBytes: Math.min(fileMaxBytes, PREVIEW_SOURCE_MAX_BYTES),
    timeoutMs: Math.min(fetchTimeoutMs, PREVIEW_TIMEOUT_MS),
  }
}

async function store(
  asked: Asked,
  { path, mimetype }: ConvertedFile,
  { storage, files }: IntakeOptions,
): Promise<{ name: string; sizeBytes: number }> {
  const { size: sizeBytes } = await stat(path)
  const name = `outgoing/${asked.instance}/${randomBytes(16).toString('hex')}`
  await files.beginOutgoing({ name, mimetype, fileName: '', sizeBytes }, asked.instance, asked.messageid)
  await storage.put(name, path, { durable: asked.durable })
  return { name, sizeBytes }
}

/** Makes the small picture from the caller's own. @throws GatewayError INVALID_REQUEST */
async function makeThumbnail(asked: Asked, given: GivenFile, options: IntakeOptions): Promise<string> {
  const temporary = new TemporaryFiles(options.tempDir)
  try {
    const limits = chooseLimits('document', options)
    const fetched = fetchFile(options.outgoing, given, asked.instance, temporary.create, limits)
    const { path, sizeBytes } = await fetched.catch((error: unknown) => {
      throw inUrlField('thumbnail', error)
    })
    const type = await fileTypeFromFile(path)
    const isUsable = isPicture(type?.mime) && sizeBytes <= THUMBNAIL_SOURCE_MAX_BYTES
    const picture = isUsable ? await options.pictures.describe(asked.instance, path).catch(() => null) : null
    if (picture?.thumbnail === undefined) throw invalidThumbnail()
    return picture.thumbnail
  } finally {
    await temporary.remove()
  }
}

class TemporaryFiles {
  readonly #folder: string
  readonly #files: string[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the path of a new file, which is not created yet. */
  readonly create = (): string => {
    const file = tempFile(this.#folder)
    this.#files.push(file)
    return file
  }

  async remove(): Promise<void> {
    await Promise.all(this.#files.map((file) => rm(file, { force: true })))
  }
}

/** Functions that read files and pictures. */
interface FileReaders {
  readonly ffmpeg: Pick<Ffmpeg, 'firstPicture' | 'seconds' | 'waveform'>
  readonly pictures: Pick<Pictures, 'describe'>
}

const FIRST_PICTURE_PX = 640

/** Describes a file as clients need it: its size in pixels, length, waveform and small picture. `thumbnail` is the caller's own. */
async function describeFile(
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
      return { ...picture, ...(await measureLength(instance, file, ffmpeg)), ...given }
    }
    case 'audio':
      return await measureLength(instance, file, ffmpeg)
    case 'ptt': {
      const waveform = await ffmpeg.waveform(instance, file)
      return { ...(await measureLength(instance, file, ffmpeg)), ...(waveform === null ? {} : { waveform }) }
    }
    case 'document':
      return given
  }
}

/** Returns whole seconds, at least one; nothing when nobody can tell. */
async function measureLength(
  instance: string,
  file: string,
  ffmpeg: Pick<Ffmpeg, 'seconds'>,
): Promise<{ seconds?: number }> {
  const { seconds = await ffmpeg.seconds(instance, file) } = await readTracks(file)
  return seconds !== null && seconds > 0 ? { seconds: Math.max(1, Math.round(seconds)) } : {}
}
