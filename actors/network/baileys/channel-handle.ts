/**
 * The handle that a media host gives to a file for a channel. The stanza of the post must name it, also when the post leaves again after a crash,
 * so it is stored behind the encoded message: as a field of a number that messages do not have. It is taken off before the message leaves.
 */

/** Number of the field. Those of messages are below 1,000. */
const FIELD = 536_870_000
const TAG = Buffer.from(varint(FIELD * 8 + 2))
const HANDLE_MAX = 500

/** Appends the handle to an encoded message. */
export function withHandle(encoded: Uint8Array, handle: string): Uint8Array {
  const text = Buffer.from(handle.slice(0, HANDLE_MAX), 'utf8')
  // The length stands behind the text as well, so that it is found from the end.
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([encoded, TAG, Buffer.from(varint(text.length + 2)), text, length])
}

/** Takes the handle off. Returns null in its place if there is none. */
export function readHandle(bytes: Uint8Array): { readonly encoded: Uint8Array; readonly handle: string | null } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < TAG.length + 3) return { encoded: bytes, handle: null }
  const length = buffer.readUInt16BE(buffer.length - 2)
  const textStart = buffer.length - 2 - length
  const start = textStart - varint(length + 2).length - TAG.length
  if (start < 0 || length > HANDLE_MAX * 4 || !buffer.subarray(start, start + TAG.length).equals(TAG))
    return { encoded: bytes, handle: null }
  return { encoded: bytes.subarray(0, start), handle: buffer.toString('utf8', textStart, textStart + length) }
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))]
}
