/** Encodes stanzas in the network's dictionary form, like the library's `encodeBinaryNode`, but without an array of numbers. */
import { jidDecode } from '@whiskeysockets/baileys'
import { DOUBLE_BYTE_TOKENS, SINGLE_BYTE_TOKENS, TAGS } from '@whiskeysockets/baileys/lib/WABinary/constants.js'

const tokens = new Map<string, Uint8Array>()
for (const [index, word] of SINGLE_BYTE_TOKENS.entries()) if (word) tokens.set(word, Uint8Array.of(index))
for (const [dictionary, words] of DOUBLE_BYTE_TOKENS.entries())
  for (const [index, word] of words.entries()) tokens.set(word, Uint8Array.of(TAGS.DICTIONARY_0 + dictionary, index))

const [DIGITS, UPPER_HEX] = [1, 2]
/** Possible packings of a character, two to a byte: as digits with `-` and `.`, or as hexadecimal in capitals. */
const packs = new Uint8Array(128)
const nibbles = new Uint8Array(128)
for (const [value, character] of [...'0123456789'].entries()) setPack(character, DIGITS | UPPER_HEX, value)
for (const [value, character] of [...'ABCDEF'].entries()) setPack(character, UPPER_HEX, 10 + value)
for (const [value, character] of [...'-.'].entries()) setPack(character, DIGITS, 10 + value)

function setPack(character: string, kinds: number, value: number): void {
  packs[character.charCodeAt(0)] = kinds
  nibbles[character.charCodeAt(0)] = value
}

/** A node whose children may be encoded already. */
export interface Stanza {
  readonly tag: string
  readonly attrs: Readonly<Record<string, string>>
  readonly content?: string | Uint8Array | readonly (Stanza | EncodedNodes)[] | undefined
}

/** Some nodes of one list, encoded in advance. A large stanza is encoded a few nodes at a time, so that no step takes long. */
export class EncodedNodes {
  readonly count: number
  readonly bytes: Uint8Array

  /** @throws RangeError like `stanzaBytes` */
  constructor(nodes: readonly Stanza[]) {
    length = 0
    for (const node of nodes) putNode(node)
    this.count = nodes.length
    this.bytes = Buffer.from(bytes.subarray(0, length))
  }
}

/** Encodes a stanza. @throws RangeError for a list of more than 65,535 nodes, or bytes beyond 4 GiB */
export function stanzaBytes(stanza: Stanza): Buffer {
  length = 0
  // The first byte of a frame that is not compressed.
  putByte(0)
  putNode(stanza)
  return Buffer.from(bytes.subarray(0, length))
}

/** Buffer that all stanzas share: each is encoded without a pause, and copied at its end. */
let bytes = Buffer.allocUnsafe(16 * 1024)
let length = 0

function reserve(more: number): void {
  if (length + more <= bytes.length) return
  const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + more))
  bytes.copy(larger, 0, 0, length)
  bytes = larger
}

function putByte(value: number): void {
  reserve(1)
  bytes[length++] = value
}

function putBytes(value: Uint8Array): void {
  reserve(value.length)
  bytes.set(value, length)
  length += value.length
}

function putNode({ tag, attrs, content }: Stanza): void {
  const names = Object.keys(attrs).filter((name) => attrs[name] !== undefined && attrs[name] !== null)
  putListStart(1 + 2 * names.length + (content === undefined ? 0 : 1))
  putString(tag)
  for (const name of names) {
    putString(name)
    putString(attrs[name] as string)
  }
  if (typeof content === 'string') putString(content)
  else if (content instanceof Uint8Array) putData(content)
  else if (content !== undefined) {
    putListStart(content.reduce((size, child) => size + (child instanceof EncodedNodes ? child.count : 1), 0))
    for (const child of content) {
      if (child instanceof EncodedNodes) putBytes(child.bytes)
      else putNode(child)
    }
  }
}

function putListStart(size: number): void {
  if (size === 0) putByte(TAGS.LIST_EMPTY)
  else if (size < 256) {
    putByte(TAGS.LIST_8)
    putByte(size)
  } else if (size < 65_536) {
    putByte(TAGS.LIST_16)
    putByte(size >> 8)
    putByte(size & 0xff)
  } else throw new RangeError(`A list of ${size} is too long for a stanza.`)
}

function putLength(size: number): void {
  reserve(5)
  if (size < 256) {
    bytes[length++] = TAGS.BINARY_8
    bytes[length++] = size
  } else if (size < 1 << 20) {
    bytes[length++] = TAGS.BINARY_20
    length = bytes.writeUIntBE(size, length, 3)
  } else {
    bytes[length++] = TAGS.BINARY_32
    length = bytes.writeUInt32BE(size, length)
  }
}

function putData(data: Uint8Array): void {
  putLength(data.length)
  putBytes(data)
}

function putString(text: string): void {
  const token = tokens.get(text)
  const kinds = token === undefined ? findPackings(text) : 0
  if (token !== undefined) putBytes(token)
  else if ((kinds & DIGITS) !== 0) putPacked(text, TAGS.NIBBLE_8)
  else if ((kinds & UPPER_HEX) !== 0) putPacked(text, TAGS.HEX_8)
  else putUnpacked(text)
}

function putUnpacked(text: string): void {
  const jid = text.includes('@') ? jidDecode(text) : undefined
  if (jid === undefined) {
    const size = Buffer.byteLength(text)
    putLength(size)
    reserve(size)
    length += bytes.write(text, length)
  } else if (jid.device !== undefined) {
    putByte(TAGS.AD_JID)
    putByte(jid.domainType ?? 0)
    putByte(jid.device & 0xff)
    putString(jid.user)
  } else {
    putByte(TAGS.JID_PAIR)
    if (jid.user === '') putByte(TAGS.LIST_EMPTY)
    else putString(jid.user)
    putString(jid.server)
  }
}

function findPackings(text: string): number {
  if (text === '' || text.length > TAGS.PACKED_MAX) return 0
  let kinds = DIGITS | UPPER_HEX
  for (let at = 0; at < text.length && kinds !== 0; at += 1) kinds &= packs[text.charCodeAt(at)] ?? 0
  return kinds
}

function putPacked(text: string, kind: number): void {
  const [half, isOdd] = [text.length >> 1, text.length % 2 === 1]
  putByte(kind)
  putByte(isOdd ? (half + 1) | 128 : half)
  for (let at = 0; at < half; at += 1) putByte((nibbleAt(text, 2 * at) << 4) | nibbleAt(text, 2 * at + 1))
  // The unused half of the last byte is fifteen.
  if (isOdd) putByte((nibbleAt(text, text.length - 1) << 4) | 15)
}

function nibbleAt(text: string, at: number): number {
  return nibbles[text.charCodeAt(at)] ?? 0
}
