/**
 * Arrays as parameters in PostgreSQL's binary form. A batch carries hundreds of thousands of values; the text form would
 * escape, join and parse each of them again. Text loses its NUL characters here, the one place: PostgreSQL refuses them, and a
 * chat may contain them.
 */

const OID = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, float8: 701 }

export function textArray(values: readonly (string | null | undefined)[]): Buffer {
  let size = HEADER_BYTES
  for (const value of values) size += 4 + (value ? value.length * 3 : 0)
  const buffer = Buffer.allocUnsafe(size)
  let offset = writeHeader(buffer, OID.text, values.length)
  for (const value of values) {
    if (value === null || value === undefined) {
      offset = buffer.writeInt32BE(-1, offset)
      continue
    }
    const clean = value.includes('\0') ? value.replaceAll('\0', '') : value
    const bytes = buffer.write(clean, offset + 4)
    buffer.writeInt32BE(bytes, offset)
    offset += 4 + bytes
  }
  return buffer.subarray(0, offset)
}

export function bytesArray(values: readonly (Uint8Array | null | undefined)[]): Buffer {
  let size = HEADER_BYTES
  for (const value of values) size += 4 + (value?.length ?? 0)
  const buffer = Buffer.allocUnsafe(size)
  let offset = writeHeader(buffer, OID.bytea, values.length)
  for (const value of values) {
    offset = buffer.writeInt32BE(value?.length ?? -1, offset)
    if (value) {
      buffer.set(value, offset)
      offset += value.length
    }
  }
  return buffer
}

export function bigintArray(values: readonly (number | null | undefined)[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * 12)
  let offset = writeHeader(buffer, OID.int8, values.length)
  for (const value of values) {
    if (value === null || value === undefined) {
      offset = buffer.writeInt32BE(-1, offset)
      continue
    }
    offset = buffer.writeInt32BE(8, offset)
    const whole = Math.trunc(value)
    buffer.writeInt32BE(Math.floor(whole / 2 ** 32), offset)
    buffer.writeUInt32BE(whole - Math.floor(whole / 2 ** 32) * 2 ** 32, offset + 4)
    offset += 8
  }
  return buffer.subarray(0, offset)
}

export function intArray(values: readonly (number | null | undefined)[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * 8)
  let offset = writeHeader(buffer, OID.int4, values.length)
  for (const value of values) {
    if (value === null || value === undefined) {
      offset = buffer.writeInt32BE(-1, offset)
      continue
    }
    offset = buffer.writeInt32BE(4, offset)
    offset = buffer.writeInt32BE(Math.trunc(value), offset)
  }
  return buffer.subarray(0, offset)
}

export function boolArray(values: readonly (boolean | null | undefined)[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * 5)
  let offset = writeHeader(buffer, OID.bool, values.length)
  for (const value of values) {
    if (value === null || value === undefined) {
      offset = buffer.writeInt32BE(-1, offset)
      continue
    }
    offset = buffer.writeInt32BE(1, offset)
    offset = buffer.writeUInt8(value ? 1 : 0, offset)
  }
  return buffer.subarray(0, offset)
}

/** Times; written as bigint milliseconds, to be read with `to_timestamp(x / 1000.0)`. */
export function timeArray(values: readonly (Date | null | undefined)[]): Buffer {
  return bigintArray(values.map((value) => value?.getTime()))
}

const HEADER_BYTES = 20

function writeHeader(buffer: Buffer, elementType: number, length: number): number {
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(1, 4)
  buffer.writeInt32BE(elementType, 8)
  buffer.writeInt32BE(length, 12)
  return buffer.writeInt32BE(1, 16)
}
