import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface PhoneMessage {
  id: string
  kind: string
  own: boolean
  arrivals: number
  quotedId: string | null
  message: Record<string, Json>
}

const BEN = '15550410002'

describe('contacts and places', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben Silva' },
    account: ['15550410001', 'Ana'],
    events: ['messages'],
    complete: async () => receiver.message(await world.write(BEN, ana.number, 'it is me')),
  })

  const send = (what: 'contact' | 'location', body: Json, headers: Record<string, string> = {}) =>
    ana.done(`/send/${what}`, { number: BEN, ...body }, headers)
  const atBen = (id: unknown) => world.shownAt<PhoneMessage>(BEN, id)
  const told = (id: string) => receiver.message(id)

  it('of an account that was just paired are listed, and its edits name it', async () => {
    const eve = await world.instance('Eve', '15550410009')
    await world.phone('15550410009', 'Eve')
    // The row that is in memory now has no account.
    for (const [method, path] of [
      ['GET', '/contacts'],
      ['POST', '/contacts/list'],
    ] as const)
      assert.equal((await eve.call(method, path)).status, 409)
    await eve.call('POST', '/instance/connect', { phone: eve.number })
    const look = async () => (await eve.status()).instance.paircode
    await world.network('POST', `/phones/${eve.number}/code`, { code: await eventually(look) })
    await eve.connected()
    assert.equal((await eve.call('GET', '/contacts')).status, 200)
    assert.equal((await eve.call('POST', '/contacts/list')).status, 200)
    const { messageid } = await eve.text(BEN, 'frist')
    const edited = await eve.call<Json>('POST', '/message/edit', { id: messageid, text: 'first' })
    assert.match(String(edited.body.id), /^15550410009:/, JSON.stringify(edited.body))
    assert.equal(edited.body.owner, '15550410009')
  })

  it('a contact is a card on the other phone, and its record has the fields of the card', async () => {
    const sent = await send('contact', {
      fullName: 'Silva; Eve, for {{first_name}}',
      phoneNumber: '+1 (555) 041-0003, 15550410004',
      organization: 'Posthorn',
      email: 'eve@example.org',
      url: 'https://example.org/eve',
    })
    assert.deepEqual(
      [sent.messageType, sent.mediaType, sent.status, (sent.response as Json).status, sent.text],
      [
        'contact',
        'vcard',
        'sent',
        'success',
        'Silva; Eve, for Ben\n+15550410003\n+15550410004\nPosthorn\neve@example.org\nhttps://example.org/eve',
      ],
    )
    const { contactMessage } = (await atBen(sent.messageid)).message
    assert.equal(contactMessage?.displayName, 'Silva; Eve, for Ben')
    assert.deepEqual(String(contactMessage?.vcard).split('\n'), [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:;Silva\\; Eve\\, for Ben;;;',
      'FN:Silva\\; Eve\\, for Ben',
      'ORG:Posthorn',
      'TEL;type=CELL;type=VOICE;waid=15550410003:+15550410003',
      'TEL;type=CELL;type=VOICE;waid=15550410004:+15550410004',
      'EMAIL;type=INTERNET:eve@example.org',
      'URL:https://example.org/eve',
      'END:VCARD',
    ])
    assert.deepEqual((await told(String(sent.messageid))).content, sent.content)
  })

  it('a location is a location on the other phone', async () => {
    const place = { latitude: -23.5505, longitude: -46.6333, name: 'Praça da Sé', address: 'São Paulo, {{name}}' }
    const sent = await send('location', place)
    assert.deepEqual([sent.messageType, sent.status, sent.text], ['location', 'sent', 'Praça da Sé'])
    const { locationMessage } = (await atBen(sent.messageid)).message
    assert.deepEqual(
      [
        locationMessage?.degreesLatitude,
        locationMessage?.degreesLongitude,
        locationMessage?.name,
        locationMessage?.address,
      ],
      [-23.5505, -46.6333, 'Praça da Sé', 'São Paulo, Ben Silva'],
    )
    const nowhere = await atBen((await send('location', { latitude: 0, longitude: 0 })).messageid)
    assert.equal(nowhere.message.locationMessage?.degreesLatitude, 0)
  })

  for (const [what, body] of [
    ['contact', { fullName: 'Eve', phoneNumber: '15550410003' }],
    ['location', { latitude: 1.5, longitude: 2.5, name: 'here' }],
  ] as const) {
    it(`a ${what} takes what every send takes: replies, forwards, delays, tracking and the queue`, async () => {
      const { id: question } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, {
        to: ana.number,
        text: `where is the ${what}?`,
      })
      await told(question)
      const started = Date.now()
      const common = {
        replyid: question,
        forward: true,
        track_source: 'crm',
        track_id: what,
        delay: 300,
        readchat: true,
      }
      const direct = await send(what, { ...body, ...common })
      assert.ok(Date.now() - started >= 300)
      const queued = await send(what, { ...body, ...common, async: true })
      assert.deepEqual([queued.status, queued.messageType, queued.track_id], ['queued', what, what])
      for (const { messageid } of [direct, queued]) {
        const got = await atBen(messageid)
        assert.equal(got.quotedId, question)
        assert.equal((got.message[`${what}Message`]?.contextInfo as Json | undefined)?.isForwarded, true)
      }
      const found = await eventually(
        async () => (await ana.call<{ messages: Json[] }>('POST', '/message/find', { track_id: what })).body.messages,
        (all) => all.every(({ status }) => status === 'delivered'),
      )
      assert.deepEqual(
        found.map(({ messageType, sendFunction, quoted }) => [messageType, sendFunction, quoted]),
        Array(2).fill([what, what, question]),
      )
      assert.deepEqual(found[0]?.content, found[1]?.content)
      await eventually(async () => {
        const receipts = await world.network<Json[]>('GET', `/phones/${BEN}/receipts?id=${question}`)
        return receipts.some(({ type }) => type === 'read')
      })
    })

    it(`sends a ${what} once if it is repeated under the same Idempotency-Key`, async () => {
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => send(what, body, { 'idempotency-key': `once-${what}` })),
      )
      const [id] = new Set(answers.map(({ messageid }) => messageid))
      assert.equal(new Set(answers.map(({ messageid }) => messageid)).size, 1)
      assert.equal((await atBen(id)).arrivals, 1)
      const other = await ana.call<Json>(
        'POST',
        '/send/text',
        { number: BEN, text: 'x' },
        { 'idempotency-key': `once-${what}` },
      )
      assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_CONFLICT'])
    })
  }

  it('from the other phone are reported with their fields', async () => {
    const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Eve Doe\nitem1.TEL;waid=15550410003:+1 555 041-0003\nEND:VCARD'
    const write = (message: Json) =>
      world.network<{ id: string }>('POST', `/phones/${BEN}/message`, { to: ana.number, message })
    const card = await told((await write({ contactMessage: { displayName: 'Eve Doe', vcard } })).id)
    assert.deepEqual(
      [card.messageType, card.mediaType, card.text, (card.content as Json).vcard, card.fromMe],
      ['contact', 'vcard', 'Eve Doe\n+1 555 041-0003', vcard, false],
    )
    const place = await told(
      (await write({ locationMessage: { degreesLatitude: 1.5, degreesLongitude: -2.5, name: 'here', address: 'A' } }))
        .id,
    )
    assert.deepEqual([place.messageType, place.mediaType, place.text], ['location', 'location', 'here'])
    const { degreesLatitude, degreesLongitude, address } = place.content as Json
    assert.deepEqual([degreesLatitude, degreesLongitude, address], [1.5, -2.5, 'A'])
  })

  it('leave no message undecryptable', async () => {
    assert.deepEqual(await world.network('GET', `/phones/${BEN}/failures`), [])
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
  })
})
