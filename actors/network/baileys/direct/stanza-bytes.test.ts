import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode } from '@whiskeysockets/baileys'
import { DOUBLE_BYTE_TOKENS, SINGLE_BYTE_TOKENS } from '@whiskeysockets/baileys/lib/WABinary/constants.js'
import { chooseSeed, seededRandom } from '../../../../test/durability/random.js'
import { EncodedNodes, stanzaBytes } from './stanza-bytes.js'

const WORDS = [...SINGLE_BYTE_TOKENS, ...DOUBLE_BYTE_TOKENS.flat()].filter((word) => word !== '')
const TEXTS = [
  '',
  '0',
  '00',
  '5551-2.3',
  '3EB0C431C26A1916E07A',
  'ABC',
  'abcdef',
  '1A-',
  'ä🙂',
  'x'.repeat(300),
  '1'.repeat(127),
  '1'.repeat(128),
  'F'.repeat(127),
  'F'.repeat(128),
  '@',
  '15550001111@s.whatsapp.net',
  '15550001111:3@s.whatsapp.net',
  '15550001111_1:3@s.whatsapp.net',
  '100000000000001@lid',
  '100000000000001:99@lid',
  '100000000000001:12@hosted.lid',
  '100000000000001@hosted.lid',
  '15550001111:99@hosted',
  '15550001111@hosted',
  '15550001111_128:0@s.whatsapp.net',
  'status@broadcast',
  '15550001111-1700000000@broadcast',
  '120363000000000000@newsletter',
  '0@c.us',
  'a:b@interop',
  '123-456@g.us',
  '@s.whatsapp.net',
  's.whatsapp.net',
  'a mail@example.com',
]

function makeStanza(random: () => number, depth: number): BinaryNode {
  const below = (count: number): number => Math.floor(random() * count)
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T
  const text = (): string => one(below(2) === 0 ? WORDS : TEXTS)
  const attrs: Record<string, string> = {}
  for (let count = below(5); count > 0; count -= 1) attrs[`${one(WORDS)}${one(['', '', 'x'])}`] = text()
  const children = (): BinaryNode[] => Array.from({ length: below(5) }, () => makeStanza(random, depth - 1))
  const contents: (() => BinaryNode['content'])[] = [
    () => undefined,
    text,
    () => randomBytes(one([0, 1, 255, 256, 300, 70_000])),
    ...(depth === 0 ? [] : [children, children]),
  ]
  const content = one(contents)()
  return { tag: one(WORDS), attrs, ...(content === undefined ? {} : { content }) }
}

it('encodes a stanza to the bytes of the library', (t) => {
  const random = seededRandom(chooseSeed(t))
  for (let round = 0; round < 500; round += 1) {
    const stanza = makeStanza(random, 3)
    assert.deepEqual(stanzaBytes(stanza), encodeBinaryNode(stanza), JSON.stringify(stanza).slice(0, 2_000))
  }
})

it('encodes each word of the dictionaries, and long lists, to the bytes of the library', () => {
  for (const word of WORDS) {
    const stanza = { tag: 'message', attrs: { type: word } }
    assert.deepEqual(stanzaBytes(stanza), encodeBinaryNode(stanza), word)
  }
  for (const count of [0, 1, 255, 256, 70]) {
    const stanza = {
      tag: 'list',
      attrs: {},
      content: Array.from({ length: count }, () => ({ tag: 'item', attrs: {} })),
    }
    assert.deepEqual(stanzaBytes(stanza), encodeBinaryNode(stanza), String(count))
  }
  const large = { tag: 'message', attrs: {}, content: randomBytes((1 << 20) + 1) }
  assert.deepEqual(stanzaBytes(large), encodeBinaryNode(large))
})

it('leaves out attributes without a value, and keeps earlier results unchanged', async () => {
  const first = stanzaBytes({ tag: 'message', attrs: { id: 'A', to: undefined as never } })
  const copy = Buffer.from(first)
  stanzaBytes({ tag: 'receipt', attrs: { id: 'another one that is longer' } })
  assert.deepEqual(first, copy)
  assert.deepEqual((await decodeBinaryNode(first)).attrs, { id: 'A' })
})

it('encodes children in advance to the same bytes', (t) => {
  const random = seededRandom(chooseSeed(t))
  const nodes = Array.from({ length: 300 }, () => makeStanza(random, 1))
  for (const size of [1, 7, 255, 300]) {
    const pieces = [new EncodedNodes([])]
    for (let from = 0; from < nodes.length; from += size) pieces.push(new EncodedNodes(nodes.slice(from, from + size)))
    const around = (content: readonly (BinaryNode | EncodedNodes)[]) => ({
      tag: 'message',
      attrs: { id: 'A' },
      content: [nodes[0] as BinaryNode, { tag: 'participants', attrs: {}, content }, nodes[1] as BinaryNode],
    })
    assert.deepEqual(stanzaBytes(around(pieces)), encodeBinaryNode(around(nodes) as BinaryNode), `${size} at a time`)
  }
})

it('rejects a list that is too long', () => {
  const content = Array.from({ length: 65_536 }, () => ({ tag: 'item', attrs: {} }))
  assert.throws(() => stanzaBytes({ tag: 'list', attrs: {}, content }), RangeError)
})
