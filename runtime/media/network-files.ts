import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { MediaDownloads, NetworkFile, WhichFile } from '../../actors/network/port/media.js'
import type { CommandRouter } from '../../actors/operations/router.js'
import { GatewayError } from '../../schemas/errors.js'
import { createOwnerTurns } from '../../schemas/owner-turns.js'
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

/** Maximum of downloads at once on this node, of all instances without a proxy together. */
const AT_ONCE = 8
/** Maximum of downloads at once, and of waiting ones, of one instance with a proxy. */
const PROXIED_AT_ONCE = 2
const PROXIED_WAITING_MAX = 50

/** Downloads files of messages from the network. */
export class NetworkFiles {
  readonly #options: NetworkFilesOptions
  readonly #inTurn = turns(AT_ONCE)
  /** A slow proxy delays the downloads of its own instance only. */
  readonly #proxied = createOwnerTurns({ max: PROXIED_AT_ONCE, waitingMax: PROXIED_WAITING_MAX }, () => {
    const why = 'Too many downloads of this instance wait for its proxy.'
    return new GatewayError('MEDIA_UNAVAILABLE', { details: [{ field: 'id', why }] })
  })

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
      await this.#download(place, file, target)
    } catch (error) {
      // A quote is no message of the network that could be renewed, and a phone renews only the one file of a message.
      if (!(error instanceof GatewayError) || error.code !== 'MEDIA_EXPIRED' || which !== 'message') throw error
      await router.ask(place.instance, { type: 'renewMedia', messageid: message.messageid, record: place.record })
      const renewed = this.#fileOf(await messageOf(place), which)
      if (renewed === null) throw error
      await this.#download(place, renewed, target)
    }
    return { mimetype: file.mimetype, fileName: file.fileName }
  }

  async #download({ instance }: FilePlace, file: NetworkFile, target: string): Promise<void> {
    const route = await this.#options.network.open(instance)
    const work = (): Promise<void> => writeTo(target, route.fetch(file))
    try {
      await (route.isProxied ? this.#proxied.run(instance, work) : this.#inTurn(work))
    } catch (error) {
      if (error instanceof GatewayError) throw error
      throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
    } finally {
      route.close()
    }
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
