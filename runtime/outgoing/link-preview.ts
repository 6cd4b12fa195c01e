/** Previews of linked pages for chats: title, description and a small picture, fetched through the guard. */
import { fileTypeFromBuffer } from 'file-type'
import { LRUCache } from 'lru-cache'
import type { Sharp } from 'sharp'
import type { PictureSource } from '../../schemas/choices/menu.js'
import { pictureLibrary } from '../../schemas/picture-library.js'
import type { PagePreview } from '../../schemas/ports/media.js'
import type { Place } from '../work/place.js'
import type { SharedWork } from '../work/work.js'
import type { FetchedBody, Outgoing } from './client.js'
import { readPage } from './page.js'

// Bound: 16,384, a header or an address.

export interface LinkPreviewOptions {
  readonly outgoing: Pick<Outgoing, 'get'>
  /** Time for which a preview is kept in memory. Default 5 min. */
  readonly cacheTtlMs?: number
  readonly work: Pick<SharedWork, 'run'>
}

/** Implements the port `LinkPreviews` of the API. `owner`: the instance for which is fetched. */
export interface LinkPreviewFetcher {
  /**
   * Returns null when the page has no title. Takes at most 8 s.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED, RATE_LIMITED
   */
  fetch(url: string, owner?: string): Promise<PagePreview | null>
  /**
   * Returns a small form of a caller's picture, as JPEG in base64; null when it is no picture, or too large. Takes at most 8 s.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED, RATE_LIMITED
   */
  picture(source: PictureSource, owner?: string): Promise<string | null>
  /** Returns the square that clients show for a group: JPEG of 640 by 640 pixels, in base64. Otherwise as `picture`. */
  portrait(source: PictureSource, owner?: string): Promise<string | null>
}

const PAGE_MAX_BYTES = 512 * 1024
const PAGE_TIMEOUT_MS = 4000
const IMAGE_MAX_BYTES = 5 * 1024 * 1024
/** A decoded pixel takes some 4 bytes, on each of the few threads that decode. */
const IMAGE_PIXELS_MAX = 16_000_000
const IMAGE_TIMEOUT_MS = 4000
/** Official clients carry a JPEG of this order inside the message; larger pictures are uploaded instead. */
const THUMBNAIL_PX = 192
const THUMBNAIL_MAX_BYTES = 24 * 1024
/** Size that the network's clients upload for groups and profiles. */
const PORTRAIT_PX = 640

export function createLinkPreviews(options: LinkPreviewOptions): LinkPreviewFetcher {
  const previews = new LinkPreviews(options)
  return {
    fetch: (url, owner = '') => previews.fetch(url, owner),
    picture: (source, owner = '') => previews.picture(source, shrink, owner),
    portrait: (source, owner = '') => previews.picture(source, square, owner),
  }
}

/** The turn of an instance. */
interface Turn {
  readonly owner: string
  readonly place: Place
}

class LinkPreviews {
  readonly #outgoing: Pick<Outgoing, 'get'>
  readonly #known: LRUCache<string, { preview: PagePreview | null }>
  readonly #underWay = new Map<string, Promise<PagePreview | null>>()
  readonly #work: Pick<SharedWork, 'run'>

  constructor({ outgoing, work, cacheTtlMs = 300_000 }: LinkPreviewOptions) {
    this.#outgoing = outgoing
    this.#work = work
    this.#known = new LRUCache({ max: 500, ttl: cacheTtlMs })
  }

  async fetch(url: string, owner: string): Promise<PagePreview | null> {
    const cached = this.#known.get(url)
    if (cached !== undefined) return cached.preview
    return await (this.#underWay.get(url) ?? this.#inSlot(owner, (turn) => this.#makeOnce(url, turn)))
  }

  picture(source: PictureSource, convert: typeof shrink, owner: string): Promise<string | null> {
    return this.#inSlot(owner, (turn) => this.#fetchPicture(source, convert, turn))
  }

  /** Makes a preview, or waits for the one under way of the same page. Does not wait for the turn of another owner. */
  async #makeOnce(url: string, turn: Turn): Promise<PagePreview | null> {
    const cached = this.#known.get(url)
    if (cached !== undefined) return cached.preview
    const other = this.#underWay.get(url)
    if (other !== undefined) return await other
    const started = this.#make(url, turn).finally(() => this.#underWay.delete(url))
    this.#underWay.set(url, started)
    const preview = await started
    this.#known.set(url, { preview })
    return preview
  }

  #inSlot<T>(owner: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#work.run('preview', owner, (place) => work({ owner, place }))
  }

  async #make(url: string, turn: Turn): Promise<PagePreview | null> {
    const fetched = await turn.place.lend(
      this.#outgoing.get(url, {
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
        sizeMaxBytes: PAGE_MAX_BYTES,
        timeoutMs: PAGE_TIMEOUT_MS,
        truncate: true,
        owner: turn.owner,
      }),
    )
    if (!isHtml(fetched)) return null
    const page = await readPage(fetched.body, fetched.contentType)
    if (page.title === '') return null
    const image = resolveAddress(page.image, fetched.url)
    const thumbnail = image === undefined ? undefined : await this.#makeThumbnail(image, turn)
    return {
      url,
      title: page.title,
      ...(page.description === '' ? {} : { description: page.description }),
      ...(image === undefined || thumbnail === undefined ? {} : { thumbnail, image }),
    }
  }

  /** Never rejects: a preview without its picture is still a preview. */
  async #makeThumbnail(image: string, turn: Turn): Promise<string | undefined> {
    try {
      return await shrink(await this.#fetchImage(image, turn))
    } catch {
      return undefined
    }
  }

  /** Returns null when the source is no picture that can be read, or too large. */
  async #fetchPicture(source: PictureSource, convert: typeof shrink, turn: Turn): Promise<string | null> {
    const image = source.from === 'url' ? await this.#fetchImage(source.url, turn) : Buffer.from(source.data, 'base64')
    if (image.length > IMAGE_MAX_BYTES) return null
    return (await convert(image).catch(() => undefined)) ?? null
  }

  async #fetchImage(url: string, { owner, place }: Turn): Promise<Buffer> {
    const { body } = await place.lend(
      this.#outgoing.get(url, {
        accept: 'image/jpeg,image/png,image/webp,image/gif;q=0.9',
        sizeMaxBytes: IMAGE_MAX_BYTES,
        timeoutMs: IMAGE_TIMEOUT_MS,
        owner,
      }),
    )
    return body
  }
}

function resolveAddress(image: string, page: string): string | undefined {
  return image !== '' && URL.canParse(image, page) ? new URL(image, page).href : undefined
}

const imageTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

async function shrink(image: Buffer): Promise<string | undefined> {
  const thumbnail = await (await opened(image))
    ?.rotate()
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 70 })
    .timeout({ seconds: 3 })
    .toBuffer()
  return thumbnail === undefined || thumbnail.length > THUMBNAIL_MAX_BYTES ? undefined : thumbnail.toString('base64')
}

async function square(image: Buffer): Promise<string | undefined> {
  const portrait = await (await opened(image))
    ?.rotate()
    .resize(PORTRAIT_PX, PORTRAIT_PX, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 75 })
    .timeout({ seconds: 3 })
    .toBuffer()
  return portrait?.toString('base64')
}

/** Opens a picture by its content, not by the type that the server gives: libvips reads formats (SVG, PDF) that can do more than be a picture. */
async function opened(image: Buffer): Promise<Sharp | undefined> {
  const type = await fileTypeFromBuffer(image)
  if (type === undefined || !imageTypes.has(type.mime)) return undefined
  const picture = await pictureLibrary()
  return picture(image, { limitInputPixels: IMAGE_PIXELS_MAX, failOn: 'error', pages: 1 })
}

function isHtml({ contentType, body }: FetchedBody): boolean {
  if (contentType !== '') return /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType)
  return /^\s*(<!doctype html|<html)/i.test(body.subarray(0, 200).toString('latin1'))
}
