/** Files of messages on request: from the storage, or from the network. If the network has one no more, the phone uploads it again. */
import { open, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { errorText } from '../../lib/error-text.js'
import { GatewayError } from '../../schemas/errors.js'
import { isHighDefinition } from '../../schemas/files-in-content.js'
import type { FileOfMessage } from '../../schemas/ports/media.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { MediaFiles } from '../store/media-files.js'
import type { Ffmpeg } from './ffmpeg.js'
import { type FilePlace, fileName } from './links.js'
import { type FileHead, NetworkFiles, type NetworkFilesOptions, writeTo } from './network-files.js'
import type { Storage } from './storage.js'
import { tempFile } from './storage.js'

export interface LibraryOptions extends NetworkFilesOptions {
  readonly storage: Storage
  readonly files: MediaFiles
  readonly ffmpeg: Ffmpeg
  readonly tempDir: string
  readonly logger: Logger
}

export interface Library {
  /** @throws GatewayError MEDIA_NOT_FOUND, MEDIA_TOO_LARGE, MEDIA_EXPIRED, MEDIA_UNAVAILABLE, CONVERSION_UNAVAILABLE */
  open(place: FilePlace): Promise<FileOfMessage>
}

export function createLibrary(options: LibraryOptions): Library {
  const library = new MessageFiles(options)
  return { open: (place) => library.open(place) }
}

class MessageFiles implements Library {
  readonly #options: LibraryOptions
  readonly #network: NetworkFiles
  /** Files that are being fetched. Later requests for them wait. */
  readonly #underWay = new Map<string, Promise<unknown>>()

  constructor(options: LibraryOptions) {
    this.#options = options
    this.#network = new NetworkFiles(options)
  }

  async open(place: FilePlace): Promise<FileOfMessage> {
    const message = await this.#options.findMessage(place)
    // The storage keeps files longer: a message that was deleted, by itself or with its chat, has no file.
    if (message === null || message.status === 'deleted') throw new GatewayError('MEDIA_NOT_FOUND')
    const name = formatName(place, isHighDefinition(message.record.content))
    const stored = await this.#fromStorage(name)
    if (stored !== null) return stored
    const other = this.#underWay.get(name)
    if (other !== undefined) {
      await other
      const after = await this.#fromStorage(name)
      if (after !== null) return after
    }
    const fetched = this.#fetch(place, name, message)
    this.#underWay.set(name, fetched)
    const forget = (): void => {
      if (this.#underWay.get(name) === fetched) this.#underWay.delete(name)
    }
    fetched.then(forget, forget)
    return await fetched
  }

  async #fromStorage(name: string): Promise<FileOfMessage | null> {
    const { storage, files } = this.#options
    const found = await files.find(name)
    if (found === null) return null
    try {
      return { ...found, body: await storage.read(name) }
    } catch (error) {
      // It can be fetched again.
      if (error instanceof GatewayError) return null
      throw error
    }
  }

  async #fetch(place: FilePlace, name: string, message: MessageForActor): Promise<FileOfMessage> {
    const target = tempFile(this.#options.tempDir)
    try {
      const head =
        place.variant === 'mp3' ? await this.#asMp3(place, target) : await this.#network.fetch(place, message, target)
      const { size: sizeBytes } = await stat(target)
      // It can be read while it is stored, and when it cannot be stored.
      const handle = await open(target)
      const body: Readable = handle.createReadStream({ highWaterMark: 256 * 1024 })
      await this.#keep(place, { ...head, name, sizeBytes }, target)
      return { ...head, sizeBytes, body }
    } finally {
      await rm(target, { force: true })
    }
  }

  async #keep(
    { instance }: FilePlace,
    file: FileHead & { readonly name: string; readonly sizeBytes: number },
    target: string,
  ): Promise<void> {
    const { storage, files, logger } = this.#options
    try {
      await files.beginReceived(file, instance)
      await storage.put(file.name, target, { durable: false })
      await files.stored(file.name)
    } catch (error) {
      const why = errorText(error)
      logger.warn({ instanceId: instance, error: why }, 'A received file could not be stored; it is fetched again.')
    }
  }

  async #asMp3(place: FilePlace, target: string): Promise<FileHead> {
    const { ffmpeg, tempDir } = this.#options
    const own = await this.open({ ...place, variant: 'own' })
    const original = tempFile(tempDir)
    try {
      await writeTo(original, own.body)
      await ffmpeg.toMp3(place.instance, original, target)
      return { mimetype: 'audio/mpeg', fileName: own.fileName }
    } finally {
      await rm(original, { force: true })
    }
  }
}

/** A file in high definition replaces a smaller one of the same message, which may be in the storage. */
function formatName({ instance, record, variant }: FilePlace, isHd: boolean): string {
  return `received/${instance}/${fileName(record, variant)}${isHd ? '.hd' : ''}`
}
