/** Messages as their bytes, for what the library has no fields for: kinds that are newer than it, and bytes that are no message. */
import { proto } from '@whiskeysockets/baileys'

const rawBytes = new WeakMap<object, Uint8Array>()
const receivedBytes = new WeakMap<object, Uint8Array>()

/** A message that is sent as these bytes. The phone that sends it shows of it what it can read. */
export function rawMessage(bytes: Uint8Array): proto.IMessage {
  const message = decodeMessage(bytes)
  rawBytes.set(message, bytes)
  return message
}

export function isRaw(message: proto.IMessage): boolean {
  return rawBytes.has(message)
}

export function encodeMessage(message: proto.IMessage): Uint8Array {
  const copied = message.deviceSentMessage?.message ?? undefined
  const [raw, rawCopy] = [rawBytes.get(message), copied === undefined ? undefined : rawBytes.get(copied)]
  if (raw !== undefined) return raw
  if (rawCopy === undefined) return proto.Message.encode(message as proto.Message).finish()
  // The copy for an own device: the message stands in field 2 of field 31.
  const { deviceSentMessage, ...beside } = message
  const around = proto.Message.DeviceSentMessage.encode({ ...deviceSentMessage, message: null }).finish()
  const copy = Buffer.concat([around, field(2, rawCopy)])
  return Buffer.concat([proto.Message.encode(beside).finish(), field(31, copy)])
}

/** Puts fields behind a message that may be raw. */
export function withFields(message: proto.IMessage, fields: proto.IMessage): proto.IMessage {
  const raw = rawBytes.get(message)
  if (raw === undefined) return { ...message, ...fields }
  const joined = { ...message, ...fields }
  rawBytes.set(joined, Buffer.concat([raw, proto.Message.encode(fields).finish()]))
  return joined
}

/** Version 3 and version 6 of a poll have the same form. The library knows only the first. */
const [POLL_V3, POLL_V6] = [64, 119]

/** Decodes a message as a present phone does: the newest version of polls too. Of bytes that are no message a phone shows nothing. */
export function decodeMessage(bytes: Uint8Array): proto.Message {
  const message = decoded(bytes)
  receivedBytes.set(message, bytes)
  return message
}

function decoded(bytes: Uint8Array): proto.Message {
  try {
    return proto.Message.decode(renumbered(bytes, POLL_V6, POLL_V3))
  } catch {
    return proto.Message.create()
  }
}

/** The bytes of a received message of which the library has not read everything; undefined for any other. */
export function unreadBytes(message: proto.IMessage): Uint8Array | undefined {
  const bytes = receivedBytes.get(message)
  if (bytes === undefined) return undefined
  return proto.Message.encode(message as proto.Message).finish().length < bytes.length ? bytes : undefined
}

/** A poll in version 6, in which a phone writes one whose options readers may add to (field 11). */
export function asNewestPoll(message: proto.IMessage): proto.IMessage {
  const { pollCreationMessageV3, ...beside } = message
  const poll = proto.Message.PollCreationMessage.encode(pollCreationMessageV3 ?? {}).finish()
  const extended = Buffer.concat([poll, varint(11 * 8), varint(1)])
  return rawMessage(Buffer.concat([proto.Message.encode(beside).finish(), field(POLL_V6, extended)]))
}

function renumbered(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  const number = (): number => {
    let value = 0
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++] as number
      value += (byte & 127) * factor
      if (byte < 128) break
    }
    return value
  }
  while (at < bytes.length) {
    const start = at
    const tag = number()
    const valueAt = at
    if (tag % 8 === 0) number()
    else if (tag % 8 === 2) at = number() + at
    else return bytes
    const isIt = Math.floor(tag / 8) === from
    parts.push(
      isIt ? Buffer.concat([varint(to * 8 + (tag % 8)), bytes.subarray(valueAt, at)]) : bytes.subarray(start, at),
    )
  }
  return Buffer.concat(parts)
}

export function field(number: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
