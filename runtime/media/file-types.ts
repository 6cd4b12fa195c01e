/** Types of files, by their bytes and names. */
import path from 'node:path'
import type { FileTypeResult } from 'file-type'

/** Type of bytes that are not known. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Pictures that sharp reads and clients do not show in messages. */
export const PICTURES: ReadonlySet<string> = new Set(['image/webp', 'image/gif', 'image/avif', 'image/tiff'])

export function isPicture(found: string | undefined): boolean {
  return found !== undefined && (PICTURES.has(found) || found === 'image/jpeg' || found === 'image/png')
}

/** Films that clients play. */
export const VIDEOS: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/3gpp', 'video/x-m4v'])
export const VOICE_NOTE = 'audio/ogg; codecs=opus'

export function isSound(found: string | undefined): boolean {
  return found !== undefined && (found.startsWith('audio/') || found === 'application/ogg')
}

export function isOpus(type: FileTypeResult | undefined): boolean {
  return type?.ext === 'opus' || /^audio\/ogg;\s*codecs=opus$/.test(type?.mime ?? '')
}

export function soundType(type: FileTypeResult | undefined): string {
  if (isOpus(type)) return VOICE_NOTE
  // Clients know these types by one name only.
  const known: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', m4a: 'audio/mp4', ogg: 'audio/ogg' }
  return known[type?.ext ?? ''] ?? bareType(type?.mime ?? UNKNOWN_TYPE)
}

/** Types of documents that cannot be found by their bytes: texts, for example. */
const BY_ENDING: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.html': 'text/html',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.ics': 'text/calendar',
  '.doc': 'application/msword',
  '.xls': 'application/vnd.ms-excel',
  '.ppt': 'application/vnd.ms-powerpoint',
}

export function typeOfName(name: string): string | undefined {
  return BY_ENDING[path.extname(name).toLowerCase()]
}

export function bareType(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? ''
}
