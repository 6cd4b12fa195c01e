import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface Found {
  chats: Json[]
  totalChatsStats: Record<string, number>
  pagination: Json
}

describe('chats', () => {
  const [ANA, BEN, EVE, KIM] = ['15550600001', '15550600002', '15550600003', '15550600004']
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [KIM]: 'Kim' },
    account: [ANA, 'Ana'],
    events: ['chats', 'labels', 'chat_labels', 'blocks', 'contacts'],
    complete: async () => {
      await world.write(BEN, ANA, 'hello')
      await ana.chat(BEN, ({ wa_unreadCount }) => wa_unreadCount === 1)
    },
  })

  const find = (body: Json) => ana.done<Found>('/chat/find', body)
  const chat: typeof ana.chat = (number, isSo) => ana.chat(number, isSo)
  const onPhone = (what: string, body: Json) => world.network('POST', `/phones/${ANA}/${what}`, body)

  it('follow changes on the phone: archived, pinned, muted, marked, and back', async () => {
    const muteEndTime = Date.now() + 3_600_000
    await onPhone('chats', { chat: BEN, archived: true, pinned: true, muteEndTime, unread: true })
    await chat(
      BEN,
      (one) =>
        one.wa_archived === true &&
        one.wa_isPinned === true &&
        one.wa_muteEndTime === muteEndTime &&
        one.wa_unreadCount === -1,
    )
    const event = await eventually(() =>
      receiver.of('chats').find(({ body }) => (body.chat as Json).wa_archived === true),
    )
    assert.equal(((event?.body.chat ?? {}) as Json).wa_chatid, `${BEN}@s.whatsapp.net`)
    assert.deepEqual((await find({})).totalChatsStats.archived_chats, 1)
    await onPhone('chats', { chat: BEN, archived: false, pinned: false, muteEndTime: 0, unread: false })
    await chat(
      BEN,
      (one) => !one.wa_archived && !one.wa_isPinned && one.wa_muteEndTime === 0 && one.wa_unreadCount === 0,
    )
    await onPhone('chats', { chat: BEN, muteEndTime: -1 })
    await chat(BEN, (one) => one.wa_muteEndTime === -1)
    assert.deepEqual((await find({})).totalChatsStats.archived_chats, 0)
  })

  it('have the labels of the phone, and lose deleted ones', async () => {
    await onPhone('labels', { id: '1', name: 'Important', color: 3 })
    await onPhone('labels', { id: '10', name: 'Later', color: 4 })
    const label = await eventually(() =>
      receiver.of('labels').find(({ body }) => (body.label as Json).labelid === '10'),
    )
    assert.deepEqual(label?.body.label, { id: '10', labelid: '10', name: 'Later', color: 4, deleted: false })
    await onPhone('chat-labels', { chat: BEN, label: '1' })
    await chat(BEN, (one) => one.wa_label === '["1"]')
    await onPhone('chat-labels', { chat: BEN, label: '10' })
    await chat(BEN, (one) => one.wa_label === '["1","10"]')
    await eventually(() => receiver.of('chat_labels').some(({ body }) => (body.chat as Json).wa_label === '["1"]'))
    await onPhone('chat-labels', { chat: BEN, label: '1', labeled: false })
    await chat(BEN, (one) => one.wa_label === '["10"]')
    assert.equal((await find({ wa_label: '1' })).chats.length, 0)
    assert.equal((await find({ wa_label: '10' })).chats.length, 1)
    await onPhone('labels', { id: '10', deleted: true })
    await chat(BEN, (one) => one.wa_label === '[]')
  })

  it('show blocked people', async () => {
    await onPhone('block', { number: BEN })
    await chat(BEN, (one) => one.wa_isBlocked === true)
    const event = await eventually(() => receiver.of('blocks').at(0))
    assert.equal(((event?.body.event ?? {}) as Json).Action, 'block')
    await onPhone('block', { number: BEN, blocked: false })
    await chat(BEN, (one) => one.wa_isBlocked === false)
  })

  it('of a person with number and LID are merged', async () => {
    await world.network('POST', `/phones/${EVE}/text`, { to: ANA, text: 'by number', addressing: 'pn' })
    await world.network('POST', `/phones/${EVE}/text`, { to: ANA, text: 'by LID', addressing: 'lid' })
    const eve = await chat(EVE, (one) => one.wa_unreadCount === 2)
    assert.equal((await find({ wa_chatlid: String(eve.wa_chatlid) })).chats.length, 1)
    assert.equal(eve.wa_lastMessageTextVote, 'by LID')
  })

  it('match the phone after a first login: settings, labels, names, and people who were blocked long before', async () => {
    const phone = '15550600011'
    const settings = async (what: string, body: Json) => world.network('POST', `/phones/${phone}/${what}`, body)
    await world.phone(phone, 'Old')
    const [oldest] = [1_700_000_000]
    await world.network('PUT', `/phones/${phone}/history`, {
      chats: [BEN, EVE, KIM].map((id) => ({
        id,
        unreadCount: id === EVE ? 2 : 0,
        messages: [{ text: `of ${id}`, timestamp: oldest }],
      })),
      contacts: [{ number: EVE, name: 'eve!' }],
    })
    await settings('block', { number: EVE })
    await settings('chats', { chat: BEN, archived: true, pinned: true })
    await settings('labels', { id: '7', name: 'Family', color: 1 })
    await settings('chat-labels', { chat: KIM, label: '7' })
    await settings('contacts', { number: KIM, name: 'Kim Possible', firstName: 'Kim' })
    const old = await world.instance('old', phone)
    const { body } = await old.call<{ instance: { paircode: string } }>('POST', '/instance/connect', { phone })
    await world.network('POST', `/phones/${phone}/code`, { code: body.instance.paircode })
    await old.connected()
    const look = async () => (await old.call<Found>('POST', '/chat/find', { sort: '+wa_chatid' })).body.chats
    const [ben, eve, kim] = await eventually(
      look,
      (all) =>
        all.length === 3 &&
        all[0]?.wa_isPinned === true &&
        all[1]?.name === 'eve!' &&
        all[1].wa_isBlocked === true &&
        all[2]?.wa_label === '["7"]' &&
        all[2].wa_contactName !== '' &&
        all.every(({ wa_lastMsgTimestamp }) => wa_lastMsgTimestamp !== 0),
    )
    assert.deepEqual(
      [ben?.wa_archived, ben?.wa_isPinned, ben?.wa_isBlocked, ben?.wa_unreadCount, ben?.wa_label],
      [true, true, false, 0, '[]'],
    )
    assert.deepEqual([eve?.wa_archived, eve?.wa_isBlocked, eve?.wa_unreadCount, eve?.name], [false, true, 2, 'eve!'])
    assert.deepEqual(
      [kim?.wa_label, kim?.name, kim?.wa_contactName, kim?.wa_isBlocked],
      ['["7"]', 'Kim Possible', 'Kim Possible', false],
    )
    assert.equal(kim?.wa_lastMsgTimestamp, oldest * 1000)
    // A part of the history that was made before a change does not undo it.
    await settings('chats', { chat: ANA, archived: true, muteEndTime: -1 })
    await eventually(look, (all) => all[0]?.wa_archived === true)
    const late = { id: ANA, pinned: true, muteEndTime: 0, messages: [{ text: 'late', timestamp: oldest }] }
    await world.network('PUT', `/phones/${phone}/history`, { chats: [late] })
    await world.network('POST', `/phones/${phone}/history`)
    const [ana] = await eventually(look, (all) => all[0]?.wa_lastMessageTextVote === 'late')
    assert.deepEqual([ana?.wa_archived, ana?.wa_isPinned, ana?.wa_muteEndTime], [true, true, -1])
    await settings('chats', { chat: BEN, archived: false, pinned: false })
    await settings('contacts', { number: KIM, name: 'Kim Changed', firstName: 'Kim' })
    await eventually(
      look,
      (all) =>
        all[1]?.wa_archived === false && all[1].wa_isPinned === false && all[3]?.wa_contactName === 'Kim Changed',
    )
    // Also of those whom the connection that was told of the list did not outlive.
    await old.call('POST', '/instance/reset')
    await old.connected()
    assert.deepEqual(
      (await look()).map(({ wa_isBlocked }) => wa_isBlocked),
      [false, false, true, false],
    )
    // Nor does a part that comes over the next connection.
    await world.network('PUT', `/phones/${phone}/history`, {
      chats: [{ id: BEN, archived: true, pinned: true, messages: [{ text: 'later still', timestamp: oldest + 1 }] }],
      contacts: [{ number: KIM, name: 'Kim Possible' }],
    })
    await world.network('POST', `/phones/${phone}/history`)
    const [, after, , kimAfter] = await eventually(look, (all) => all[1]?.wa_lastMessageTextVote === 'later still')
    assert.deepEqual([after?.wa_archived, after?.wa_isPinned], [false, false])
    assert.deepEqual([kimAfter?.wa_contactName, kimAfter?.name], ['Kim Changed', 'Kim Changed'])
  })

  it('of a long history are complete, each with its last message and the right unread count', async () => {
    const phone = '15550600012'
    await world.phone(phone, 'Long')
    const people = Array.from({ length: 150 }, (_, index) => String(15_550_700_000 + index))
    await world.network('PUT', `/phones/${phone}/history`, {
      chats: people.map((id, index) => ({
        id,
        name: `Person ${index}`,
        unreadCount: index % 3,
        muteEndTime: index === 1 ? 1_900_000_000 : undefined,
        messages: Array.from({ length: 16 }, (_, place) => ({
          text: `${place} of ${index}`,
          timestamp: 1_700_000_000 + index * 20 + place,
        })),
      })),
    })
    const old = await world.instance('long', phone)
    const { body } = await old.call<{ instance: { paircode: string } }>('POST', '/instance/connect', { phone })
    await world.network('POST', `/phones/${phone}/code`, { code: body.instance.paircode })
    await old.connected()
    const ask = async (fields: Json) => (await old.call<Found>('POST', '/chat/find', { limit: 1000, ...fields })).body
    const all = await eventually(
      () => ask({ wa_lastMessageTextVote: '15 of ' }),
      ({ pagination }) => pagination.totalRecords === 150,
    )
    assert.deepEqual(
      all.chats.map(({ wa_chatid, name, wa_unreadCount, wa_lastMsgTimestamp }) => [
        wa_chatid,
        name,
        wa_unreadCount,
        wa_lastMsgTimestamp,
      ]),
      people
        .map((id, index) => [`${id}@s.whatsapp.net`, `Person ${index}`, index % 3, (1_700_000_015 + index * 20) * 1000])
        .toReversed(),
    )
    assert.deepEqual(
      [
        all.totalChatsStats.total_chats,
        all.totalChatsStats.unread_chats,
        (await ask({ wa_unreadCount: '>=2' })).chats.length,
      ],
      [150, 100, 50],
    )
    const muted = await ask({ wa_muteEndTime: '>0' })
    assert.deepEqual(
      muted.chats.map(({ wa_chatid, wa_muteEndTime }) => [wa_chatid, wa_muteEndTime]),
      [[`${people[1]}@s.whatsapp.net`, 1_900_000_000_000]],
    )
    let messages = 0
    for (let hasMore = true; hasMore; ) {
      const page = await old.call<{ returnedMessages: number; hasMore: boolean }>('POST', '/message/find', {
        limit: 1000,
        offset: messages,
      })
      messages += page.body.returnedMessages
      hasMore = page.body.hasMore
    }
    assert.equal(messages, 150 * 16)
  })

  it("have the name of the address book, otherwise the person's own name", async () => {
    await chat(BEN, (one) => one.name === 'Ben' && one.wa_name === 'Ben')
    await onPhone('contacts', { number: BEN, name: 'Benjamin Silva', firstName: 'Benjamin' })
    const saved = await chat(BEN, (one) => one.wa_contactName === 'Benjamin Silva')
    assert.equal(saved.name, 'Benjamin Silva')
    const event = await eventually(() =>
      receiver.of('contacts').find(({ body }) => ((body.contact ?? {}) as Json).contact_name === 'Benjamin Silva'),
    )
    assert.equal(((event?.body.contact ?? {}) as Json).contact_FirstName, 'Benjamin')
    await onPhone('contacts', { number: BEN })
    const removed = await chat(BEN, (one) => one.wa_contactName === '')
    assert.equal(removed.name, 'Ben')
  })

  it('have the name that was saved through the API, and the phone has the contact too', async () => {
    const saved = await ana.call<Json>('POST', '/contact/add', { phone: `+${BEN}`, name: 'Ben of the shop' })
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    assert.deepEqual(saved.body.contact, { jid: `${BEN}@s.whatsapp.net`, name: 'Ben of the shop', phone: `+${BEN}` })
    const one = await chat(BEN, ({ name }) => name === 'Ben of the shop')
    const onPhones = async () =>
      (await world.network<{ index: string[]; value: Json }[]>('GET', `/phones/${ANA}/app-state`)).find(
        ({ index }) => index[0] === 'contact' && index[1] === `${BEN}@s.whatsapp.net`,
      )?.value.contactAction as Json | undefined
    const { fullName, firstName, lidJid } = (await onPhones()) ?? {}
    assert.deepEqual([fullName, firstName, lidJid], ['Ben of the shop', 'Ben', one.wa_chatlid])
    const gone = await ana.call<Json>('POST', '/contact/remove', { number: BEN })
    assert.deepEqual([gone.status, gone.body.removed_contact], [200, `${BEN}@s.whatsapp.net`])
    await chat(BEN, ({ name, wa_contactName }) => name === 'Ben' && wa_contactName === '')
    assert.equal((await onPhones())?.fullName ?? '', '')
    assert.equal((await ana.call('POST', '/contact/add', { phone: '15550600099', name: 'Nobody' })).status, 404)
    assert.equal((await ana.call('POST', '/contact/add', { phone: BEN })).status, 400)
    assert.equal((await ana.call('POST', '/contact/add', { name: 'Nobody' })).status, 400)
  })

  it('of groups show what members may do, and follow the group', async () => {
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: BEN,
      subject: 'Trip',
      members: [ANA],
    })
    const group = (isSo: (chat: Json) => boolean) => chat(jid, isSo)
    const made = await group((one) => one.wa_isGroup_member === true)
    assert.deepEqual(
      [made.name, made.wa_isGroup, made.wa_isGroup_admin, made.wa_isGroup_announce],
      ['Trip', true, false, false],
    )
    const change = (body: Json) => world.network('PATCH', `/groups/${jid}`, { by: BEN, ...body })
    await change({ subject: 'Journey', announce: true, promote: [ANA], ephemeralSeconds: 86_400 })
    const changed = await group((one) => one.wa_isGroup_admin === true && one.wa_ephemeralExpiration === 86_400)
    assert.deepEqual([changed.name, changed.wa_isGroup_announce], ['Journey', true])
    await change({ demote: [ANA], announce: false, ephemeralSeconds: 0 })
    await group((one) => !one.wa_isGroup_admin && !one.wa_isGroup_announce && one.wa_ephemeralExpiration === 0)
    await change({ remove: [ANA] })
    await group((one) => one.wa_isGroup_member === false)
    assert.equal((await find({})).totalChatsStats.groups, 1)
  })

  it('are marked as read for the senders, and as unread on the phone', async () => {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${KIM}/text`, { to: ANA, text: 'read me' })
    await chat(KIM, (one) => one.wa_unreadCount === 1)
    // That this account has read it only its own devices can tell.
    const attrs = { id, from: `${KIM}@s.whatsapp.net`, type: 'read-self', t: '1700000000' }
    await world.network('POST', '/faults/stanza', { phone: ANA, device: 1, stanza: { tag: 'receipt', attrs } })
    await world.network('POST', `/phones/${KIM}/text`, { to: ANA, text: 'and me' })
    await chat(KIM, (one) => one.wa_unreadCount === 2)
    const read = (body: Json) => ana.call<{ response: string; error: string }>('POST', '/chat/read', body)
    assert.equal((await read({ number: KIM, read: true })).status, 200)
    await chat(KIM, (one) => one.wa_unreadCount === 0)
    await eventually(
      () => world.network<{ type: string }[]>('GET', `/phones/${KIM}/receipts?id=${id}`),
      (receipts) => receipts.some(({ type }) => type === 'read'),
    )
    assert.equal((await read({ number: KIM, read: false })).body.response, 'Chat marked as unread')
    await chat(KIM, (one) => one.wa_unreadCount === -1)
    const state = await world.network<{ index: string[]; value: Json }[]>('GET', `/phones/${ANA}/app-state`)
    const mark = state.find(({ index }) => index[0] === 'markChatAsRead' && index[1] !== `${BEN}@s.whatsapp.net`)
    assert.equal(((mark?.value.markChatAsReadAction ?? {}) as Json).read, false)
    const group = await world.network<{ jid: string }>('POST', '/groups', {
      owner: KIM,
      subject: 'Read',
      members: [ANA],
    })
    await world.network('POST', `/phones/${KIM}/text`, { to: group.jid, text: 'to all' })
    await chat(group.jid, (one) => one.wa_unreadCount === 1)
    await onPhone('read', { chat: group.jid, type: 'read-self' })
    await chat(group.jid, (one) => one.wa_unreadCount === 0)
    const nobody = await read({ number: '15550600098', read: true })
    assert.deepEqual([nobody.status, nobody.body.error], [404, 'Chat not found'])
    assert.equal((await read({ number: 'me', read: true })).status, 400)
  })

  it('have pictures, which are fetched with their details', async () => {
    const details = (body: Json) => ana.call<Json>('POST', '/chat/details', body)
    assert.deepEqual((await details({ number: BEN })).body.image, '')
    await world.network('PATCH', `/phones/${BEN}`, { picture: 'https://pictures.example/ben' })
    const { body } = await details({ number: BEN })
    assert.deepEqual(
      [body.image, body.wa_chatid, body.owner, body.common_groups],
      ['https://pictures.example/ben?image', `${BEN}@s.whatsapp.net`, ANA, ''],
    )
    await details({ number: BEN, preview: true })
    const stored = await chat(BEN, () => true)
    assert.deepEqual(
      [stored.image, stored.imagePreview],
      ['https://pictures.example/ben?image', 'https://pictures.example/ben?preview'],
    )
    const { body: refused } = await ana.call<Json>('POST', '/chat/picture', { number: BEN })
    assert.equal(refused.code, 'MEDIA_UNAVAILABLE', 'from no host but those of the network')
    await world.phone('15550600020', 'Nobody yet')
    const fresh = await details({ number: '15550600020' })
    assert.deepEqual([fresh.status, fresh.body.phone, fresh.body.id], [200, '+15550600020', ''])
    assert.equal((await details({ number: '15550600099' })).status, 404)
  })

  it('have pictures, which the gateway gives itself, as does the own account', async () => {
    const ask = (body: Json) =>
      fetch(`${world.gateway.url}/chat/picture`, {
        method: 'POST',
        headers: { token: ana.token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const group = await ana.done<{ JID: string }>('/group/create', { name: 'Seen', participants: [BEN] })
    const image = (
      await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer()
    ).toString('base64')
    for (const [set, of] of [
      [{ path: '/profile/image', body: { image } }, {}],
      [
        { path: '/group/updateImage', body: { image, groupjid: group.JID } },
        { number: group.JID, preview: true },
      ],
    ] as const) {
      assert.equal((await ask(of)).status, 204, set.path)
      assert.equal((await ana.call('POST', set.path, set.body)).status, 200)
      // It is remembered for a while that there is none.
      const answer = await ask({ ...of, preview: !('preview' in of) })
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg'], set.path)
      const metadata = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      assert.equal(metadata.format, 'jpeg')
    }
    assert.equal((await ask({ number: 'me' })).status, 400)
  })

  it('can be checked for accounts before the first message', async () => {
    const { body: group } = await ana.call<Found>('POST', '/chat/find', { name: 'Journey' })
    const numbers = [BEN, '+1 555 060 0099', 'nonsense', String(group.chats[0]?.wa_chatid)]
    const { body } = await ana.call<Json[]>('POST', '/chat/check', { numbers })
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${BEN}`)
    assert.deepEqual(
      body.map(({ query, isInWhatsapp }) => [query, isInWhatsapp]),
      numbers.map((query, index) => [query, index === 0 || index === 3]),
    )
    assert.deepEqual([body[0]?.jid, body[0]?.lid], [`${BEN}@s.whatsapp.net`, lid])
    assert.match(String(body[2]?.error), /Invalid number/)
    assert.equal(body[3]?.groupName, 'Journey')
  })

  it('of Brazilian numbers are found with and without the ninth digit', async () => {
    const [known, asked] = ['551187654321', '5511987654321']
    await world.phone(known, 'Bia')
    const sent = await ana.text(asked, 'oi')
    assert.equal(sent.chatid, `${known}@s.whatsapp.net`)
    assert.equal((await ana.text(known, 'oi de novo')).chatid, sent.chatid)
    const { body } = await ana.call<Json[]>('POST', '/chat/check', { numbers: [asked, known, '5511934567890'] })
    assert.deepEqual(
      body.map(({ query, isInWhatsapp, jid }) => [query, isInWhatsapp, jid]),
      [
        [asked, true, sent.chatid],
        [known, true, sent.chatid],
        ['5511934567890', false, ''],
      ],
    )
    const archived = await ana.call<Json>('POST', '/chat/archive', { number: asked, archive: true })
    assert.equal(archived.status, 200, JSON.stringify(archived.body))
    await chat(String(sent.chatid), (one) => one.wa_archived === true)
    const created = await ana.call<{ JID: string }>('POST', '/group/create', {
      name: 'Bairro',
      participants: [asked],
    })
    assert.equal(created.status, 200, JSON.stringify(created.body))
    const mention = await ana.text(created.body.JID, `@${asked}, vem?`, { mentions: asked })
    const shown = await eventually(
      async () =>
        (await world.network<Json[]>('GET', `/phones/${known}/messages`)).find(({ id }) => id === mention.messageid),
      (message) => message !== undefined,
    )
    assert.deepEqual(shown?.mentions, [{ number: known, drawn: true }])
  })

  it('refuse searches by unknown fields', async () => {
    for (const [body, field] of [
      [{ wa_colour: 'red' }, 'wa_colour'],
      [{ wa_unreadCount: 'many' }, 'wa_unreadCount'],
      [{ wa_label: '>1' }, 'wa_label'],
      [{ name: { $ne: '' } }, 'name'],
      [{ operator: 'XOR' }, 'operator'],
      [{ sort: '-wa_colour' }, 'sort'],
      [{ sort: 'name; DROP TABLE chat' }, 'sort'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 100_000 }, 'limit'],
      [{ offset: -1 }, 'offset'],
      [{ wa_archived: 2 }, 'wa_archived'],
    ] as const) {
      const { status, body: answer } = await ana.call<{ error: string; details: Json[] }>('POST', '/chat/find', body)
      assert.equal(status, 400, JSON.stringify([body, answer]))
      assert.equal(answer.details[0]?.field, field, JSON.stringify(answer))
      assert.match(answer.error, new RegExp(`^Invalid request: ${field} `))
    }
    // In any case of its letters, as everywhere.
    assert.equal((await find({ WA_CHATID: BEN, LIMIT: 5 })).pagination.pageSize, 5)
  })

  it('are listed page by page, by page number or by offset', async () => {
    const ids = async (body: Json) =>
      (await find({ sort: '+wa_chatid', ...body })).chats.map(({ wa_chatid }) => wa_chatid)
    const all = await ids({})
    assert.ok(all.length >= 3, String(all.length))
    assert.deepEqual(await ids({ limit: 1, offset: 1 }), all.slice(1, 2))
    assert.deepEqual(await ids({ page: 3, pageSize: 1 }), all.slice(2, 3))
    assert.deepEqual((await find({ page: 2, pageSize: 1 })).pagination, {
      totalRecords: all.length,
      pageSize: 1,
      currentPage: 2,
      totalPages: all.length,
      hasNextPage: true,
      hasPreviousPage: true,
    })
    assert.deepEqual(await ids({ offset: 1000 }), [])
  })

  it('have contacts: those of the address book, and others who wrote', async () => {
    await onPhone('contacts', { number: KIM, name: 'Kim Possible', firstName: 'Kim' })
    const list = async (body: Json) => {
      const answer = await ana.call<{ contacts: Json[]; pagination: Json }>('POST', '/contacts/list', body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    const book = await eventually(
      () => list({ contactScope: 'address_book' }),
      ({ contacts }) => contacts.length === 1,
    )
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${KIM}`)
    assert.deepEqual(book.contacts, [
      {
        ...{ jid: `${KIM}@s.whatsapp.net`, contact_name: 'Kim Possible', contact_FirstName: 'Kim' },
        ...{ lid, push_name: 'Kim', username: '' },
      },
    ])
    // Under the LID it is the same contact.
    await world.network('POST', `/phones/${KIM}/text`, { to: ANA, text: 'it is Kim', addressing: 'lid' })
    await chat(KIM, (one) => one.wa_lastMessageTextVote === 'it is Kim')
    const all = await list({})
    const jids = all.contacts.map(({ jid }) => jid)
    assert.deepEqual(
      jids,
      [BEN, EVE, KIM].map((number) => `${number}@s.whatsapp.net`),
    )
    const { contacts, pagination } = await list({ page: 2, pageSize: 2 })
    assert.deepEqual(
      contacts.map(({ jid }) => jid),
      jids.slice(2),
    )
    assert.deepEqual(pagination, {
      totalRecords: 3,
      totalDeviceContacts: 1,
      pageSize: 2,
      currentPage: 2,
      totalPages: 2,
      hasNextPage: false,
      hasPreviousPage: true,
    })
    // By a part of either name, and by a number as people write it.
    const found = async (body: Json) => {
      const { contacts, pagination } = await list(body)
      return [contacts.map(({ jid }) => jid), pagination.totalRecords]
    }
    const kim = [[`${KIM}@s.whatsapp.net`], 1]
    for (const search of [
      'possible',
      ' KIM ',
      `+${KIM.slice(0, 2)} (${KIM.slice(2, 4)}) ${KIM.slice(4)}`,
      `${KIM}@s.whatsapp.net`,
      String(lid),
    ])
      assert.deepEqual(await found({ search }), kim, search)
    assert.deepEqual(await found({ search: 'kim', contactScope: 'outside_address_book' }), [[], 0])
    assert.deepEqual(await found({ search: 'kim', offset: 1, limit: 5 }), [[], 1])
    // A sign of patterns stands for itself.
    assert.deepEqual(await found({ search: '%' }), [[], 0])
    assert.deepEqual(await found({ search: '_im' }), [[], 0])
    const tooLong = await ana.call<{ error: string }>('POST', '/contacts/list', { search: 'x'.repeat(201) })
    assert.equal(tooLong.status, 400)
    assert.match(tooLong.body.error, /search/)
    const whole = await ana.call<Json[]>('GET', '/contacts')
    assert.deepEqual(whole.body, all.contacts)
    const others = await ana.call<Json[]>('GET', '/contacts?contactScope=outside_address_book')
    assert.equal(others.body.length, 2)
    const unpaired = await world.instance('unpaired')
    for (const [method, path] of [
      ['POST', '/contacts/list'],
      ['GET', '/contacts'],
    ] as const) {
      const { status, body } = await unpaired.call<{ error: string }>(method, path)
      assert.deepEqual([status, body.error], [409, 'No session'])
    }
  })
})
