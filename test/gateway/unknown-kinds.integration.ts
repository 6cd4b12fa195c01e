import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import pg from 'pg'
import { createEncryption } from '../../runtime/store/encryption.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
type Written = number | string | Uint8Array

const [ANA, BEN, EVE] = ['15550480001', '15550480002', '15550480003']

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

const text = (said: string) => Buffer.from(proto.Message.encode({ conversation: said }).finish())

describe('messages of kinds that the library does not know', () => {
  let group: string
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
    complete: async () => {
      const body = { owner: BEN, subject: 'Kinds', members: [ANA, EVE] }
      group = (await world.network<{ jid: string }>('POST', '/groups', body)).jid
    },
  })

  const send = async (bytes: Buffer, to = ANA, from = BEN) => {
    const body = { to, base64: bytes.toString('base64') }
    return (await world.network<{ id: string }>('POST', `/phones/${from}/message`, body)).id
  }
  const told = (id: string) => receiver.message(id)
  const find = async (id: string) => (await ana.messages({ id }))[0]
  const stored = (id: string) => eventually(() => find(id))
  const chat = () => ana.chat(`${BEN}@s.whatsapp.net`)
  /** Receipts of the gateway's device. */
  const listReceipts = async (id: string) => {
    const receipts = await world.network<Json[]>('GET', `/phones/${BEN}/receipts`)
    return receipts.flatMap((one) => (one.id === id && one.fromDevice === 1 ? [one.type] : []))
  }
  const received = (id: string) =>
    eventually(
      () => listReceipts(id),
      ({ length }) => length > 0,
    )

  it('are records with the numbers of their fields, wherever these lie', async () => {
    const unknown = [
      [field(132, 'x'), [132]],
      [field(114, field(1, 'x')), [114]],
      [Buffer.concat([field(9_999, 7), field(132, 'y')]), [132, 9_999]],
      [field(40, field(1, field(555, 'x'))), [555]],
      [Buffer.alloc(0), []],
    ] as const
    for (const [bytes, fields] of unknown) {
      for (const to of [ANA, group]) {
        const id = await send(bytes as Buffer, to)
        const message = await told(id)
        assert.deepEqual([message.messageType, message.content, message.fromMe], ['other', { fields }, false])
        assert.notEqual(message.text, '')
        assert.equal((await find(id))?.messageType, 'other')
      }
      await received(await send(bytes as Buffer))
    }
    assert.equal((await told(await send(field(132, 'x'), BEN, ANA))).fromMe, true)
    const { body: metrics } = await world.gateway.call<string>('GET', '/metrics')
    assert.match(metrics, /posthorn_messages_not_understood_total\{field="132"\} [1-9]/)
    assert.match(metrics, /posthorn_messages_not_understood_total\{field="high"\} [1-9]/)
    assert.match(metrics, /posthorn_messages_not_understood_total\{field="empty"\} [1-9]/)
    const lines = world.gateway
      .output()
      .split('\n')
      .filter((line) => line.includes('a field that is not known') && line.includes('"132"'))
    assert.equal(lines.length, 1)
  })

  it('are found in every wrapper and in several, and known kinds beside them are read', async () => {
    const wrappers = [
      ...[37, 40, 53, 55, 58, 59, 62, 67, 74, 85, 87, 90, 91, 92, 93, 95, 96, 99, 100, 101, 103, 104, 106],
      ...[116, 117, 118, 126, 131],
    ]
    const wrapped = (number: number, content: Buffer) => field(number, field(1, content))
    for (const [index, number] of wrappers.entries()) {
      const outer = wrappers[(index + 5) % wrappers.length] as number
      const unknown = await told(await send(wrapped(outer, wrapped(number, field(132, 'x')))))
      assert.deepEqual([unknown.messageType, unknown.content], ['other', { fields: [132] }], `${number}`)
      const known = await told(await send(wrapped(outer, wrapped(number, text(`in ${number}`)))))
      assert.deepEqual([known.messageType, known.text], ['text', `in ${number}`])
    }
    // Beside a known kind, inside of it, and deeper than clients nest.
    const beside = await told(await send(Buffer.concat([text('beside it'), field(140, 'x')])))
    assert.deepEqual([beside.messageType, beside.text], ['text', 'beside it'])
    const inside = await told(await send(field(6, Buffer.concat([field(1, 'inside of it'), field(250, 'x')]))))
    assert.deepEqual([inside.messageType, inside.text], ['text', 'inside of it'])
    let deep = field(132, 'x')
    for (let depth = 0; depth < 9; depth += 1) deep = wrapped(40, deep)
    assert.equal((await told(await send(deep))).messageType, 'other')
  })

  it('are records, confirmed once, if they cannot be parsed', async () => {
    for (const bytes of [Buffer.from([255, 255]), Buffer.concat([field(132, 'x'), Buffer.from([26, 200, 1])])]) {
      for (const to of [ANA, group]) {
        const id = await send(bytes, to)
        const message = await told(id)
        assert.equal(message.messageType, 'other')
        assert.equal((message.content as Json).isMalformed, true)
        // The sender is not asked for it again.
        assert.deepEqual(await received(id), ['inactive'])
      }
    }
  })

  const storedBytes = async (id: string): Promise<Buffer> => {
    const { databaseUrl, encryptionKey } = world.gateway
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
    try {
      const { rows } = await pool.query<{ proto: Buffer }>('SELECT proto FROM message WHERE "messageid" = $1', [id])
      const sealed = rows[0]?.proto ?? Buffer.alloc(0)
      assert.ok(!sealed.includes('a key'))
      return createEncryption(Buffer.from(encryptionKey, 'base64')).open(sealed, ana.id, 'proto', id)
    } finally {
      await pool.end()
    }
  }

  it('keep their bytes, which a later release may read', async () => {
    const bytes = field(132, field(1, 'a key'))
    const id = await send(bytes)
    await told(id)
    assert.deepEqual(await storedBytes(id), bytes)
  })

  it('are records with their bytes in a history too, and are read there, beside one that cannot be parsed', async () => {
    const past = [
      ['OFTHEPAST1', field(132, field(1, 'a key')), 'other', undefined],
      ['OFTHEPAST2', field(118, field(1, text('boo'))), 'text', 'boo'],
      ['OFTHEPAST3', Buffer.from([255, 255]), 'other', undefined],
      ['OFTHEPAST4', text('as ever'), 'text', 'as ever'],
    ] as const
    const messages = past.map(([id, bytes]) => ({
      id,
      text: '',
      base64: bytes.toString('base64'),
      timestamp: 1_700_000_000,
    }))
    await world.network('PUT', `/phones/${ANA}/history`, { chats: [{ id: BEN, messages }], contacts: [] })
    await world.network('POST', `/phones/${ANA}/history`, {})
    for (const [id, bytes, messageType, said] of past) {
      const record = await stored(id)
      assert.equal(record?.messageType, messageType)
      if (said !== undefined) assert.equal(record?.text, said)
      // The secret that stands beside the message follows its bytes.
      assert.deepEqual((await storedBytes(id)).subarray(0, bytes.length), bytes)
    }
    assert.deepEqual((await stored('OFTHEPAST1'))?.content, { fields: [132] })
  })

  it('are read if the kind is newer than the library', async () => {
    const kinds = [
      [field(118, field(1, text('boo'))), 'text', 'boo'],
      [
        field(122, Buffer.concat([field(3, 'Party'), field(6, 'Come!')])),
        'event',
        'Invitation to an event: Party\nCome!',
      ],
      [field(124, field(3, 'Rent')), 'payment', 'Payment reminder\nRent'],
      [field(125, field(3, 'Dinner')), 'payment', 'Split payment\nDinner'],
      [field(129, field(2, 'https://song')), 'other', 'Music\nhttps://song'],
      [field(115, field(1, 'Colour?')), 'poll', 'Result of a poll: Colour?'],
      [field(102, field(2, field(3, 3))), 'other', 'Earlier messages were shared, 3 messages'],
      [field(105, field(2, 'Blue')), 'comment', 'Blue'],
      [field(107, field(2, 'Green')), 'comment', 'Green'],
      [field(109, field(2, 'so true')), 'comment', 'so true'],
      [field(110, field(1, field(3, 'ABOUT'))), 'other', 'Reaction to a sticker of a status'],
      [field(113, field(2, 'News')), 'invite', 'Invitation to follow the channel News'],
      [field(119, Buffer.concat([field(2, 'Where?'), field(3, field(1, 'Sea'))])), 'poll', 'Where?'],
      [field(128, field(1, 'SPLIT')), 'payment', 'Update of a split payment'],
      ...[116, 117, 126, 131].map((number) => [field(number, field(1, text('in'))), 'text', 'in'] as const),
    ] as const
    for (const [bytes, messageType, said] of kinds) {
      const message = await told(await send(bytes))
      assert.deepEqual([message.messageType, message.text], [messageType, said])
    }
  })

  it('are stored, but not shown as messages, if clients show them nowhere', async () => {
    const last = await told(await send(text('the last one')))
    const { wa_unreadCount: unread } = await chat()
    for (const number of [120, 121, 123, 127, 130]) {
      const id = await send(field(number, field(1, field(3, 'ABOUT'))))
      await received(id)
      assert.equal((await stored(id))?.messageType, 'other')
    }
    const after = await chat()
    assert.deepEqual([after.wa_unreadCount, after.wa_lastMessageTextVote], [unread, last.text])
    const marker = await told(await send(text('behind them')))
    assert.equal(marker.text, 'behind them')
    const types = receiver.of('messages').map(({ body }) => (body.message as Json).type)
    assert.ok(!types.some((type) => /KeyShare|RootSecret|conditionalReveal/.test(String(type))))
  })

  for (const version of [1, 3, 4, 5, 6])
    it(`are polls of version ${version}, whose votes are counted`, async () => {
      const body = { to: group, question: 'Colour?', options: ['Red', 'Blue'], selectableCount: 1, version }
      const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/poll`, body)
      const poll = await told(id)
      assert.deepEqual([poll.messageType, poll.text, poll.convertOptions], ['poll', 'Colour?', 'Red|Blue'])
      await eventually(async () => {
        const messages = await world.network<Json[]>('GET', `/phones/${EVE}/messages?id=${id}`)
        return messages.length > 0
      })
      const vote = await world.network<{ id: string }>('POST', `/phones/${EVE}/vote`, { id, options: ['Blue'] })
      assert.equal((await told(vote.id)).vote, 'Blue')
      const votes = await eventually(
        async () => (await find(id))?.vote,
        (all) => String(all).includes('"votes":1'),
      )
      assert.deepEqual(JSON.parse(String(votes)), [
        { option: 'Red', votes: 0 },
        { option: 'Blue', votes: 1 },
      ])
    })
})
