/** One field of an encoded message that the library has no type for. */
export interface ProtobufField {
  readonly number: number
  /** A number, or the bytes of a text, bytes or message field. */
  readonly value: number | Uint8Array
}

/** Reads the fields of a message. @throws Error when the bytes are no message, or have fields of other wire types */
export function protobufFields(bytes: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = []
  let offset = 0
  while (offset < bytes.length) {
    const tag = varint()
    if ((tag & 7) === 0) {
      fields.push({ number: tag >>> 3, value: varint() })
      continue
    }
    if ((tag & 7) !== 2) throw new Error('The message has a field of an unknown type.')
    const end = varint() + offset
    if (end > bytes.length) throw new Error('The message ends within a field.')
    fields.push({ number: tag >>> 3, value: bytes.subarray(offset, end) })
    offset = end
  }
  return fields

  function varint(): number {
    let value = 0
    for (let factor = 1; factor < 2 ** 56; factor *= 128) {
      const byte = bytes[offset++]
      if (byte === undefined) throw new Error('The message ends within a number.')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new Error('A number in the message is too large.')
  }
}

/** Returns the last value of a field of bytes. Returns undefined if there is none, and for bytes that are no message. */
export function findBytesField(bytes: Uint8Array, wanted: number): Uint8Array | undefined {
  return findBytesFields(bytes, wanted).at(-1)
}

/** Returns the values of a field of bytes, without reading what is in the other fields. Returns none for bytes that are no message. */
export function findBytesFields(bytes: Uint8Array, wanted: number): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  let offset = 0
  while (offset < bytes.length) {
    const tag = varint()
    if (tag === undefined) return []
    const type = tag % 8
    if (type === 0) {
      if (varint() === undefined) return []
    } else if (type === 1) offset += 8
    else if (type === 5) offset += 4
    else if (type === 2) {
      const length = varint()
      if (length === undefined || offset + length > bytes.length) return []
      if (Math.floor(tag / 8) === wanted) found.push(bytes.subarray(offset, offset + length))
      offset += length
    } else return []
  }
  return offset === bytes.length ? found : []

  function varint(): number | undefined {
    let value = 0
    for (let factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = bytes[offset++]
      if (byte === undefined) return undefined
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    return undefined
  }
}
