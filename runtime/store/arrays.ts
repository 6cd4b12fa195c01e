/**
 * Arrays as parameters in PostgreSQL's binary form. A batch carries hundreds of thousands of values; the text form would
 * escape, join and parse each of them again. Text loses its NUL characters here, and by `withoutNul` where it is no array: PostgreSQL refuses
 * them, and a chat may contain them.
 */

const OID = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, float8: 701 }

export function textArray(values: readonly (string | null | undefined)[]): Buffer {
  // UTF-8 takes at most three bytes for each unit of UTF-16.
  let sizeMax = HEADER_BYTES
  for (const value of values) sizeMax += 4 + (value ? value.length * 3 : 0)
  const { buffer, start } = room(sizeMax)
  let offset = writeHeader(buffer, start, OID.text, values.length)
  for (const value of values) {
    if (!value) {
      offset = buffer.writeInt32BE(value === '' ? 0 : -1, offset)
      continue
    }
    const bytes = buffer.write(withoutNul(value), offset + 4)
    buffer.writeInt32BE(bytes, offset)
    offset += 4 + bytes
  }
  return taken(offset)
}

/** Returns a text that PostgreSQL takes as a parameter by itself. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

export function bytesArray(values: readonly (Uint8Array | null | undefined)[]): Buffer {
  let size = HEADER_BYTES
  for (const value of values) size += 4 + (value?.length ?? 0)
  const { buffer, start } = room(size)
  let offset = writeHeader(buffer, start, OID.bytea, values.length)
  for (const value of values) {
    offset = buffer.writeInt32BE(value?.length ?? -1, offset)
    if (value) {
      buffer.set(value, offset)
      offset += value.length
    }
  }
  return taken(offset)
}

const { MAX_SAFE_INTEGER: BIG_MAX } = Number

export function bigintArray(values: readonly (number | null | undefined)[]): Buffer {
  const { buffer, start } = room(HEADER_BYTES + values.length * 12)
  let offset = writeHeader(buffer, start, OID.int8, values.length)
  for (const value of values) {
    if (value === null || value === undefined) {
      offset = buffer.writeInt32BE(-1, offset)
      continue
    }
    offset = buffer.writeInt32BE(8, offset)
    // A number for which there is no room would fail the commit, with all that is in it, and again at each attempt.
    const whole = Math.max(-BIG_MAX, Math.min(BIG_MAX, Math.trunc(value) || 0))
    buffer.writeInt32BE(Math.floor(whole / 2 ** 32), offset)
    buffer.writeUInt32BE(whole - Math.floor(whole / 2 ** 32) * 2 ** 32, offset + 4)
    offset += 8
  }
  return taken(offset)
}

export function intArray(values: readonly (number | null | undefined)[]): Buffer {
  const { buffer, start } = room(HEADER_BYTES + values.length * 8)
  let offset = writeHeader(buffer, start, OID.int4, values.length)
  for (const value of values) {
    if (value === null || value === undefined) {
      offset = buffer.writeInt32BE(-1, offset)
      continue
    }
    offset = buffer.writeInt32BE(4, offset)
    offset = buffer.writeInt32BE(Math.trunc(value), offset)
  }
  return taken(offset)
}

export function boolArray(values: readonly (boolean | null | undefined)[]): Buffer {
  const { buffer, start } = room(HEADER_BYTES + values.length * 5)
  let offset = writeHeader(buffer, start, OID.bool, values.length)
  for (const value of values) {
    if (value === null || value === undefined) {
      offset = buffer.writeInt32BE(-1, offset)
      continue
    }
    offset = buffer.writeInt32BE(1, offset)
    offset = buffer.writeUInt8(value ? 1 : 0, offset)
  }
  return taken(offset)
}

/** Times; written as bigint milliseconds, to be read with `to_timestamp(x / 1000.0)`. */
export function timeArray(values: readonly (Date | null | undefined)[]): Buffer {
  return bigintArray(values.map((value) => value?.getTime()))
}

const HEADER_BYTES = 20

function writeHeader(buffer: Buffer, start: number, elementType: number, length: number): number {
  buffer.writeInt32BE(1, start)
  buffer.writeInt32BE(1, start + 4)
  buffer.writeInt32BE(elementType, start + 8)
  buffer.writeInt32BE(length, start + 12)
  return buffer.writeInt32BE(1, start + 16)
}

/**
 * A statement has thirty arrays, most of them small, of which the size is known only when they are written: they are cut one after the
 * other from a large piece, which goes with the last of them. A part that was taken is never written again.
 */
const PIECE_BYTES = 64 * 2 ** 10
let piece = Buffer.alloc(0)
let takenBytes = 0

function room(bytesMax: number): { readonly buffer: Buffer; readonly start: number } {
  if (piece.length - takenBytes < bytesMax) {
    piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytesMax))
    takenBytes = 0
  }
  return { buffer: piece, start: takenBytes }
}

/** Returns the bytes that were written up to `end`. */
function taken(end: number): Buffer {
  const bytes = piece.subarray(takenBytes, end)
  takenBytes = end
  return bytes
}
