import { BufferJSON, proto } from '@whiskeysockets/baileys'

/** The first byte of a stored key says how the rest is to be read. */
const RAW = 0
const JSON_TEXT = 1

/** Bytes for the store; whatever kinds of keys the library has, now and later. */
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
 * The value that `encodeKey` was given; byte arrays come back as Buffers.
 * App-state keys become messages by `fromObject`; `create` gives empty bytes and an endless resync (evolution-api PR 2685).
 */
export function decodeKey(kind: string, bytes: Uint8Array): unknown {
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.length - 1)
  if (bytes[0] === RAW) return rest
  const value: unknown = JSON.parse(rest.toString('utf8'), BufferJSON.reviver)
  return kind === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
}
