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
