/** Links to files of messages. They cannot be forged, and they end. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { filesInContent } from '../../schemas/files-in-content.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { FileVariant } from '../../schemas/ports/media.js'

// Bound: 16,384, the target of a request.

export interface FilePlace {
  readonly instance: InstanceId
  /** The internal id of the message: `r` and hex digits. */
  readonly record: string
  readonly variant: FileVariant
}

export interface FileLinks {
  /** The path of a link that works until so long after `fromMs`. */
  pathTo(place: FilePlace, fromMs: number): string
  /** Finds the file of a link by the last three parts of its path. Returns null when the link is not ours, or has ended. */
  findPlace(instance: string, file: string, proof: string): FilePlace | null
  /** The path for a message record that has a file, else an empty text. */
  pathOfRecord(instance: InstanceId, record: Readonly<Record<string, unknown>>, fromMs: number): string
}

/** Types of messages that have a file. Of others, only menus have files. */
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

/** `secret` is the same on all nodes, so that any of them knows the links of the others. */
export function createFileLinks(options: { secret: string; lifeMs: number; now?: () => number }): FileLinks {
  const { secret, lifeMs, now = Date.now } = options
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'links to files of messages', 32))
  const signPath = (path: string): Buffer => createHmac('sha256', key).update(path).digest().subarray(0, 18)

  function pathTo({ instance, record, variant }: FilePlace, fromMs: number): string {
    const ends = Math.ceil((fromMs + lifeMs) / 1_000).toString(36)
    const path = `${instance}/${fileName(record, variant)}/${ends}`
    return `/media/${path}.${signPath(path).toString('base64url')}`
  }

  return {
    pathTo,
    findPlace(instance, file, proof) {
      const [ends = '', given = ''] = proof.split('.')
      const wanted = signPath(`${instance}/${file}/${ends}`)
      const shown = Buffer.from(given, 'base64url')
      if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) return null
      if (Number.parseInt(ends, 36) * 1_000 < now()) return null
      const [record = '', variant = 'own'] = file.split('.') as [string, FileVariant?]
      return { instance: instance as InstanceId, record, variant }
    },
    pathOfRecord(instance, { id, messageType, type, mediaType, content, status }, fromMs) {
      const isMenu = messageType === 'button' || type === 'templateMessage'
      if (!(isMenu || MEDIA_TYPES.has(mediaType)) || status === 'deleted') return ''
      const { isOwn, cards } = filesInContent(content)
      const [card] = cards
      if (!isOwn && card === undefined) return ''
      return pathTo({ instance, record: String(id), variant: isOwn ? 'own' : `card${Number(card)}` }, fromMs)
    },
  }
}

/** Returns the name of a file in a link and in the storage. */
export function fileName(record: string, variant: FileVariant): string {
  return variant === 'own' ? record : `${record}.${variant}`
}
