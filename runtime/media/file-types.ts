/** Types of files, by their bytes and names. */
import path from 'node:path'
import type { FileTypeResult } from 'file-type'

// Bound: 65,536, a name, a type or words of ffmpeg.

/** Type of bytes that are not known. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Pictures that sharp reads and clients do not show in messages. */
export const PICTURES: ReadonlySet<string> = new Set(['image/webp', 'image/gif', 'image/avif', 'image/tiff'])

export function isPicture(found: string | undefined): boolean {
  return found !== undefined && (PICTURES.has(found) || found === 'image/jpeg' || found === 'image/png')
}

/** Containers of videos that clients play. */
export const VIDEOS: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/3gpp', 'video/x-m4v'])

/** Returns true for a video in another container, and for a moving picture. */
export function isOtherVideo(found: string | undefined): boolean {
  return found !== undefined && !VIDEOS.has(found) && (found.startsWith('video/') || OTHER_VIDEOS.has(found))
}

const OTHER_VIDEOS: ReadonlySet<string> = new Set(['image/gif', 'application/vnd.ms-asf', 'application/mxf'])

/** Returns true for a video of which only new devices see more than black. `codecs`: as of `Tracks`. */
export function hasRareCodec(codecs: readonly string[]): boolean {
  return codecs.some((codec) => RARE_CODECS.has(codec))
}

const RARE_CODECS: ReadonlySet<string> = new Set(['<hvc1>', '<hev1>', '<dvh1>', '<dvhe>', '<av01>', '<vp09>', '<vp08>'])

/** Returns true for a video in any container, and for a moving picture: its sound may be all that is asked for. */
export function isVideo(found: string | undefined): boolean {
  return found !== undefined && (VIDEOS.has(found) || isOtherVideo(found))
}

/** Returns true for a picture as iPhones make them, which clients do not show in messages and sharp does not read. */
export function isHeic(found: string | undefined): boolean {
  return found !== undefined && HEIC.has(found)
}

const HEIC: ReadonlySet<string> = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'])

/** Returns true for a sound that all clients play. */
export function isCommonSound(type: FileTypeResult | undefined): boolean {
  return isOpus(type) || COMMON_SOUNDS.has(soundType(type))
}

const COMMON_SOUNDS: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/amr'])
export const VOICE_NOTE = 'audio/ogg; codecs=opus'

export function isAudio(found: string | undefined): boolean {
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

/** Returns the name with the ending of its type, where it has none. `found`: the type by its bytes. */
export function withEnding(name: string, mimetype: string, found: FileTypeResult | undefined): string {
  if (/\.(?=\w*[a-z])\w{1,10}$/i.test(name)) return name
  const type = bareType(mimetype)
  const byType = Object.entries(BY_ENDING).find(([, known]) => known === type)?.[0] ?? ENDINGS[type]
  const ending = byType ?? (found !== undefined && bareType(found.mime) === type ? `.${found.ext}` : '')
  return `${name}${ending}`
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
/** Of types that callers name themselves; the others are found by the bytes. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  [`${OFFICE}.wordprocessingml.document`]: '.docx',
  [`${OFFICE}.spreadsheetml.sheet`]: '.xlsx',
  [`${OFFICE}.presentationml.presentation`]: '.pptx',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'video/mp4': '.mp4',
  'audio/mpeg': '.mp3',
}
