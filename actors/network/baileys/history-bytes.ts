/**
 * Takes the contents of messages out of a part of the history, or of an answer of the phone, before the library decodes it. The library drops the fields that it does not know,
 * and refuses the whole part if one message is malformed. So contents are read like those of live messages, from their bytes.
 */
import { readWireFields, type WireField } from './kinds/wire-fields.js'

export interface SplitHistory {
  /** The part without the contents. */
  readonly frame: Uint8Array
  /** Contents of its messages, in its order; undefined for a message that has none. */
  readonly contents: readonly (Uint8Array | undefined)[]
}

/** Fields that lead to a content: `HistorySync.conversations`, `Conversation.messages`, `HistorySyncMsg.message`, `WebMessageInfo.message`. */
const PATH = [2, 2, 1, 2]

/** Maximum number of fields that are read in one message. The part has less in all (`HISTORY_LIMITS`). */
const FIELDS_MAX = 1_000_000

/** Splits one entry (`WebMessageInfo`), as the phone sends it for a message that this device lacks. */
export function splitEntry(entry: Uint8Array): {
  readonly frame: Uint8Array
  readonly content: Uint8Array | undefined
} {
  const contents: (Uint8Array | undefined)[] = []
  const frame = withoutContents(entry, PATH.slice(-1), contents)
  return { frame, content: contents[0] }
}

/** Splits an unpacked part. Leaves what is malformed for the library to refuse. */
export function splitHistory(part: Uint8Array): SplitHistory {
  const contents: (Uint8Array | undefined)[] = []
  return { frame: withoutContents(part, PATH, contents), contents }
}

function withoutContents(
  bytes: Uint8Array,
  [wanted, ...rest]: readonly number[],
  contents: (Uint8Array | undefined)[],
): Uint8Array {
  const isMessage = rest.length === 0
  if (isMessage) contents.push(undefined)
  const parts = readWireFields(bytes, FIELDS_MAX).flatMap((field: WireField) => {
    const { number, value, from, end } = field
    // A field that is cut off is empty, too.
    if (number !== wanted || !(value instanceof Uint8Array) || value.length === 0) return [bytes.subarray(from, end)]
    if (!isMessage) return lengthDelimited(number, withoutContents(value, rest, contents))
    contents[contents.length - 1] = value
    return []
  })
  return Buffer.concat(parts)
}

function lengthDelimited(number: number, value: Uint8Array): [header: Uint8Array, value: Uint8Array] {
  return [Uint8Array.from([...varint(number * 8 + 2), ...varint(value.length)]), value]
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
