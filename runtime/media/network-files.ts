import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { MediaDownloads, NetworkFile, WhichFile } from '../../actors/network/port/media.js'
import type { CommandRouter } from '../../actors/operations/router.js'
import { GatewayError } from '../../schemas/errors.js'
import type { FileVariant } from '../../schemas/ports/media.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { SharedWork } from '../work/work.js'
import type { FilePlace } from './links.js'

export interface NetworkFilesOptions {
  readonly network: MediaDownloads
  readonly router: Pick<CommandRouter, 'ask'>
  /** Finds a message by its internal id. */
  readonly findMessage: (place: FilePlace) => Promise<MessageForActor | null>
  readonly fileMaxBytes: number
  readonly work: Pick<SharedWork, 'run'>
}

/** The fields of a file that are known before its bytes. */
export interface FileHead {
  readonly mimetype: string
  readonly fileName: string
}

/** Time that every download may take, and bytes a second of the far side after it. A proxy may be as slow as its owner likes. */
const FREE_MS = 60_000
const BYTES_PER_SECOND_MIN = 16 * 1024

/** Downloads files of messages from the network. */
export class NetworkFiles {
  readonly #options: NetworkFilesOptions

  constructor(options: NetworkFilesOptions) {
    this.#options = options
  }

  /** @throws GatewayError MEDIA_NOT_FOUND, MEDIA_TOO_LARGE, MEDIA_EXPIRED, MEDIA_STORAGE_UNAVAILABLE, RATE_LIMITED, and those of `renewMedia` */
  async fetch(place: FilePlace, message: MessageForActor, target: string): Promise<FileHead> {
    const { router, findMessage, fileMaxBytes } = this.#options
    const which = toWhichFile(place.variant)
    const file = this.#findFile(message, which)
    if (file === null) throw new GatewayError('MEDIA_NOT_FOUND')
    if (file.fileLength > fileMaxBytes) {
      throw new GatewayError('MEDIA_TOO_LARGE', { fields: { limit_bytes: fileMaxBytes, size_bytes: file.fileLength } })
    }
    try {
      await this.#download(place, file, target)
    } catch (error) {
      // A quote is no message of the network that could be renewed, and a phone renews only the one file of a message.
      if (!(error instanceof GatewayError) || error.code !== 'MEDIA_EXPIRED' || which !== 'message') throw error
      await router.ask(place.instance, { type: 'renewMedia', messageid: message.messageid, record: place.record })
      const renewed = this.#findFile(await findMessage(place), which)
      if (renewed === null) throw error
      await this.#download(place, renewed, target)
    }
    return { mimetype: file.mimetype, fileName: file.fileName }
  }

  async #download({ instance }: FilePlace, file: NetworkFile, target: string): Promise<void> {
    const { network, work } = this.#options
    const route = await network.open(instance)
    try {
      await work.run('download', instance, (place) => writeTo(target, place.flow(fastEnough(route.fetch(file)))))
    } catch (error) {
      if (error instanceof GatewayError) throw error
      throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
    } finally {
      route.close()
    }
  }

  #findFile(message: MessageForActor | null, which: WhichFile): NetworkFile | null {
    return message?.proto && message.status !== 'deleted' ? this.#options.network.findFile(message.proto, which) : null
  }
}

export async function writeTo(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(content, createWriteStream(file, { mode: 0o600 }))
}

/** Yields the bytes of a far side. @throws GatewayError MEDIA_UNAVAILABLE when they come too slowly: such a download would last for hours */
async function* fastEnough(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waitedMs = 0
  let bytes = 0
  let askedMs = performance.now()
  for await (const chunk of source) {
    waitedMs += performance.now() - askedMs
    bytes += chunk.length
    if (waitedMs > FREE_MS + (bytes / BYTES_PER_SECOND_MIN) * 1_000) {
      const why = `The file came at less than ${BYTES_PER_SECOND_MIN / 1024} KiB a second.`
      throw new GatewayError('MEDIA_UNAVAILABLE', { details: [{ field: 'id', why }] })
    }
    yield chunk
    askedMs = performance.now()
  }
}

function toWhichFile(variant: FileVariant): WhichFile {
  if (variant === 'own' || variant === 'mp3') return 'message'
  return variant === 'quoted' ? variant : { card: Number(variant.slice('card'.length)) }
}
