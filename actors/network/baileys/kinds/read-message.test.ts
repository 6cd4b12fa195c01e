import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { mainThreadMs } from '../../../../test/support/main-thread-time.js'
import { contentForCallers } from '../content.js'
import { unwrap } from '../incoming.js'
import { isKnownField, MISREAD, TYPES } from './newer-fields.js'
import { findUnread, readForLibrary, readMessage, unreadKinds } from './read-message.js'

type Values = Readonly<Record<string, unknown>>
type Written = number | string | Uint8Array

/** Encodes one field: a number, or a text, bytes or message. */
function field(number: number, value: Written): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)])
  const bytes = Buffer.from(value as string)
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields)
const text = (said: string) => Buffer.from(proto.Message.encode({ conversation: said }).finish())
const key = Buffer.from(proto.MessageKey.encode({ id: 'ABOUT', remoteJid: 'x@s.whatsapp.net', fromMe: false }).finish())
const money = Buffer.from(proto.Money.encode({ value: 12_500, offset: 1_000, currencyCode: 'BRL' }).finish())
const described = (bytes: Buffer) => contentForCallers(unwrap(readMessage(bytes)))

describe('a message with fields that are newer than the library', () => {
  it('is one if the library has no field of that number', () => {
    for (let number = 1; number <= 250; number += 1) {
      const read = proto.Message.decode(field(number, ''))
      const isRead = Object.keys(read).length > 0 && number !== MISREAD.number
      assert.equal(isKnownField(number), isRead || Object.hasOwn(TYPES.Message, number), String(number))
      const entry = TYPES.Message[number as 3] as { name: string } | undefined
      if (isRead && entry !== undefined) assert.deepEqual(Object.keys(read), [entry.name])
    }
  })

  it('is read with its text', () => {
    const option = (name: string) => field(3, field(1, name))
    const poll = message(field(2, 'Colour?'), option('Red'), option('Blue'), field(9, 1_700_000_000), field(11, 1))
    const cases: [Buffer, string, string][] = [
      [
        field(115, message(field(1, 'Colour?'), field(2, message(field(1, 'Red'), field(2, 3))))),
        'poll',
        'Result of a poll: Colour?\nRed: 3',
      ],
      [field(111, poll), 'poll', 'Colour?'],
      [field(119, poll), 'poll', 'Colour?'],
      [
        field(
          122,
          message(
            field(2, 'E'),
            field(3, 'Party'),
            field(5, 1_700_000_000),
            field(6, 'Come!'),
            field(9, 'https://call'),
          ),
        ),
        'event',
        'Invitation to an event: Party\n2023-11-14T22:13:20.000Z\nCome!\nhttps://call',
      ],
      [field(122, message(field(3, 'Party'), field(7, 1))), 'event', 'Invitation to a canceled event: Party'],
      [field(124, message(field(3, 'Rent'), field(9, money))), 'payment', 'Payment reminder, 12.50 BRL\nRent'],
      [
        field(125, message(field(2, money), field(3, 'Dinner'), field(5, field(1, 'a')), field(5, field(1, 'b')))),
        'payment',
        'Split payment, 12.50 BRL, 2 participants\nDinner',
      ],
      [
        field(128, message(field(1, 'S'), field(2, field(2, money)))),
        'payment',
        'Update of a split payment, 12.50 BRL',
      ],
      [
        field(129, message(field(1, message(field(3, 'Ana'), field(4, 'Song'))), field(2, 'https://song'))),
        'other',
        'Music, Song, Ana\nhttps://song',
      ],
      [field(118, field(1, text('boo'))), 'text', 'boo'],
      [field(40, field(1, field(118, field(1, text('boo'))))), 'text', 'boo'],
      [field(31, field(2, field(119, poll))), 'poll', 'Colour?'],
      ...[116, 117, 126, 131].map((number): [Buffer, string, string] => [
        field(number, field(1, text('in'))),
        'text',
        'in',
      ]),
    ]
    for (const [bytes, messageType, said] of cases) {
      const found = described(bytes)
      assert.deepEqual([found?.messageType, found?.text], [messageType, said])
      assert.deepEqual(unreadKinds(readMessage(bytes)), [])
    }
    const content = described(field(119, poll))?.content as Record<string, unknown>
    assert.deepEqual([content.endTime, content.allowAddOption], [1_700_000_000, true])
  })

  it('keeps the file of a spoiler, marked as one, also for the library', () => {
    const picture = Buffer.from(
      proto.Message.encode({ imageMessage: { caption: 'boo', mediaKey: Buffer.alloc(32) } }).finish(),
    )
    const bytes = field(118, field(1, picture))
    const content = described(bytes)?.content as { contextInfo?: object }
    assert.deepEqual(content.contextInfo, { isSpoiler: true })
    assert.equal(readForLibrary(bytes).imageMessage?.caption, 'boo')
    // The mark of a picture that needs no wrapper.
    const marked = field(3, message(field(3, 'boo'), field(17, field(73, 1))))
    const { contextInfo } = (described(marked)?.content ?? {}) as { contextInfo?: Values }
    assert.equal(contextInfo?.isSpoiler, true)
  })

  it('says which fields are not known, at any depth', () => {
    for (const [bytes, fields] of [
      [field(132, 'x'), [132]],
      [field(114, 'x'), [114]],
      [message(field(4_000, 7), field(132, 'x'), field(132, 'y')), [132, 4_000]],
      [field(31, field(2, field(40, field(1, field(555, 'x'))))), [555]],
      [field(118, field(1, field(300, ''))), [300]],
      [Buffer.alloc(0), []],
      [field(119, 7), [119]],
    ] as const) {
      const found = described(bytes as Buffer)
      assert.deepEqual([found?.messageType, found?.content], ['other', { fields }])
      assert.notEqual(found?.text, '')
    }
    assert.deepEqual(unreadKinds(readMessage(message(field(132, 'x'), field(4_000, 'y'), text('hello')))), [
      '132',
      'high',
    ])
    assert.equal(described(message(field(132, 'x'), text('hello')))?.text, 'hello')
    assert.deepEqual(unreadKinds(readMessage(Buffer.alloc(0))), ['empty'])
  })

  it('is quiet if clients do not show it by itself', () => {
    for (const [number, isQuiet] of [
      [120, true],
      [121, true],
      [123, true],
      [127, true],
      [130, true],
      [129, undefined],
    ] as const)
      assert.equal(described(field(number, field(1, key)))?.isQuiet, isQuiet)
    const added = described(field(121, message(field(1, key), field(2, field(1, 'Green')))))
    assert.deepEqual([added?.text, added?.quoted], ['Option added to a poll, Green', 'ABOUT'])
  })

  it('is nothing for callers only if it has sender keys and no more', () => {
    const senderKey = field(2, field(1, 'g'))
    assert.equal(described(senderKey), null)
    assert.equal(described(message(senderKey, field(35, field(3, 'secret')))), null)
    assert.equal(described(message(senderKey, field(132, 'x')))?.messageType, 'other')
    assert.equal(described(field(35, field(3, 'secret')))?.messageType, 'other')
  })

  it('that cannot be parsed is one without content, whatever its bytes are', () => {
    for (const bytes of [
      Buffer.from([255]),
      Buffer.from([26, 200, 1]),
      field(3, Buffer.from([255, 255])),
      Buffer.from([7]),
    ]) {
      const read = readMessage(bytes)
      assert.deepEqual([Object.keys(read), findUnread(read)?.isMalformed, unreadKinds(read)], [[], true, ['malformed']])
      assert.equal(((described(bytes)?.content ?? {}) as Values).isMalformed, true)
    }
    assert.deepEqual(findUnread(readMessage(message(field(132, 'x'), Buffer.from([26, 200, 1]))))?.fields, [3, 132])
    for (let count = 0; count < 5_000; count += 1) assert.ok(described(randomBytes(count % 200)) !== undefined)
  })

  it('is a text however long it is, and is not counted as a message of many fields', () => {
    for (const said of ['a'.repeat(1_000_000), 'Olá, tudo bem?\n'.repeat(60_000)])
      assert.equal(readMessage(text(said)).conversation, said)
  })

  it('costs little, however it is nested and however many fields it has', () => {
    let nested: Buffer = field(132, 'x')
    for (let depth = 0; depth < 2_000; depth += 1) nested = field(118, field(1, nested))
    const many = Buffer.concat(Array.from({ length: 100_000 }, (_, index) => field(132 + (index % 50_000), 1)))
    const people = field(125, Buffer.concat(Array.from({ length: 100_000 }, () => field(5, field(1, 'a')))))
    for (const bytes of [nested, many, people, field(40, field(1, many)), field(118, field(1, many))]) {
      const before = mainThreadMs()
      const found = described(bytes)
      assert.ok(JSON.stringify(found?.content).length < 100_000)
      assert.ok(mainThreadMs() - before < 2_000)
    }
    assert.equal(findUnread(readMessage(many))?.fields.length, 20)
  })
})
