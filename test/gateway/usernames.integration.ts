import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const [ANA, BEN, EVE, KIM, LEO] = ['15550840001', '15550840002', '15550840003', '15550840004', '15550840005']

describe('usernames', () => {
  const hidden = { addressing: 'lid', hidesNumber: true }
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: {
      [BEN]: { name: '', username: 'ben.b', ...hidden },
      [EVE]: { name: 'Eve', username: 'Eve_1', usernameKey: '1234', ...hidden },
      [KIM]: { name: 'Kim', ...hidden },
      [LEO]: { name: 'Leo', username: 'leo', addressing: 'lid' },
    },
    account: [ANA, 'Ana'],
    events: ['messages', 'contacts', 'presence'],
  })

  const findLid = async (number: string) => String((await world.network('GET', `/phones/${number}`)).lid)
  const post = (path: string, body: Json) => ana.call<Json>('POST', path, body)
  const contact = async (number: string, isSo: (one: Json) => boolean) => {
    const lid = await findLid(number)
    const look = async () =>
      (await ana.done<{ contacts: Json[] }>('/contacts/list', {})).contacts.find(
        (one) => one.jid === lid || one.lid === lid,
      )
    return (await eventually(look, (one) => one !== undefined && isSo(one))) as Json
  }

  it('reach a person without a number, whose chat and contact show the name', async () => {
    const lid = await findLid(BEN)
    const sent = await ana.text('@Ben.B', 'hello you')
    assert.equal(sent.chatid, lid)
    await world.shownAt(BEN, sent.messageid)
    assert.deepEqual([(await ana.chat(lid)).wa_username, (await ana.chat(lid)).phone], ['Ben.B', ''])
    assert.equal((await contact(BEN, () => true)).username, 'Ben.B')
    await world.write(BEN, ANA, 'hello Ana')
    // As the server writes it.
    await ana.chat(lid, (chat) => chat.wa_username === 'ben.b')
    const { chats } = await ana.done<{ chats: Json[] }>('/chat/find', { wa_username: 'ben.b' })
    assert.deepEqual(
      chats.map((chat) => chat.wa_chatid),
      [lid],
    )
    const { contacts } = await ana.done<{ contacts: Json[] }>('/contacts/list', { search: '@ben.' })
    assert.deepEqual(
      contacts.map((one) => one.jid),
      [lid],
    )
    const event = await eventually(() =>
      receiver
        .of('contacts')
        .map(({ body }) => body.event as Json)
        .find((one) => one.Username === 'ben.b'),
    )
    assert.equal(event?.LID, lid)
  })

  it('with a key are found by it alone, and the error says what is missing', async () => {
    for (const [number, code] of [
      ['@eve_1', 'USERNAME_KEY_NEEDED'],
      ['@eve_1:9999', 'USERNAME_KEY_NEEDED'],
      ['@eve_1:1', 'INVALID_NUMBER'],
      ['@nobody.here', 'NOT_ON_NETWORK'],
      ['@x', 'INVALID_NUMBER'],
      ['@www.eve', 'INVALID_NUMBER'],
    ] as const) {
      const { status, body } = await post('/send/text', { number, text: 'x' })
      assert.deepEqual(
        [status, body.code],
        [code === 'NOT_ON_NETWORK' ? 404 : 400, code],
        JSON.stringify([number, body]),
      )
      assert.equal((body.details as Json[])[0]?.field, 'number')
    }
    const sent = await ana.text('@eve_1:1234', 'with the key')
    await world.shownAt(EVE, sent.messageid)
  })

  it('stand wherever a number does', async () => {
    const lid = await findLid(LEO)
    await world.write(LEO, ANA, 'hi')
    await ana.chat(LEO)
    const checked = await ana.call<Json[]>('POST', '/chat/check', { numbers: ['@leo', '@eve_1', '@nobody.here', '@x'] })
    assert.deepEqual(
      checked.body.map(({ jid, lid: one, isInWhatsapp, error }) => [jid, one, isInWhatsapp, error !== '']),
      [
        [`${LEO}@s.whatsapp.net`, lid, true, false],
        ['', '', false, true],
        ['', '', false, false],
        ['', '', false, true],
      ],
    )
    assert.equal((await ana.done('/chat/details', { number: '@leo' })).wa_chatid, `${LEO}@s.whatsapp.net`)
    assert.deepEqual((await ana.done<Json>('/chat/block', { number: '@leo', block: true })).blockList, [
      `${LEO}@s.whatsapp.net`,
    ])
    await ana.done('/chat/block', { number: '@leo', block: false })
    const location = await ana.done<Json>('/send/location', { number: '@leo', latitude: 1, longitude: 2 })
    await world.shownAt(LEO, location.messageid)
    assert.equal(
      (await ana.done('/send/text', { number: '@leo', text: 'x', async: true })).chatid,
      `${LEO}@s.whatsapp.net`,
    )
  })

  it('change and end by notices of the network', async () => {
    await world.write(KIM, ANA, 'hi')
    const lid = await findLid(KIM)
    await ana.chat(lid)
    const sent = await ana.text(lid, 'to a LID without a number')
    await world.shownAt(KIM, sent.messageid)
    const rename = (body: Json) => world.network('POST', `/phones/${KIM}/username`, body)
    await rename({ username: 'kim.k' })
    await ana.chat(lid, (chat) => chat.wa_username === 'kim.k')
    await rename({ username: 'kim.two' })
    await ana.chat(lid, (chat) => chat.wa_username === 'kim.two')
    await rename({})
    await ana.chat(lid, (chat) => chat.wa_username === '')
    assert.equal((await contact(KIM, () => true)).username, '')
  })

  it('come from the address book too, stand in other events, and block a person by name', async () => {
    const [ben, kim] = [await findLid(BEN), await findLid(KIM)]
    await world.network('POST', `/phones/${ANA}/contacts`, { number: KIM, name: 'Kim', username: 'kim.book' })
    await ana.chat(KIM, (chat) => chat.wa_username === 'kim.book')
    const told = (stanza: Json) => world.network('POST', '/faults/stanza', { phone: ANA, stanza })
    await told({ tag: 'chatstate', attrs: { from: kim }, content: [{ tag: 'composing', attrs: {} }] })
    const names = () => receiver.of('presence').map(({ body }) => (body.event as Json).sender_username)
    await eventually(names, (all) => all.includes('kim.book'))
    // A name that is not the person's is refused: the block names nothing else.
    const data = { xwa2_notify_username_on_change: { lid: ben, username: 'not.ben' } }
    const content = Buffer.from(JSON.stringify({ data })).toString('base64')
    const update = { tag: 'update', attrs: { op_name: 'UsernameSetNotification' }, content }
    const attrs = { id: 'm1', from: 's.whatsapp.net', type: 'mex', t: '1' }
    await told({ tag: 'notification', attrs, content: [update] })
    await ana.chat(ben, (chat) => chat.wa_username === 'not.ben')
    const refused = await post('/chat/block', { number: ben, block: true })
    assert.deepEqual([refused.status, refused.body.code], [500, 'CHANGE_FAILED'])
    await world.network('POST', `/phones/${BEN}/username`, { username: 'ben.new' })
    await ana.chat(ben, (chat) => chat.wa_username === 'ben.new')
    assert.deepEqual((await ana.done<Json>('/chat/block', { number: ben, block: true })).blockList, [ben])
  })

  it('are looked up again only after a while, and not without limit', async () => {
    const asked = async () =>
      (await world.network<Json[]>('GET', '/log/frames?tag=iq&direction=in')).filter(({ xmlns }) => xmlns === 'usync')
        .length
    const before = await asked()
    for (let index = 0; index < 5; index += 1) await post('/send/text', { number: '@nobody.twice', text: 'x' })
    assert.equal((await asked()) - before, 1)
    const codes: unknown[] = []
    for (let index = 0; index < 61 && !codes.includes('RATE_LIMITED'); index += 1)
      codes.push((await post('/send/text', { number: `@nobody${index}`, text: 'x' })).body.code)
    assert.equal(codes.at(-1), 'RATE_LIMITED')
  })
})
