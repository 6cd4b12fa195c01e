/** Pictures of chats and of the own account, fetched for the API so that no browser asks the network. Kept in memory for a while. */
import { LRUCache } from 'lru-cache'
import type { MediaDownloads } from '../../actors/network/port/media.js'
import type { CommandRouter } from '../../actors/operations/router.js'
import { entriesMax } from '../../lib/entries-max.js'
import { createOwnerSlots } from '../../lib/owner-slots.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatPicture } from '../../schemas/ports/media.js'

// Bound: 65,536, a name, a type or words of ffmpeg.

export interface ChatPicturesOptions {
  readonly network: Pick<MediaDownloads, 'open'>
  readonly router: Pick<CommandRouter, 'ask'>
  readonly limits?: ChatPictureLimits
}

export interface ChatPictureLimits {
  /** Pictures a minute that are not in memory, of one instance. Each may be a request to the network. */
  readonly perMinute: number
  readonly cacheMaxBytes: number
}

interface Asked {
  /** A number, a JID, or empty for the own account. */
  readonly number: string
  readonly preview: boolean
}

/** `null` remembers that there is none. */
type Known = { readonly picture: ChatPicture | null }

const LIMITS: ChatPictureLimits = { perMinute: 30, cacheMaxBytes: 32 * 1024 * 1024 }
const PICTURE_MAX_BYTES = 2 * 1024 * 1024
/** A picture that was changed is seen after this time. */
const KEPT_MS = 60 * 60_000
const MISSING_KEPT_MS = 10 * 60_000
const ENTRY_BYTES = 200
const INSTANCES_REMEMBERED = 10_000
const AT_ONCE = 2
const WAITING_MAX = 100
const MINUTE_MS = 60_000

export class ChatPictures {
  readonly #options: ChatPicturesOptions
  readonly #limits: ChatPictureLimits
  readonly #known: LRUCache<string, Known>
  /** Pictures that are being fetched. Later calls for them wait. */
  readonly #underWay = new Map<string, Promise<Known>>()
  /** Pictures of each instance that were fetched in the present minute. */
  readonly #fetched = new LRUCache<string, { minute: number; count: number }>(entriesMax(INSTANCES_REMEMBERED))
  readonly #inSlot = createOwnerSlots({ max: AT_ONCE, waitingMax: WAITING_MAX }, tooMany)

  constructor(options: ChatPicturesOptions) {
    this.#options = options
    this.#limits = options.limits ?? LIMITS
    this.#known = new LRUCache({
      maxSize: this.#limits.cacheMaxBytes,
      sizeCalculation: ({ picture }) => ENTRY_BYTES + (picture?.body.length ?? 0),
    })
  }

  /** Returns null when there is none. @throws GatewayError MEDIA_UNAVAILABLE, RATE_LIMITED, and those of the operation `chatPicture` */
  async give(instance: InstanceId, asked: Asked): Promise<ChatPicture | null> {
    const key = `${instance} ${asked.preview ? 'small' : 'large'} ${asked.number}`
    const known = this.#known.get(key) ?? (await (this.#underWay.get(key) ?? this.#begin(key, instance, asked)))
    return known.picture
  }

  /** Fetches a picture that the network named, such as that of a product. @throws GatewayError MEDIA_UNAVAILABLE, RATE_LIMITED */
  async ofNetwork(instance: InstanceId, url: string): Promise<ChatPicture> {
    return await this.#inSlot.run(instance, async () => {
      this.#count(instance)
      return await this.#download(instance, url).catch((error: unknown) => {
        if (error instanceof GatewayError && error.code === 'MEDIA_EXPIRED')
          throw unavailable('The network has the picture no longer.')
        throw error
      })
    })
  }

  #begin(key: string, instance: InstanceId, asked: Asked): Promise<Known> {
    const fetched = this.#inSlot
      .run(instance, () => this.#fetch(key, instance, asked))
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, fetched)
    return fetched
  }

  async #fetch(key: string, instance: InstanceId, asked: Asked): Promise<Known> {
    this.#count(instance)
    const found = { picture: await this.#find(instance, asked) }
    this.#known.set(key, found, { ttl: found.picture === null ? MISSING_KEPT_MS : KEPT_MS })
    return found
  }

  async #find(instance: InstanceId, asked: Asked): Promise<ChatPicture | null> {
    const url = await this.#askAddress(instance, asked, false)
    if (url === null) return null
    try {
      return await this.#download(instance, url)
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'MEDIA_EXPIRED') throw error
    }
    // Addresses have signatures that end.
    const renewed = await this.#askAddress(instance, asked, true)
    if (renewed === null) return null
    return await this.#download(instance, renewed).catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === 'MEDIA_EXPIRED') return null
      throw error
    })
  }

  async #askAddress(instance: InstanceId, asked: Asked, isFresh: boolean): Promise<string | null> {
    return (await this.#options.router.ask(instance, { type: 'chatPicture', ...asked, isFresh })).url
  }

  async #download(instance: InstanceId, url: string): Promise<ChatPicture> {
    const route = await this.#options.network.open(instance)
    try {
      const body = await route.picture(url, PICTURE_MAX_BYTES)
      const type = detectPictureType(body)
      if (type === null) throw unavailable('The file of WhatsApp is not a JPEG, PNG, GIF or WebP.')
      return { body, type }
    } finally {
      route.close()
    }
  }

  #count(instance: InstanceId): void {
    const minute = Math.floor(performance.now() / MINUTE_MS)
    const fetched = this.#fetched.get(instance)
    const count = fetched?.minute === minute ? fetched.count : 0
    if (count >= this.#limits.perMinute) throw tooMany()
    this.#fetched.set(instance, { minute, count: count + 1 })
  }
}

/** Returns the type by the first bytes, whatever the far side says; null for anything but a raster picture. */
export function detectPictureType(bytes: Buffer): ChatPicture['type'] | null {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(head) ? 'image/webp' : null
}

function unavailable(why: string): GatewayError {
  return new GatewayError('MEDIA_UNAVAILABLE', { details: [{ field: 'number', why }] })
}

function tooMany(): GatewayError {
  const message = 'Too many pictures of this instance are asked for; those that were fetched are given at once.'
  return new GatewayError('RATE_LIMITED', { message, retryAfterSeconds: 60, limit: 'fetches' })
}
