/** Files of messages, given on request: from the storage, else from the network, whose phone is asked when the network has them no more. */
import { createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import type { MediaDownloads, NetworkFile, WhichFile } from '../../actors/network/port/media.js'
import type { CommandRouter } from '../../actors/operations/router.js'
import { GatewayError } from '../../schemas/errors.js'
import type { FileOfMessage, FileVariant } from '../../schemas/ports/media.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { MediaFiles } from '../store/media-files.js'
import { type Ffmpeg, turns } from './ffmpeg.js'
import { type FilePlace, fileName } from './links.js'
import type { Storage } from './storage.js'
import { tempFile } from './temp-folder.js'

export interface LibraryOptions {
  readonly storage: Storage
  readonly files: MediaFiles
  readonly network: MediaDownloads
  readonly router: Pick<CommandRouter, 'ask'>
  /** By the internal id of the message. */
  readonly messageOf: (place: FilePlace) => Promise<MessageForActor | null>
  readonly ffmpeg: Ffmpeg
  readonly tempDir: string
  readonly fileMaxBytes: number
  readonly logger: Logger
}

export interface Library {
  /** @throws GatewayError MEDIA_NOT_FOUND, MEDIA_TOO_LARGE, MEDIA_EXPIRED, MEDIA_UNAVAILABLE, CONVERSION_UNAVAILABLE */
  open(place: FilePlace): Promise<FileOfMessage>
}

interface Known {
  readonly mimetype: string
  readonly fileName: string
}

/** Downloads at once on this node. */
const AT_ONCE = 8

export function createLibrary(options: LibraryOptions): Library {
  const { storage, files, network, router, messageOf, ffmpeg, tempDir, fileMaxBytes, logger } = options
  const inTurn = turns(AT_ONCE)
  /** Who asks for what is being fetched waits for it. */
  const underWay = new Map<string, Promise<unknown>>()

  return { open: openFile }

  async function openFile(place: FilePlace): Promise<FileOfMessage> {
    const message = await messageOf(place)
    // The storage keeps files longer than that: what was taken back, or deleted with its chat, is given to nobody.
    if (message === null || message.status === 'deleted') throw new GatewayError('MEDIA_NOT_FOUND')
    const name = nameOf(place)
    const stored = await fromStorage(name)
    if (stored !== null) return stored
    const other = underWay.get(name)
    if (other !== undefined) {
      await other
      const after = await fromStorage(name)
      if (after !== null) return after
    }
    const fetched = fetchNow(place, name, message)
    underWay.set(name, fetched)
    const forget = (): void => {
      if (underWay.get(name) === fetched) underWay.delete(name)
    }
    fetched.then(forget, forget)
    return await fetched
  }

  async function fromStorage(name: string): Promise<FileOfMessage | null> {
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

  async function fetchNow(place: FilePlace, name: string, message: MessageForActor): Promise<FileOfMessage> {
    const target = tempFile(tempDir)
    try {
      const known = place.variant === 'mp3' ? await asMp3(place, target) : await fromNetwork(place, message, target)
      const { size: sizeBytes } = await stat(target)
      // It can be read while it is put away, and when it cannot be.
      const handle = await open(target)
      const body: Readable = handle.createReadStream({ highWaterMark: 256 * 1024 })
      await keep(place, { ...known, name, sizeBytes }, target)
      return { ...known, sizeBytes, body }
    } finally {
      await rm(target, { force: true })
    }
  }

  async function keep(
    { instance }: FilePlace,
    file: Known & { readonly name: string; readonly sizeBytes: number },
    target: string,
  ): Promise<void> {
    try {
      await files.beginReceived(file, instance)
      await storage.put(file.name, target, { durable: false })
      await files.stored(file.name)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      logger.warn({ instanceId: instance, error: why }, 'A received file could not be kept; it is fetched again.')
    }
  }

  async function asMp3(place: FilePlace, target: string): Promise<Known> {
    const own = await openFile({ ...place, variant: 'own' })
    const original = tempFile(tempDir)
    try {
      await pipeline(own.body, createWriteStream(original, { mode: 0o600 }))
      await ffmpeg.toMp3(original, target)
      return { mimetype: 'audio/mpeg', fileName: own.fileName }
    } finally {
      await rm(original, { force: true })
    }
  }

  async function fromNetwork(place: FilePlace, message: MessageForActor, target: string): Promise<Known> {
    const of = whichOf(place.variant)
    const file = fileIn(message, of)
    if (file === null) throw new GatewayError('MEDIA_NOT_FOUND')
    if (file.fileLength > fileMaxBytes) {
      throw new GatewayError('MEDIA_TOO_LARGE', { fields: { limit_bytes: fileMaxBytes, size_bytes: file.fileLength } })
    }
    try {
      await inTurn(() => download(file, target))
    } catch (error) {
      // Of a quote the network has no message that could be asked for, and a phone is asked for the one file of a message.
      if (!(error instanceof GatewayError) || error.code !== 'MEDIA_EXPIRED' || of !== 'message') throw error
      await router.ask(place.instance, { type: 'renewMedia', messageid: message.messageid, record: place.record })
      const renewed = fileIn(await messageOf(place), of)
      if (renewed === null) throw error
      await inTurn(() => download(renewed, target))
    }
    return { mimetype: file.mimetype, fileName: file.fileName }
  }

  async function download(file: NetworkFile, target: string): Promise<void> {
    await pipeline(network.fetch(file), createWriteStream(target, { mode: 0o600 })).catch((error: unknown) => {
      if (error instanceof GatewayError) throw error
      throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
    })
  }

  function fileIn(message: MessageForActor | null, of: WhichFile): NetworkFile | null {
    return message?.proto && message.status !== 'deleted' ? network.fileOf(message.proto, of) : null
  }
}

function whichOf(variant: FileVariant): WhichFile {
  if (variant === 'own' || variant === 'mp3') return 'message'
  return variant === 'quoted' ? variant : { card: Number(variant.slice('card'.length)) }
}

function nameOf({ instance, record, variant }: FilePlace): string {
  return `received/${instance}/${fileName(record, variant)}`
}
