/** What a chat shows of a linked page: title, description and a small picture, fetched through the guard. */
import { fileTypeFromBuffer } from 'file-type'
import { LRUCache } from 'lru-cache'
import sharp, { type Sharp } from 'sharp'
import type { PictureSource } from '../../schemas/choices/menu.js'
import { GatewayError } from '../../schemas/errors.js'
import { createOwnerTurns } from '../../schemas/owner-turns.js'
import type { PagePreview } from '../../schemas/ports/media.js'
import type { FetchedBody, Outgoing } from './client.js'
import { readPage } from './page.js'

export interface LinkPreviewOptions {
  readonly outgoing: Pick<Outgoing, 'get'>
  /** How long a page's preview is told from memory. Default 5 min. */
  readonly cacheTtlMs?: number
  /** Pages and pictures fetched at once for one instance; default 4. */
  readonly perOwnerMax?: number
  /** Called for each fetch that is refused because too many of its owner wait. */
  readonly onRefused?: () => void
}

/** The port `LinkPreviews` of the API. `owner`: the instance that asks. */
export interface LinkPreviewFetcher {
  /**
   * Null when the page gives no title. Takes 8 s at most.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED
   */
  fetch(url: string, owner?: string): Promise<PagePreview | null>
  /**
   * The small picture of what a caller gave, as JPEG in base64; null when it is none, or too large. Takes 8 s at most.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED
   */
  picture(source: PictureSource, owner?: string): Promise<string | null>
  /** The same as a square that clients show for a group: JPEG of 640 by 640 pixels, in base64. */
  portrait(source: PictureSource, owner?: string): Promise<string | null>
}

const PAGE_MAX_BYTES = 512 * 1024
const PAGE_TIMEOUT_MS = 4000
const IMAGE_MAX_BYTES = 5 * 1024 * 1024
/** Decoded, it takes some 4 bytes of each, on each of the few threads that decode. */
const IMAGE_PIXELS_MAX = 16_000_000
const IMAGE_TIMEOUT_MS = 4000
/** Official clients carry a JPEG of this order inside the message; larger pictures are uploaded instead. */
const THUMBNAIL_PX = 192
const THUMBNAIL_MAX_BYTES = 24 * 1024
/** What the network's clients upload for groups and profiles. */
const PORTRAIT_PX = 640
const FETCHES_MAX = 32
const OWNER_FETCHES_MAX = 4
const OWNER_WAITING_MAX = 100

export function createLinkPreviews(options: LinkPreviewOptions): LinkPreviewFetcher {
  const { outgoing, cacheTtlMs = 300_000, perOwnerMax = OWNER_FETCHES_MAX, onRefused } = options
  const known = new LRUCache<string, { preview: PagePreview | null }>({ max: 500, ttl: cacheTtlMs })
  const underWay = new Map<string, Promise<PagePreview | null>>()
  const waiting: (() => void)[] = []
  let active = 0
  const turns = createOwnerTurns({ max: perOwnerMax, waitingMax: OWNER_WAITING_MAX }, () => {
    onRefused?.()
    return new GatewayError('RATE_LIMITED', {
      message: 'The instance fetches too many pages and pictures at once.',
      retryAfterSeconds: 5,
    })
  })

  return {
    fetch,
    picture: (source, owner = '') => bounded(owner, () => pictureOf(source, shrink, owner)),
    portrait: (source, owner = '') => bounded(owner, () => pictureOf(source, square, owner)),
  }

  async function fetch(url: string, owner = ''): Promise<PagePreview | null> {
    const cached = known.get(url)
    if (cached !== undefined) return cached.preview
    return await (underWay.get(url) ?? bounded(owner, () => makeOnce(url, owner)))
  }

  /** Whoever wants the same page waits for its answer, not for the turn of another owner. */
  async function makeOnce(url: string, owner: string): Promise<PagePreview | null> {
    const cached = known.get(url)
    if (cached !== undefined) return cached.preview
    const other = underWay.get(url)
    if (other !== undefined) return await other
    const started = make(url, owner).finally(() => underWay.delete(url))
    underWay.set(url, started)
    const preview = await started
    known.set(url, { preview })
    return preview
  }

  function bounded<T>(owner: string, work: () => Promise<T>): Promise<T> {
    return turns.run(owner, () => inTurn(work))
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (active < FETCHES_MAX) active += 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) active -= 1
      else next()
    }
  }

  async function make(url: string, owner: string): Promise<PagePreview | null> {
    const fetched = await outgoing.get(url, {
      accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
      sizeMaxBytes: PAGE_MAX_BYTES,
      timeoutMs: PAGE_TIMEOUT_MS,
      truncate: true,
      owner,
    })
    if (!isHtml(fetched)) return null
    const page = readPage(fetched.body, fetched.contentType)
    if (page.title === '') return null
    const image = addressOf(page.image, fetched.url)
    const thumbnail = image === undefined ? undefined : await thumbnailOf(image, owner)
    return {
      url,
      title: page.title,
      ...(page.description === '' ? {} : { description: page.description }),
      ...(image === undefined || thumbnail === undefined ? {} : { thumbnail, image }),
    }
  }

  // A preview without its picture is still a preview, so nothing that is wrong with the picture is an error.
  async function thumbnailOf(image: string, owner: string): Promise<string | undefined> {
    try {
      return await shrink(await fetchImage(image, owner))
    } catch {
      return undefined
    }
  }

  async function pictureOf(source: PictureSource, convert: typeof shrink, owner: string): Promise<string | null> {
    const image = source.from === 'url' ? await fetchImage(source.url, owner) : Buffer.from(source.data, 'base64')
    if (image.length > IMAGE_MAX_BYTES) return null
    // What cannot be read is none.
    return (await convert(image).catch(() => undefined)) ?? null
  }

  async function fetchImage(url: string, owner: string): Promise<Buffer> {
    const { body } = await outgoing.get(url, {
      accept: 'image/jpeg,image/png,image/webp,image/gif;q=0.9',
      sizeMaxBytes: IMAGE_MAX_BYTES,
      timeoutMs: IMAGE_TIMEOUT_MS,
      owner,
    })
    return body
  }
}

function addressOf(image: string, page: string): string | undefined {
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

/** By content, not by what the server says: libvips reads formats (SVG, PDF) that can do more than be a picture. */
async function opened(image: Buffer): Promise<Sharp | undefined> {
  const type = await fileTypeFromBuffer(image)
  if (type === undefined || !imageTypes.has(type.mime)) return undefined
  return sharp(image, { limitInputPixels: IMAGE_PIXELS_MAX, failOn: 'error', pages: 1 })
}

function isHtml({ contentType, body }: FetchedBody): boolean {
  if (contentType !== '') return /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType)
  return /^\s*(<!doctype html|<html)/i.test(body.subarray(0, 200).toString('latin1'))
}
