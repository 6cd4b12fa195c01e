import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { routes } from '../../api/routes.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png } from '../support/samples.js'

type Json = Record<string, unknown>

const ANA = '15550740001'
const BEN = '15550740002'
const EVE = '15550740003'

describe('the fields that every send takes', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'chats'],
  })

  /** Texts of a phone, told before this returns. */
  const written = async (phone: string, text: string, count: number, to = ANA) => {
    const made = await world.network<{ id?: string; ids?: string[] }>('POST', `/phones/${phone}/text`, {
      to,
      text,
      count,
    })
    const ids = made.ids ?? [String(made.id)]
    await eventually(() => ids.every((id) => findMessage(id) !== undefined))
    return ids
  }
  const findMessage = (id: string) =>
    receiver
      .of('messages')
      .map(({ body }) => body.message as Json)
      .find(({ messageid }) => messageid === id)
  const listRead = async (phone: string, ids: readonly string[]) => {
    const receipts = await world.network<{ id: string; type: string }[]>('GET', `/phones/${phone}/receipts`)
    return ids.filter((id) => receipts.some((one) => one.id === id && one.type === 'read'))
  }
  const seen = (phone: string, id: unknown, is: (message: Json) => boolean = () => true) =>
    eventually(
      async () => (await world.network<Json[]>('GET', `/phones/${phone}/messages`)).find((one) => one.id === id) ?? {},
      (one) => one.id === id && is(one),
    )
  /** What some sends name: a poll, a group, a product, and files that exist. */
  const namedThings = async (): Promise<Readonly<Record<string, Json>>> => {
    const poll = { to: ANA, question: 'Which?', options: ['A', 'B'] }
    const { id } = await world.network<{ id: string }>('POST', `/phones/${EVE}/poll`, poll)
    await eventually(() => findMessage(id))
    const group = { owner: ANA, subject: 'Own', members: [BEN] }
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', group)
    await eventually(() => ana.chat(jid))
    await world.network('PUT', `/phones/${ANA}/business`, {})
    const file = (await png()).toString('base64')
    const made = await ana.done('/business/catalog/create', { name: 'Bread', images: [file] })
    const product = (made as unknown as { response: { id: string } }).response.id
    return {
      '/message/vote': { id, options: ['A'] },
      '/send/group-invite': { groupjid: jid },
      '/send/product': { id: product, image: file },
      '/send/album': { files: [1, 2].map(() => ({ type: 'image', file })) },
    }
  }
  const mentionsAt = async (phone: string, id: unknown) => (await seen(phone, id)).mentions

  it('readmessages leaves older messages unread: 18 unread become 8', async () => {
    const person = '15550740005'
    await world.phone(person, 'Mia')
    const unread = async () =>
      (await ana.call<{ chats: Json[] }>('POST', '/chat/find', { phone: person })).body.chats[0]?.wa_unreadCount
    const ids = await written(person, 'one of eighteen', 18)
    await eventually(unread, (count) => count === 18)
    await ana.text(person, 'read ten', { readmessages: true })
    await eventually(unread, (count) => count !== 18)
    assert.equal(await unread(), 8)
    assert.deepEqual(await listRead(person, ids), ids.slice(-10))
    const found = await ana.call<{ messages: Json[] }>('POST', '/message/find', { chatid: person, limit: 50 })
    const read = found.body.messages.filter(({ status }) => status === 'read').map(({ messageid }) => messageid)
    assert.deepEqual(read.toReversed(), ids.slice(-10))
    // The same ten are marked once.
    await ana.text(person, 'again', { readmessages: true })
    const [next = ''] = await written(person, 'one more', 1)
    await eventually(unread, (count) => count === 9)
    await ana.text(person, 'read it too', { readmessages: true })
    await eventually(unread, (count) => count === 8)
    assert.deepEqual(await listRead(person, [next]), [next])
    await ana.text(person, 'all', { readchat: true })
    await eventually(unread, (count) => count === 0)
  })

  it('readmessages marks only the last ten received messages as read', async () => {
    const ids = await written(BEN, 'one of many', 14)
    const others = await written(EVE, 'another chat', 1)
    await ana.text(BEN, 'our own, which nobody marks')
    await ana.text(BEN, 'read them', { readmessages: true })
    await eventually(
      () => listRead(BEN, ids),
      (read) => read.length >= 10,
    )
    // What comes after it at the phone says that nothing more came before.
    await ana.text(BEN, 'afterwards')
    assert.deepEqual(await listRead(BEN, ids), ids.slice(-10))
    assert.deepEqual(await listRead(EVE, others), [])
    // These ten are still the last ones.
    await ana.text(BEN, 'again', { readmessages: true })
    await ana.text(BEN, 'afterwards')
    assert.deepEqual(await listRead(BEN, ids), ids.slice(-10))
  })

  it('a refusal by the network gives 502 on every send route, and 500 on /message/react as in the interface', async () => {
    const [theirs] = await written(EVE, 'react to this', 1)
    // Campaigns take their messages at once and send them later. Status posts have no number, and tests of their own.
    const takesId = (path: string) => path === '/message/react' || path === '/send/forward'
    const isApart = (path: string) => path.startsWith('/sender/') || path === '/send/status'
    const sends = routes.filter(({ idempotent, path }) => idempotent === true && !isApart(path))
    assert.ok(sends.length >= 8)
    assert.ok(routes.every((one) => !one.path.startsWith('/send/') || isApart(one.path) || sends.includes(one)))
    const things = await namedThings()
    const fault = await world.network('POST', '/faults', { kind: 'ack-error', code: 479, phone: ANA, recipient: EVE })
    for (const { path, schema } of sends) {
      const { request } = JSON.parse(readFileSync(`schemas/${String(schema)}`, 'utf8')).$defs as {
        request: { examples: [Json] }
      }
      const body = { ...request.examples[0], number: EVE, ...(takesId(path) ? { id: theirs } : things[path]) }
      const { status, body: said } = await ana.call<Json>('POST', path, body)
      const expected = path === '/message/react' ? [500, 'SEND_FAILED'] : [502, 'SEND_REFUSED']
      assert.deepEqual([status, said.code, said.provider_code], [...expected, 479], `${path}: ${JSON.stringify(said)}`)
    }
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    // So is one of the question whether there is such a number.
    const refused = await world.network('POST', '/faults', { kind: 'look-up-refused', code: 429, phone: ANA })
    const unknown = '15550740099'
    await world.phone(unknown)
    for (const { path } of sends.filter(({ path }) => path === '/send/text')) {
      const { status, body } = await ana.call<Json>('POST', path, { number: unknown, text: 'x' })
      assert.deepEqual([status, body.code, body.provider_code], [502, 'SEND_REFUSED', 429], JSON.stringify(body))
    }
    const queued = await ana.text(unknown, 'x', { async: true })
    await eventually(
      async () =>
        (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id: queued.messageid })).body.messages[0],
      (record) => record?.status === 'failed',
    )
    await world.network('DELETE', `/faults/${String(refused.id)}`)
  })

  it('readchat and readmessages mark nothing for a send that was refused', async () => {
    const [id = ''] = await written(EVE, 'no answer', 1)
    const fault = await world.network('POST', '/faults', { kind: 'ack-error', code: 479, phone: ANA, recipient: EVE })
    for (const option of ['readchat', 'readmessages']) {
      const refused = await ana.call<Json>('POST', '/send/text', { number: EVE, text: 'no', [option]: true })
      assert.deepEqual([refused.status, refused.body.code], [502, 'SEND_REFUSED'])
    }
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    await ana.text(EVE, 'afterwards')
    assert.deepEqual(await listRead(EVE, [id]), [])
  })

  it('readchat removes an unread mark that was set on the phone', async () => {
    const person = '15550740004'
    await world.phone(person, 'Kim')
    await ana.text(person, 'hello')
    const unread = async () =>
      (await ana.call<{ chats: Json[] }>('POST', '/chat/find', { phone: person })).body.chats[0]?.wa_unreadCount
    await world.network('POST', `/phones/${ANA}/chats`, { chat: person, unread: true })
    await eventually(unread, (count) => count === -1)
    await ana.text(person, 'seen', { readchat: true })
    await eventually(unread, (count) => count === 0)
    const state = await world.network<{ index: string[]; value: Json }[]>('GET', `/phones/${ANA}/app-state`)
    // The phone names the chat by its number, we by its LID.
    const mark = state.findLast(({ index }) => index[0] === 'markChatAsRead')?.value.markChatAsReadAction as Json
    assert.equal(mark.read, true)
  })

  it('readchat marks the chat read and clears its count, after the message is out', async () => {
    const [id = ''] = await written(EVE, 'unread', 1)
    const count = () => (receiver.of('chats').at(-1)?.body.chat as Json | undefined)?.wa_unreadCount
    const { messageid } = await ana.text(EVE, 'read it', { readchat: true })
    await eventually(
      () => listRead(EVE, [id]),
      (read) => read.length === 1,
    )
    await eventually(count, (unread) => unread === 0)
    const frames = await world.network<{ tag: string; type?: string; id: string; sequence: number }[]>(
      'GET',
      `/log/frames?device=${ANA}:1&direction=in`,
    )
    const at = (is: (frame: (typeof frames)[number]) => boolean) => frames.find(is)?.sequence ?? 0
    const sent = at((frame) => frame.tag === 'message' && frame.id === messageid)
    assert.ok(sent > 0 && at((frame) => frame.tag === 'receipt' && frame.type === 'read' && frame.id === id) > sent)
  })

  it('mentions takes numbers separated by commas, in groups only', async () => {
    const group = await world.network('POST', '/groups', { owner: BEN, subject: 'Trip', members: [ANA, EVE] })
    const jid = String(group.jid)
    const { messageid } = await ana.text(jid, 'you two', { mentions: `${BEN}, +1 555 074 0003` })
    assert.deepEqual(
      await mentionsAt(EVE, messageid),
      [BEN, EVE].map((number) => ({ number, drawn: false })),
    )
    const { messageid: alone } = await ana.text(BEN, 'you', { mentions: EVE })
    assert.deepEqual(await mentionsAt(BEN, alone), [])
    const wrong = await ana.call<Json>('POST', '/send/text', { number: jid, text: 'nobody', mentions: `${BEN},abc` })
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'INVALID_NUMBER'])
    assert.deepEqual((wrong.body.details as Json[])[0]?.field, 'mentions')
    const groups = await ana.call<Json>('POST', '/send/text', { number: jid, text: 'x', mentions: jid, async: true })
    assert.deepEqual([groups.status, groups.body.code], [400, 'INVALID_NUMBER'])
  })

  for (const addressing of ['lid', 'pn']) {
    it(`people are named as their group names them: by ${addressing}`, async () => {
      const members = [ANA, EVE]
      const made = await world.network('POST', '/groups', { owner: BEN, subject: 'Forms', members, addressing })
      const number = String(made.jid)
      const [id = ''] = await written(BEN, 'who comes?', 1, number)
      // What devices share names the last message of a chat.
      assert.equal((await ana.call('POST', '/chat/archive', { number, archive: true })).status, 200)
      const state = await world.network<{ value: Json }[]>('GET', `/phones/${ANA}/app-state`)
      const archived = state.findLast(({ value }) => JSON.stringify(value.archiveChatAction)?.includes(id))
      assert.match(
        JSON.stringify(archived),
        addressing === 'lid' ? /"participant":"\d+@lid"/ : new RegExp(`"participant":"${BEN}@s`),
      )

      const drawn = [BEN, EVE].map((one) => ({ number: one, drawn: true }))

      const answer = await ana.text(number, `@${BEN} and @${EVE}?`, { replyid: id, mentions: `${BEN},${EVE}` })
      const shown = await seen(EVE, answer.messageid)
      assert.deepEqual([shown.quotedId, shown.mentions], [id, drawn])
      const { lid } = await world.network<{ lid: string }>('GET', `/phones/${EVE}`)
      const asWritten = addressing === 'pn' ? `@${EVE}?` : `@${lid.split('@')[0]}?`
      assert.ok(String(shown.text).endsWith(asWritten), String(shown.text))

      const own = await ana.text(number, `I do, @${EVE}`, { replyid: answer.messageid, mentions: 'all' })
      assert.deepEqual(
        [(await seen(EVE, own.messageid)).quotedId, await mentionsAt(EVE, own.messageid)],
        [answer.messageid, [EVE, BEN].map((one) => ({ number: one, drawn: one === EVE }))],
      )
      const menu = await ana.call<Json>('POST', '/send/menu', {
        number,
        type: 'button',
        text: `Well, @${EVE}?`,
        choices: ['Yes', 'No'],
        mentions: EVE,
        replyid: id,
      })
      const buttons = await seen(EVE, menu.body.messageid)
      assert.deepEqual([buttons.quotedId, buttons.mentions], [id, [{ number: EVE, drawn: true }]])

      const edit = await ana.call<Json>('POST', '/message/edit', { id: answer.messageid, text: `@${BEN}, @${EVE}!` })
      assert.equal(edit.status, 200, JSON.stringify(edit.body))
      await seen(
        EVE,
        answer.messageid,
        ({ text }) => text === String(shown.text).replace(' and ', ', ').replace('?', '!'),
      )
      await ana.call('POST', '/message/delete', { id: own.messageid })
      await seen(EVE, own.messageid, ({ deleted }) => deleted === true)

      assert.equal((await ana.call('POST', '/message/react', { number, id, text: '👍' })).status, 200)
      await eventually(
        async () => (await world.network<Json[]>('GET', `/phones/${BEN}/sent`)).find((one) => one.id === id)?.reactions,
        (all) => JSON.stringify(all) === JSON.stringify([{ from: ANA, text: '👍' }]),
      )
      await ana.call('POST', '/message/markread', { id: [id] })
      await eventually(
        () => listRead(BEN, [id]),
        (read) => read.length === 1,
      )
    })
  }

  it('a group that changes to LIDs is addressed by LIDs', async () => {
    const made = await world.network('POST', '/groups', {
      owner: BEN,
      subject: 'Moved',
      members: [ANA],
      addressing: 'pn',
    })
    const number = String(made.jid)
    await seen(BEN, (await ana.text(number, 'by number')).messageid)
    await world.network('PATCH', `/groups/${number}`, { by: BEN, addressing: 'lid' })
    const [id = ''] = await written(BEN, 'by LID', 1, number)
    const answer = await ana.text(number, `@${BEN}`, { replyid: id, mentions: BEN })
    const shown = await seen(BEN, answer.messageid)
    assert.deepEqual([shown.quotedId, shown.mentions], [id, [{ number: BEN, drawn: true }]])
  })

  it('messages can also be named by the id of their record', async () => {
    const [id = ''] = await written(BEN, 'named', 1)
    const record = String(findMessage(id)?.id)
    const own = await ana.text(BEN, 'a reply', { replyid: record })
    assert.equal(own.quoted, id)
    const queued = await ana.text(BEN, 'a queued reply', { replyid: record, async: true })
    assert.equal(queued.quoted, id)
    const quoted = async (one: unknown) =>
      (await world.network<Json[]>('GET', `/phones/${BEN}/messages`)).find((message) => message.id === one)?.quotedId
    for (const one of [own, queued])
      await eventually(
        () => quoted(one.messageid),
        (at) => at === id,
      )
    const reaction = await ana.call<Json>('POST', '/message/react', { number: BEN, id: record, text: '👍' })
    assert.equal(reaction.status, 200, JSON.stringify(reaction.body))
    const found = await ana.call<{ messages: Json[] }>('POST', '/message/find', { id: reaction.body.messageid })
    assert.equal(found.body.messages[0]?.reaction, id)
    const marked = await ana.call<{ results: Json[] }>('POST', '/message/markread', { id: [record] })
    assert.deepEqual(marked.body.results, [{ message_id: record, status: 'success' }])
    const edited = await ana.call<Json>('POST', '/message/edit', { id: own.id, text: 'edited' })
    assert.equal(edited.status, 200, JSON.stringify(edited.body))
    const deleted = await ana.call<Json>('POST', '/message/delete', { id: own.id })
    assert.deepEqual([deleted.status, deleted.body.id], [200, own.messageid])
  })

  it('a reply to a message that is not stored is sent without the quotation, and says so', async () => {
    const soon = Date.now() + 3_000
    for (const [how, other] of [
      ['at once', {}],
      ['queued', { async: true }],
      ['at a time', { send_at: soon }],
      ['by an id of another record', { replyid: 'r0000000' }],
    ] as const) {
      const text = `as you said long ago, ${how}`
      const reply = { number: BEN, text, replyid: '3EB0000000000000000000', ...other }
      const answer = await ana.call<Json>('POST', '/send/text', reply)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.match(JSON.stringify(answer.body.warnings), /replyid: .* without the quotation/)
      const shown = await eventually(
        async () => (await world.network<Json[]>('GET', `/phones/${BEN}/messages`)).find((one) => one.text === text),
        (found) => found !== undefined,
      )
      assert.equal(shown?.quotedId ?? null, null)
    }
  })

  it('a reply to a message that is not stored quotes the text that the caller gives', async () => {
    const soon = Date.now() + 12_000
    const replyid = '3EB0000000000000000001'
    for (const [how, other] of [
      ['now', {}],
      ['queued', { async: true }],
      ['at a time', { send_at: soon }],
      ['with the owner', { replyid: `${ANA}:${replyid}` }],
    ] as const) {
      const text = `to what you said, ${how}`
      const reply = { number: BEN, text, replyid, quoted: 'What you said.', ...other }
      const answer = await ana.call<Json>('POST', '/send/text', reply)
      assert.deepEqual([answer.status, answer.body.warnings], [200, undefined], JSON.stringify(answer.body))
      const shown = await eventually(
        async () => (await world.network<Json[]>('GET', `/phones/${BEN}/messages`)).find((one) => one.text === text),
        (found) => found !== undefined,
      )
      assert.equal(shown?.quotedId, replyid)
    }
    const record = await ana.call<Json>('POST', '/send/text', {
      number: BEN,
      text: 'x',
      replyid: 'r0000000',
      quoted: 'y',
    })
    assert.match(JSON.stringify(record.body.warnings), /replyid: .* without the quotation/)
  })

  it('a group is answered by the id from its events', async () => {
    const group = await world.network('POST', '/groups', { owner: BEN, subject: 'Back', members: [ANA] })
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: group.jid, text: 'hi all' })
    const event = await eventually(
      () => findMessage(id),
      (message) => message !== undefined,
    )
    const { messageid } = await ana.text(String(event?.chatid), 'hi Ben')
    const shown = await eventually(
      async () => (await world.network<Json[]>('GET', `/phones/${BEN}/messages`)).find((one) => one.id === messageid),
      (one) => one !== undefined,
    )
    assert.deepEqual([shown?.chat, event?.isGroup], [group.jid, true])
  })

  it('the record of a message has its id, times and status in the documented form', async () => {
    const sent = await ana.text(BEN, 'look at me', { track_id: 'twice' })
    const again = await ana.text(BEN, 'and me', { track_id: 'twice' })
    for (const record of [sent, again]) {
      assert.match(String(record.id), /^r[0-9a-f]{7}$/)
      for (const time of [record.created, record.updated])
        assert.match(String(time), /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/)
      assert.ok(Math.abs(Date.parse(`${String(record.created).replace(' ', 'T')}Z`) - Date.now()) < 60_000)
      assert.ok(Math.abs(Number(record.messageTimestamp) - Date.now()) < 60_000)
      assert.deepEqual([record.status, record.messageType, record.fromMe, record.owner], ['sent', 'text', true, ANA])
      assert.deepEqual(record.response && (record.response as Json).status, 'success')
    }
    const found = (await ana.call<{ messages: Json[] }>('POST', '/message/find', { track_id: 'twice' })).body.messages
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([sent.id, again.id]))
  })

  it('leave no message undecryptable', async () => {
    for (const phone of [ANA, BEN, EVE]) assert.deepEqual(await world.network('GET', `/phones/${phone}/failures`), [])
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
  })
})
