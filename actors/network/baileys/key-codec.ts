import { createHash } from 'node:crypto'
import { BufferJSON, proto } from '@whiskeysockets/baileys'
import type { MessageId } from '../../../schemas/ids.js'

/** Values of the first byte of a stored key, which names the form of the rest. */
const RAW = 0
const JSON_TEXT = 1

/** Encodes a key for the store. Works for all present and later kinds of keys of the library. */
export function encodeKey(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) {
    const bytes = new Uint8Array(value.length + 1)
    bytes[0] = RAW
    bytes.set(value, 1)
    return bytes
  }
  const text = Buffer.from(JSON.stringify(value, BufferJSON.replacer), 'utf8')
  const bytes = new Uint8Array(text.length + 1)
  bytes[0] = JSON_TEXT
  bytes.set(text, 1)
  return bytes
}

/**
 * Decodes a stored key. Byte arrays become Buffers. Uses `fromObject` for app-state keys: `create` gives empty bytes and an endless resync
 * (evolution-api PR 2685).
 */
export function decodeKey(kind: string, bytes: Uint8Array): unknown {
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.length - 1)
  if (bytes[0] === RAW) return rest
  // Bound: 65,536, 5,000 values, a key or session of Signal.
  const value: unknown = JSON.parse(rest.toString('utf8'), BufferJSON.reviver)
  return kind === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
}

const LENGTH_MAX = 200

/**
 * Returns the id under which a message is stored. The sender's client chooses the id, and the store would refuse one that does not fit into an
 * index, again and again. Shortens longer ids, which no known client makes, each always to the same.
 */
export function toMessageId(id: string): MessageId {
  if (id.length <= LENGTH_MAX) return id as MessageId
  return `${id.slice(0, 64)}~${createHash('sha256').update(id).digest('hex')}` as MessageId
}
