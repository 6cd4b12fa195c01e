import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { MediaDownloads, NetworkFile, WhichFile } from '../../actors/network/port/media.js'
import type { CommandRouter } from '../../actors/operations/router.js'
import { GatewayError } from '../../schemas/errors.js'
import type { FileVariant } from '../../schemas/ports/media.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import { turns } from '../../schemas/turns.js'
import type { FilePlace } from './links.js'

export interface NetworkFilesOptions {
  readonly network: MediaDownloads
  readonly router: Pick<CommandRouter, 'ask'>
  /** Finds a message by its internal id. */
  readonly messageOf: (place: FilePlace) => Promise<MessageForActor | null>
  readonly fileMaxBytes: number
}

/** The fields of a file that are known before its bytes. */
export interface FileHead {
  readonly mimetype: string
  readonly fileName: string
}

/** Maximum of downloads at once on this node. */
const AT_ONCE = 8

/** Downloads files of messages from the network. */
export class NetworkFiles {
  readonly #options: NetworkFilesOptions
  readonly #inTurn = turns(AT_ONCE)

  constructor(options: NetworkFilesOptions) {
    this.#options = options
  }

  /** @throws GatewayError MEDIA_NOT_FOUND, MEDIA_TOO_LARGE, MEDIA_EXPIRED, MEDIA_STORAGE_UNAVAILABLE, and those of `renewMedia` */
  async fetch(place: FilePlace, message: MessageForActor, target: string): Promise<FileHead> {
    const { router, messageOf, fileMaxBytes } = this.#options
    const which = whichOf(place.variant)
    const file = this.#fileOf(message, which)
    if (file === null) throw new GatewayError('MEDIA_NOT_FOUND')
    if (file.fileLength > fileMaxBytes) {
      throw new GatewayError('MEDIA_TOO_LARGE', { fields: { limit_bytes: fileMaxBytes, size_bytes: file.fileLength } })
    }
    try {
      await this.#inTurn(() => this.#download(file, target))
    } catch (error) {
      // A quote is no message of the network that could be renewed, and a phone renews only the one file of a message.
      if (!(error instanceof GatewayError) || error.code !== 'MEDIA_EXPIRED' || which !== 'message') throw error
      await router.ask(place.instance, { type: 'renewMedia', messageid: message.messageid, record: place.record })
      const renewed = this.#fileOf(await messageOf(place), which)
      if (renewed === null) throw error
      await this.#inTurn(() => this.#download(renewed, target))
    }
    return { mimetype: file.mimetype, fileName: file.fileName }
  }

  async #download(file: NetworkFile, target: string): Promise<void> {
    await writeTo(target, this.#options.network.fetch(file)).catch((error: unknown) => {
      if (error instanceof GatewayError) throw error
      throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
    })
  }

  #fileOf(message: MessageForActor | null, which: WhichFile): NetworkFile | null {
    return message?.proto && message.status !== 'deleted' ? this.#options.network.fileOf(message.proto, which) : null
  }
}

export async function writeTo(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(content, createWriteStream(file, { mode: 0o600 }))
}

function whichOf(variant: FileVariant): WhichFile {
  if (variant === 'own' || variant === 'mp3') return 'message'
  return variant === 'quoted' ? variant : { card: Number(variant.slice('card'.length)) }
}
