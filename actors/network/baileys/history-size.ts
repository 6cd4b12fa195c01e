/** Limits the cost of a part of the history: any device of an account can announce one, and a few bytes can unpack to gigabytes. */
import { createInflate } from 'node:zlib'

export interface HistoryLimits {
  /** Maximum size as received from the media host or with the message. */
  readonly packedBytesMax: number
  /** Maximum unpacked size: several times that of real parts. */
  readonly bytesMax: number
  /** Maximum number of fields of all messages in it: each becomes an object or a value. */
  readonly fieldsMax: number
}

export const HISTORY_LIMITS: HistoryLimits = {
  packedBytesMax: 32 * 2 ** 20,
  bytesMax: 64 * 2 ** 20,
  fieldsMax: 1_000_000,
}

/** Thrown for a part that no further attempt can read. */
export class UnusablePart extends Error {
  override readonly name = 'UnusablePart'
}

/**
 * Collects a packed part, and unpacks it.
 * @throws UnusablePart when it exceeds a limit or cannot be unpacked; whatever `packed` throws
 */
export async function unpackHistory(
  packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { packedBytesMax, bytesMax, fieldsMax }: HistoryLimits,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of packed) {
    size += chunk.length
    if (size > packedBytesMax) throw new UnusablePart(`It has more than ${packedBytesMax} bytes.`)
    chunks.push(chunk)
  }
  const bytes = await unpacked(Buffer.concat(chunks), bytesMax)
  if (hasMoreFields(bytes, fieldsMax)) throw new UnusablePart(`It has more than ${fieldsMax} fields.`)
  return bytes
}

async function unpacked(packed: Uint8Array, bytesMax: number): Promise<Buffer> {
  const inflate = createInflate()
  inflate.end(packed)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytesMax) throw new UnusablePart(`It unpacks to more than ${bytesMax} bytes.`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof UnusablePart) throw error
    throw new UnusablePart('It cannot be unpacked.', { cause: error })
  }
  return Buffer.concat(chunks)
}

/** Wire types of protobuf. */
const [VARINT, FIXED64, LENGTH, FIXED32] = [0, 1, 2, 5]
/** Maximum depth of counted messages. A deeper one counts as one value; quotes in a history are not as deep. */
const DEPTH_MAX = 12
/** Maximum work of counting: texts and pictures are parsed too, as if they were messages. */
const STEPS_PER_FIELD = 20

/**
 * Returns whether bytes have no control characters but tabs and ends of lines. A message of such bytes has few fields: the length of each is at
 * least 9, or it is a number of two bytes, which costs little.
 */
function isText(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false
  }
  return true
}

/**
 * Returns whether a protobuf has more fields than the maximum, including those of messages in it. Without the schema a picture may
 * look like a message by chance, so the count is too high rather than too low.
 */
export function hasMoreFields(bytes: Uint8Array, fieldsMax: number): boolean {
  let left = fieldsMax
  let steps = STEPS_PER_FIELD * fieldsMax

  /** Counts the fields of bytes that may be a message. If they are not, subtracts the counted fields again. */
  function count(from: number, end: number, depth: number): void {
    const before = left
    let at = from
    const varint = (): number => {
      let value = 0
      for (let shift = 0; shift < 70; shift += 7) {
        const byte = at < end ? (bytes[at++] as number) : -1
        if (byte < 0) return -1
        value += (byte & 0x7f) * 2 ** shift
        if (byte < 0x80) return value
      }
      return -1
    }
    while (at < end && left >= 0 && steps >= 0) {
      const tag = varint()
      if (tag < 8 || tag > 2 ** 32) break
      left -= 1
      steps -= 1
      const type = tag % 8
      if (type === VARINT) {
        if (varint() < 0) break
      } else if (type === FIXED64) at += 8
      else if (type === FIXED32) at += 4
      else if (type === LENGTH) {
        const length = varint()
        if (length < 0 || at + length > end) break
        if (length > 1 && depth < DEPTH_MAX && !isText(bytes, at, at + length)) count(at, at + length, depth + 1)
        at += length
      } else break
      if (at > end) break
      if (at === end) return
    }
    if (left >= 0) left = before
  }

  count(0, bytes.length, 0)
  return left < 0 || steps < 0
}
