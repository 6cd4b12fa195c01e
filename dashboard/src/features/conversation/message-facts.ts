/** What the content of a message says of its file and of its link. Strangers wrote it: each value is checked before it is used. */
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'

export interface FileFacts {
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  readonly bytes: number | null
  readonly fileName: string
  readonly thumbnail: string | null
  /** Loudness of a voice message over its time, from 0 to 1; empty if it is not known. */
  readonly waveform: readonly number[]
  readonly isOnce: boolean
}

const THUMBNAIL_MAX = 100_000
const WAVEFORM_MAX = 400

export function readFacts({ content }: Pick<Message, 'content'>): FileFacts {
  const { width, height, seconds, fileLength, fileName, waveform, viewOnce } = isObject(content) ? content : {}
  return {
    width: readPositive(width),
    height: readPositive(height),
    seconds: readPositive(seconds),
    bytes: readPositive(fileLength),
    fileName: typeof fileName === 'string' ? fileName : '',
    thumbnail: readThumbnail(content),
    waveform: readWaveform(waveform),
    isOnce: viewOnce === true,
  }
}

/** Returns the small picture of a content as an address; null if it has none. Always drawn as a JPEG, whatever it is. */
export function readThumbnail(content: unknown): string | null {
  const { JPEGThumbnail, jpegThumbnail } = isObject(content) ? content : {}
  const small = jpegThumbnail ?? JPEGThumbnail
  return typeof small === 'string' && small.length < THUMBNAIL_MAX && /^\/9j\/[A-Za-z0-9+/=]+$/.test(small)
    ? `data:image/jpeg;base64,${small}`
    : null
}

export interface LinkFacts {
  readonly href: string
  readonly host: string
  readonly title: string
  readonly description: string
  readonly thumbnail: string | null
}

const TITLE_MAX = 200
const DESCRIPTION_MAX = 300

/** Returns the preview of a link that its sender made; null if there is none. Nothing of it is fetched. */
export function readLink({ content, messageType }: Pick<Message, 'content' | 'messageType'>): LinkFacts | null {
  if (messageType !== 'text' || !isObject(content)) return null
  const { matchedText, canonicalUrl, title, description } = content
  const address = [matchedText, canonicalUrl].find((one) => typeof one === 'string' && one !== '')
  const text = (value: unknown, max: number) => (typeof value === 'string' ? value.slice(0, max) : '')
  if (typeof address !== 'string' || text(title, TITLE_MAX) === '') return null
  const url = parseUrl(/^https?:\/\//i.test(address) ? address : `https://${address}`)
  if (url === null) return null
  return {
    href: url.href,
    host: url.host,
    title: text(title, TITLE_MAX),
    description: text(description, DESCRIPTION_MAX),
    thumbnail: readThumbnail(content),
  }
}

function parseUrl(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null
  }
}

/** Returns the ids that a message mentions. */
export function listMentions(content: unknown): readonly string[] {
  const info = isObject(content) && isObject(content.contextInfo) ? content.contextInfo : {}
  const ids = info.mentionedJID ?? info.mentionedJid
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string').slice(0, 1_100) : []
}

/** Returns a length as players show it, such as `1:05`. */
export function formatLength(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function readWaveform(value: unknown): readonly number[] {
  if (typeof value !== 'string' || value.length === 0 || value.length > WAVEFORM_MAX) return []
  try {
    return [...atob(value)].map((letter) => Math.min(1, letter.charCodeAt(0) / 100))
  } catch {
    return []
  }
}

function readPositive(value: unknown): number | null {
  const number = Number(value)
  return value !== null && Number.isFinite(number) && number > 0 ? number : null
}
