/**
 * Reads a decrypted or stored message: with the library, and what the library does not know with the table of newer fields. The library drops
 * unknown fields, so whoever stores a message stores its bytes, and reads them here.
 */
import { proto } from '@whiskeysockets/baileys'
import { hasMoreFields } from '../history-size.js'
import {
  type FieldEntry,
  type FieldType,
  isKnownField,
  MISREAD,
  TYPES,
  type TypeEntry,
  type TypeName,
} from './newer-fields.js'
import { readWireFields, type WireField } from './wire-fields.js'

/** Parts of one message that are not understood. */
export interface Unread {
  /** Numbers of the fields that no schema has, in order, up to a maximum; of a malformed message, all that were found. */
  readonly fields: readonly number[]
  /** True if the bytes are no message. Nothing of them was read. */
  readonly isMalformed: boolean
}

type Values = Record<string, unknown>

/** Maximum number of fields that are read in one message, with its wrappers. Clients write less than a hundred. */
const FIELDS_MAX = 2_000
/** Maximum of fields of a message, with those inside of others. A text of 65,536 letters looks like half as many by chance. */
const ALL_FIELDS_MAX = 40_000
/** Maximum depth of messages within messages. Real ones have up to four wrappers. */
const DEPTH_MAX = 12
/** Maximum number of unknown fields that are reported. */
const UNKNOWN_MAX = 20
const LIST_MAX = 1_024
/** Greatest number of a field that is a label of its own. */
const LABEL_MAX = 255

/** Number of the wrapper that hides a message until the reader taps it. */
const SPOILER = 118

const NEWER_WRAPPERS = Object.values(TYPES.Message as TypeEntry).flatMap(({ name, type }) =>
  type === 'FutureProof' ? [name] : [],
)

const unreadFields = new WeakMap<object, Unread>()

/** Returns what was not understood of a message that `readMessage` returned, or of a message within it; undefined if everything was. */
export function findUnread(message: proto.IMessage): Unread | undefined {
  return unreadFields.get(message)
}

/** Returns what was not understood of a message and of the messages in its wrappers, as labels of a metric: numbers, `malformed` or `empty`. */
export function unreadKinds(message: proto.IMessage): readonly string[] {
  const kinds = new Set<string>()
  let isEmpty = true
  for (let depth = 0, inner: unknown = message; isObject(inner) && depth < DEPTH_MAX; depth += 1) {
    const unread = unreadFields.get(inner)
    if (unread?.isMalformed) return ['malformed']
    for (const number of unread?.fields ?? []) kinds.add(number <= LABEL_MAX ? String(number) : 'high')
    const values: unknown[] = Object.values(inner)
    isEmpty &&= values.length === 0
    inner = values.find((value) => isObject(value) && isObject(value.message)) as { message?: unknown } | undefined
    inner = (inner as { message?: unknown } | undefined)?.message
  }
  return kinds.size === 0 && isEmpty ? ['empty'] : [...kinds]
}

/**
 * Reads an encoded message in a form that the library can encode: what it has no wrapper for is taken out of the wrapper, and what it has no
 * field for is left out.
 */
export function readForLibrary(bytes: Uint8Array): proto.Message {
  const message = readMessage(bytes) as Values
  const wrapper = NEWER_WRAPPERS.map((name) => message[name]).find(
    (value) => isObject(value) && isObject(value.message),
  )
  const inner = (wrapper as { message?: proto.IMessage } | undefined)?.message
  if (inner === undefined) return message as unknown as proto.Message
  const { messageContextInfo } = message as proto.IMessage
  return { ...inner, ...(messageContextInfo ? { messageContextInfo } : {}) } as proto.Message
}

/** Reads an encoded message. Never throws: a malformed message is empty, and `findUnread` says so. */
export function readMessage(bytes: Uint8Array): proto.IMessage {
  const fields = readWireFields(bytes, FIELDS_MAX)
  // A field has two bytes at least.
  if (bytes.length > 2 * ALL_FIELDS_MAX && hasMoreFields(bytes, ALL_FIELDS_MAX)) return malformed(fields)
  try {
    const message: proto.IMessage = proto.Message.decode(withoutMisread(bytes, fields))
    addNewer('Message', message as Values, fields, { depth: 0, fieldsLeft: FIELDS_MAX - fields.length })
    return message
  } catch {
    return malformed(fields)
  }
}

/** Returns a message of which nothing was read but the numbers of its fields. */
export function notRead(bytes: Uint8Array): proto.IMessage {
  return malformed(readWireFields(bytes, FIELDS_MAX))
}

function malformed(fields: readonly WireField[]): proto.IMessage {
  const message = {}
  unreadFields.set(message, { fields: distinct(fields.map(({ number }) => number)), isMalformed: true })
  return message
}

interface Bounds {
  depth: number
  fieldsLeft: number
}

/** Adds the fields that the library has not read to its message, at any depth where the table has one. */
function addNewer(type: TypeName, target: Values, fields: readonly WireField[], bounds: Bounds): void {
  const entries: TypeEntry = TYPES[type]
  if (type === 'Message') noteUnknown(target, fields)
  // As in the library, the last of several fields counts.
  const last = new Map(fields.map((field) => [field.number, field]))
  for (const field of fields) {
    const entry = Object.hasOwn(entries, field.number) ? entries[field.number] : undefined
    if (entry === undefined) continue
    if (entry.type?.endsWith('[]')) addToList(target, entry, field, bounds)
    else if (last.get(field.number) === field) addOne(target, entry, field, bounds)
  }
}

function addOne(target: Values, entry: FieldEntry, { number, value }: WireField, bounds: Bounds): void {
  const { name, type, adds } = entry
  const isRead = Object.hasOwn(target, name) && target[name] != null
  // A message that the library has read gets only what is newer in it.
  const added = isRead && type !== undefined && type in TYPES ? (type as TypeName) : adds
  try {
    if (!isRead && type !== undefined) target[name] = readValue(type as FieldType, value, bounds)
    if (number === SPOILER) markSpoiler(target[name])
    if (added !== undefined && isObject(target[name]) && value instanceof Uint8Array)
      addBelow(added, target[name], value, bounds)
  } catch {
    // The value is not of its type. At the top of a message it is reported as a field that is not understood.
    delete target[name]
    addUnknown(target, number)
  }
}

function addToList(target: Values, { name, type }: FieldEntry, { value }: WireField, bounds: Bounds): void {
  const list = (target[name] ?? []) as unknown[]
  target[name] = list
  if (list.length >= LIST_MAX) return
  try {
    list.push(readValue(type?.slice(0, -2) as FieldType, value, bounds))
  } catch {
    // An entry that is not of its type is left out.
  }
}

function addBelow(type: TypeName, target: Values, bytes: Uint8Array, bounds: Bounds): void {
  if (bounds.depth >= DEPTH_MAX || bounds.fieldsLeft <= 0) return
  const fields = readWireFields(bytes, bounds.fieldsLeft)
  bounds.fieldsLeft -= fields.length
  bounds.depth += 1
  addNewer(type, target, fields, bounds)
  bounds.depth -= 1
}

/** @throws Error when the value is not of this type */
function readValue(type: FieldType, value: number | Uint8Array, bounds: Bounds): unknown {
  if (typeof value === 'number') {
    if (type === 'number') return value
    if (type === 'flag') return value !== 0
    throw new Error('A number stands where bytes are expected.')
  }
  if (type === 'text') return Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8')
  if (type === 'bytes') return value
  if (type === 'number' || type === 'flag') throw new Error('Bytes stand where a number is expected.')
  if (isLibraryType(type)) return LIBRARY[type](value)
  // The library reads a message of its own kind; the caller adds the rest.
  if (type === 'Message') {
    const message = proto.Message.decode(value) as unknown as Values
    addBelow('Message', message, value, bounds)
    return message
  }
  const target: Values = {}
  addBelow(type, target, value, bounds)
  return target
}

type LibraryType = Extract<FieldType, `library:${string}`>

const LIBRARY: Readonly<Record<LibraryType, (bytes: Uint8Array) => unknown>> = {
  'library:MessageKey': (bytes) => proto.MessageKey.decode(bytes),
  'library:Money': (bytes) => proto.Money.decode(bytes),
  'library:Message.PollCreationMessage': (bytes) => proto.Message.PollCreationMessage.decode(bytes),
  'library:Message.PollCreationMessage.Option': (bytes) => proto.Message.PollCreationMessage.Option.decode(bytes),
  'library:Message.PollResultSnapshotMessage': (bytes) => proto.Message.PollResultSnapshotMessage.decode(bytes),
}

function isLibraryType(type: FieldType): type is LibraryType {
  return Object.hasOwn(LIBRARY, type)
}

function noteUnknown(message: Values, fields: readonly WireField[]): void {
  // Skips the field in a wrapper, where the library has read it already.
  if (fields.some(({ number }) => number === MISREAD.number)) delete message[MISREAD.name]
  const unknown = distinct(fields.flatMap(({ number }) => (isKnownField(number) ? [] : [number])))
  if (unknown.length > 0) unreadFields.set(message, { fields: unknown, isMalformed: false })
}

function addUnknown(message: Values, number: number): void {
  const { fields = [] } = unreadFields.get(message) ?? {}
  unreadFields.set(message, { fields: distinct([...fields, number]), isMalformed: false })
}

function distinct(numbers: readonly number[]): number[] {
  // Bound: 40,000, the fields of a message.
  return [...new Set(numbers)].toSorted((a, b) => a - b).slice(0, UNKNOWN_MAX)
}

/** Returns the bytes without the field that the library reads as another one, and might refuse. */
function withoutMisread(bytes: Uint8Array, fields: readonly WireField[]): Uint8Array {
  const misread = fields.filter(({ number }) => number === MISREAD.number)
  if (misread.length === 0) return bytes
  const edges = [0, ...misread.flatMap(({ from, end }) => [from, end]), bytes.length]
  const kept: Uint8Array[] = []
  for (let index = 0; index < edges.length; index += 2) kept.push(bytes.subarray(edges[index], edges[index + 1]))
  return Buffer.concat(kept)
}

/** Marks the content of a spoiler as clients mark a picture that is one. */
function markSpoiler(wrapper: unknown): void {
  const parts = isObject(wrapper) && isObject(wrapper.message) ? Object.entries(wrapper.message) : []
  for (const [name, part] of parts)
    if (isObject(part) && !BESIDE.has(name)) part.contextInfo = { ...(part.contextInfo as object), isSpoiler: true }
}

const BESIDE = new Set(['messageContextInfo', 'senderKeyDistributionMessage'])

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null
}
