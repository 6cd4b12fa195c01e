/** Everything in which the network names the username of a person, each with a person of its own. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const [ANA, BEN, CLEO, DAN, EVE, FAY] = [1, 2, 3, 4, 5, 6].map((last) => `1555085000${last}`) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
/** Phones whose usernames only an injected stanza names. */
const STRANGERS = Array.from({ length: 10 }, (_, index) => `1555085010${index}`)

describe('the username of a person', () => {
  const hidden = { addressing: 'lid', hidesNumber: true }
  let club = ''
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { LIMITS_CHECK_MS: '300' },
    phones: {
      [ANA]: { name: 'Ana', username: 'ana.own' },
      [BEN]: { name: 'Ben', username: 'ben.b', ...hidden },
      [CLEO]: { name: 'Cleo', username: 'cleo.c' },
      [DAN]: { name: 'Dan', username: 'dan.d' },
      [EVE]: { name: 'Eve', username: 'eve.e' },
      [FAY]: { name: 'Fay', username: 'fay.f', ...hidden },
      ...Object.fromEntries(STRANGERS.map((number) => [number, { name: 'Stranger', ...hidden }])),
    },
    prepare: async () => {
      const chats = [{ id: CLEO, messages: [{ text: 'before' }] }]
      const contacts = [
        { number: DAN, name: 'Dan' },
        { number: ANA, name: 'Ana' },
      ]
      await world.network('PUT', `/phones/${ANA}/history`, { chats, contacts })
      const made = { owner: FAY, subject: 'Club', members: [ANA, BEN], addressing: 'lid' }
      club = (await world.network<{ jid: string }>('POST', '/groups', made)).jid
    },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
  })
  const lids = new Map<string, string>()
  before(async () => {
    for (const { phone, lid } of await world.network<{ phone: string; lid: string }[]>('GET', '/phones'))
      lids.set(phone, lid)
  })
  const findLid = (number: string) => lids.get(number) ?? ''
  const findUsername = async (number: string) => {
    const { contacts } = await ana.done<{ contacts: Json[] }>('/contacts/list', {})
    const jids = [findLid(number), `${number}@s.whatsapp.net`]
    return contacts.find(({ jid, lid }) => jids.includes(String(jid)) || jids.includes(String(lid)))?.username
  }
  const named = async (number: string, username: string, why?: string) => {
    const found = await eventually(
      () => findUsername(number),
      (one) => one === username,
    ).catch(() => findUsername(number))
    assert.equal(found, username, why)
  }
  const messageEvent = (id: string) =>
    eventually(() =>
      receiver
        .of('messages')
        .map(({ body }) => body.message as Json)
        .find(({ messageid }) => messageid === id),
    )

  it('is in the history: in conversations and in the list of accounts, which names the account too', async () => {
    await named(CLEO, 'cleo.c')
    await named(DAN, 'dan.d')
    // The own account may stand among the contacts, by its profile picture or name, but never by this name.
    assert.equal((await findUsername(ANA)) || '', '')
  })

  it('is in the address book, of people who are in it by LID alone', async () => {
    const number = STRANGERS[9]
    await world.network('POST', `/phones/${ANA}/contacts`, {
      number,
      name: 'Stranger',
      username: 'in.book',
      byLid: true,
    })
    await named(String(number), 'in.book')
  })

  it('is in the answers that describe groups', async () => {
    await ana.done('/group/info', { groupjid: club })
    await named(BEN, 'ben.b')
    await named(FAY, 'fay.f')
  })

  it('is in the answer to a look-up of a number', async () => {
    await ana.done('/chat/check', { numbers: [EVE] })
    await named(EVE, 'eve.e')
  })

  it('stands in messages of people and of members of groups, in their events and records', async () => {
    const alone = await world.write(BEN, ANA, 'hello')
    const inGroup = await world.write(FAY, club, 'hello all')
    for (const [id, username] of [
      [alone, 'ben.b'],
      [inGroup, 'fay.f'],
    ] as const) {
      assert.equal((await messageEvent(id))?.sender_username, username)
      const [record] = await ana.messages({ id })
      assert.equal(record?.sender_username, username)
    }
    const { messageid } = await ana.text(club, 'from Ana')
    const [own] = await ana.messages({ id: messageid })
    assert.equal(own?.sender_username, '')
  })

  it('stands in events of what people do with messages', async () => {
    const inGroup = String((await ana.text(club, 'read it')).messageid)
    const alone = String((await ana.text(findLid(BEN), 'read it')).messageid)
    for (const reader of [FAY, BEN]) await world.shownAt(reader, inGroup)
    await world.shownAt(BEN, alone)
    for (const reader of [FAY, BEN])
      await world.network('POST', `/phones/${reader}/read`, { from: club, ids: [inGroup] })
    await world.network('POST', `/phones/${BEN}/read`, { from: ANA, ids: [alone] })
    const readers = (id: string) =>
      receiver
        .of('messages_update')
        .map(({ body }) => [body.state, body.event as Json] as const)
        .filter(([state, { MessageIDs }]) => state === 'Read' && (MessageIDs as string[]).includes(id))
        .map(([, { sender_username: username }]) => username)
    // The group has read it when both have: the event names the one whose receipt was stored last.
    await eventually(() => readers(inGroup).some((username) => username === 'fay.f' || username === 'ben.b'))
    await eventually(() => readers(alone).includes('ben.b'))
  })

  it('is in every stanza that may name it', async () => {
    const own = findLid(ANA)
    const deliver = (stanza: Json) => world.network('POST', '/faults/stanza', { phone: ANA, stanza })
    const t = String(Math.floor(Date.now() / 1000))
    const group = (participant: Json, content: Json[]) => ({
      tag: 'notification',
      attrs: { from: club, type: 'w:gp2', t, ...participant },
      content,
    })
    const carriers: readonly ((lid: string, username: string) => Json)[] = [
      (lid, participant_username) => ({
        tag: 'receipt',
        attrs: { from: club, participant: lid, participant_username, type: 'read', t },
      }),
      (lid, peer_recipient_username) => ({
        tag: 'receipt',
        attrs: { from: own, recipient: lid, peer_recipient_username, type: 'read', t },
      }),
      (lid, recipient_username) => ({
        tag: 'receipt',
        attrs: { from: own, recipient: lid, recipient_username, type: 'read', t },
      }),
      (lid, username) => ({
        tag: 'call',
        attrs: { from: lid, username, t },
        content: [{ tag: 'terminate', attrs: { 'call-id': 'AA00', 'call-creator': lid } }],
      }),
      (lid, caller_username) => ({
        tag: 'call',
        attrs: { from: lid, t },
        content: [{ tag: 'terminate', attrs: { 'call-id': 'AA01', 'call-creator': lid, caller_username } }],
      }),
      (lid, participant_username) =>
        group({ participant: lid, participant_username }, [{ tag: 'not_announcement', attrs: {} }]),
      (lid, s_o_username) =>
        group({}, [{ tag: 'subject', attrs: { subject: 'Club', s_t: t, s_o: lid, s_o_username } }]),
      (lid, username) =>
        group({}, [
          {
            tag: 'created_membership_requests',
            attrs: {},
            content: [{ tag: 'requested_user', attrs: { jid: lid, username } }],
          },
        ]),
      (lid, username) => ({
        tag: 'notification',
        attrs: { from: findLid(ANA), type: 'account_sync', t },
        content: [
          { tag: 'blocklist', attrs: {}, content: [{ tag: 'item', attrs: { jid: lid, action: 'block', username } }] },
        ],
      }),
    ]
    for (const [index, carrier] of carriers.entries()) {
      const number = STRANGERS[index] ?? ''
      const stanza = carrier(findLid(number), `carried.${index}`) as { attrs: Json }
      await deliver({ ...stanza, attrs: { id: `carrier-${index}`, ...stanza.attrs } })
    }
    for (const index of carriers.keys()) await named(STRANGERS[index] ?? '', `carried.${index}`, `carrier ${index}`)
  })

  it('of the account itself is asked for after the login, and follows its changes', async () => {
    const own = async () => (await ana.status()).instance.profileUsername
    const is = (name: string) => eventually(own, (one) => one === name)
    await is('ana.own')
    for (const name of ['ana.two', '']) {
      await world.network('POST', `/phones/${ANA}/username`, name === '' ? {} : { username: name })
      await is(name)
    }
  })
})
