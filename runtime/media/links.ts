/** Addresses under which files of messages are given: nobody can make one up, and they end. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { InstanceId } from '../../schemas/ids.js'

/** Which file of a message: its own, that as MP3, or that of the message which it quotes. */
export type FileVariant = 'own' | 'mp3' | 'quoted'

export interface FilePlace {
  readonly instance: InstanceId
  /** The internal id of the message: `r` and hex digits. */
  readonly record: string
  readonly variant: FileVariant
}

export interface FileLinks {
  /** The path of a link that works until so long after `fromMs`. */
  pathTo(place: FilePlace, fromMs: number): string
  /** Where a link leads, by the last three parts of its path; null when it is none of ours, or has ended. */
  placeOf(instance: string, file: string, proof: string): FilePlace | null
  /** The path for a message record that has a file, else an empty text. */
  pathOfRecord(instance: InstanceId, record: Readonly<Record<string, unknown>>, fromMs: number): string
}

const MEDIA_TYPES: ReadonlySet<unknown> = new Set([
  'image',
  'video',
  'gif',
  'ptv',
  'audio',
  'ptt',
  'document',
  'sticker',
])
const ENDINGS: Readonly<Record<FileVariant, string>> = { own: '', mp3: '.mp3', quoted: '.quoted' }

/** `secret` is the same on all nodes, so that any of them knows the links of the others. */
export function createFileLinks(options: { secret: string; lifeMs: number; now?: () => number }): FileLinks {
  const { secret, lifeMs, now = Date.now } = options
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'links to files of messages', 32))
  const proofOf = (path: string): Buffer => createHmac('sha256', key).update(path).digest().subarray(0, 18)

  function pathTo({ instance, record, variant }: FilePlace, fromMs: number): string {
    const ends = Math.ceil((fromMs + lifeMs) / 1_000).toString(36)
    const path = `${instance}/${record}${ENDINGS[variant]}/${ends}`
    return `/media/${path}.${proofOf(path).toString('base64url')}`
  }

  return {
    pathTo,
    placeOf(instance, file, proof) {
      const [ends = '', given = ''] = proof.split('.')
      const wanted = proofOf(`${instance}/${file}/${ends}`)
      const shown = Buffer.from(given, 'base64url')
      if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) return null
      if (Number.parseInt(ends, 36) * 1_000 < now()) return null
      const dot = file.indexOf('.')
      const variant = file.endsWith(ENDINGS.mp3) ? 'mp3' : file.endsWith(ENDINGS.quoted) ? 'quoted' : 'own'
      return { instance: instance as InstanceId, record: dot < 0 ? file : file.slice(0, dot), variant }
    },
    pathOfRecord(instance, { id, mediaType, content, status }, fromMs) {
      if (!MEDIA_TYPES.has(mediaType) || status === 'deleted' || !hasFile(content)) return ''
      return pathTo({ instance, record: String(id), variant: 'own' }, fromMs)
    },
  }
}

function hasFile(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return false
  const { mediaKey, directPath, url } = content as Record<string, unknown>
  return Boolean(mediaKey && (directPath || url))
}
