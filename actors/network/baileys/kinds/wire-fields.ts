/** One field of an encoded message, as it stands on the wire. */
export interface WireField {
  readonly number: number
  /** A number, or the bytes of a text, bytes, message or fixed-size field. */
  readonly value: number | Uint8Array
  /** Its place in the encoded message, with its tag. */
  readonly from: number
  readonly end: number
}

/** Wire types of protobuf. */
const [VARINT, FIXED64, LENGTH, FIXED32] = [0, 1, 2, 5]
const FIELD_NUMBER_MAX = 2 ** 29 - 1

/**
 * Reads the fields of an encoded message without a schema, up to a maximum number. Never throws: of malformed bytes it returns the fields
 * before that place, and the field that is malformed with an empty value.
 */
export function readWireFields(bytes: Uint8Array, fieldsMax: number): readonly WireField[] {
  const fields: WireField[] = []
  let at = 0
  while (at < bytes.length) {
    const from = at
    const tag = varint()
    const number = Math.floor(tag / 8)
    if (number < 1 || number > FIELD_NUMBER_MAX || fields.length >= fieldsMax) return fields
    const value = readValue(tag % 8)
    if (value === null) {
      fields.push({ number, value: new Uint8Array(), from, end: bytes.length })
      return fields
    }
    fields.push({ number, value, from, end: at })
  }
  return fields

  function readValue(type: number): number | Uint8Array | null {
    if (type === VARINT) {
      const value = varint()
      return value < 0 ? null : value
    }
    const length = type === LENGTH ? varint() : type === FIXED64 ? 8 : type === FIXED32 ? 4 : -1
    if (length < 0 || at + length > bytes.length) return null
    at += length
    return bytes.subarray(at - length, at)
  }

  /** Returns -1 at the end of the bytes, or if the number is longer than 64 bits. */
  function varint(): number {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) return -1
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    return -1
  }
}
