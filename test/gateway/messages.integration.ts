import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface PhoneMessage {
  id: string
  text: string
  own: boolean
  arrivals: number
  quotedId: string | null
  mentions: { number: string }[]
  atMs: number
  message: { extendedTextMessage?: { contextInfo?: Json; title?: string; description?: string; matchedText?: string } }
}

describe('messages', () => {
  const BEN = '15550400002'
  const EVE = '15550400003'
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { SEND_ACK_TIMEOUT_MS: '1500', PRESENCE_REFRESH_MS: '300' },
    phones: { [BEN]: 'Ben Silva', [EVE]: 'Eve' },
    account: ['15550400001', 'Ana'],
    events: ['messages', 'messages_update', 'presence', 'chats'],
    // Opens Ben's app: without it the network does not tell his phone who is writing.
    complete: () => world.network('POST', `/phones/${BEN}/presence`, { available: true }),
  })

  const phone = (number: string, query = '') =>
    world.network<PhoneMessage[]>('GET', `/phones/${number}/messages${query}`)
  const onPhone = (number: string, text: string) =>
    eventually(
      () => phone(number),
      (all) => all.some((one) => one.text === text),
    ).then((all) => all.find((one) => one.text === text) as PhoneMessage)
  const find = (query: Json) => ana.messages(query)
  const byId = async (id: string) => (await find({ id }))[0] as Json
  const inbound = async (text: string) => {
    const event = await eventually(() =>
      receiver.of('messages').find(({ body }) => (body.message as Json).text === text),
    )
    return event?.body.message as Json
  }

  /** The updates of a message that went to Ben, at least so many, name the chat as its record does. */
  const namedAsMessages = async (id: string, count: number) => {
    const { chatid, chatlid } = await byId(id)
    const updates = await eventually(
      () =>
        receiver
          .of('messages_update')
          .map(({ body }) => body.event as Json)
          .filter(({ MessageIDs }) => (MessageIDs as string[]).includes(id)),
      (all) => all.length >= count,
    )
    for (const { Chat, chat_lid, IsGroup, Sender, sender_pn, IsFromMe } of updates) {
      assert.deepEqual([Chat, chat_lid, IsGroup], [`${BEN}@s.whatsapp.net`, chatlid, false])
      if (!IsFromMe) assert.deepEqual([Sender, sender_pn], [chatid, chatid])
    }
  }

  it('go to a number in any spelling, to a JID, to a LID, to oneself and to a group', async () => {
    const [group] = [
      await world.network('POST', '/groups', { owner: BEN, subject: 'Trip', members: [ana.number, EVE] }),
    ]
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${BEN}`)
    for (const number of [BEN, '+1 (555) 040-0002', `${BEN}@s.whatsapp.net`, lid]) {
      const sent = await ana.text(number, `to ${number}`)
      assert.equal(sent.status, 'sent')
      assert.equal(sent.chatid, `${BEN}@s.whatsapp.net`)
      assert.equal((await onPhone(BEN, `to ${number}`)).arrivals, 1)
    }
    await ana.text(ana.number, 'to myself')
    await onPhone(ana.number, 'to myself')
    const sent = await ana.text(String(group.jid), 'to the group')
    assert.deepEqual([sent.isGroup, sent.chatid], [true, group.jid])
    for (const member of [BEN, EVE]) await onPhone(member, 'to the group')
  })

  it('to a number without an account are refused, and the answer names the number', async () => {
    const answer = await ana.call<{ error: string; code: string }>('POST', '/send/text', {
      number: '15550409999',
      text: 'x',
    })
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_ON_NETWORK'])
    assert.match(answer.body.error, /15550409999/)
  })

  it('answer a reply, mention everyone in a group, are marked as forwarded and carry tracking', async () => {
    await world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text: 'a question' })
    const question = await inbound('a question')
    for (const replyid of [question.messageid, `${ana.number}:${String(question.messageid)}`]) {
      await ana.text(BEN, `an answer to ${String(replyid)}`, {
        replyid,
        forward: true,
        track_source: 'crm',
        track_id: '42',
      })
      const got = await onPhone(BEN, `an answer to ${String(replyid)}`)
      assert.equal(got.quotedId, question.messageid)
      assert.equal(got.message.extendedTextMessage?.contextInfo?.isForwarded, true)
    }
    assert.equal((await find({ track_source: 'crm', track_id: '42' })).length, 2)
    const group = await world.network('POST', '/groups', { owner: BEN, subject: 'All', members: [ana.number, EVE] })
    await ana.text(String(group.jid), 'hear all of you', { mentions: 'all' })
    const { mentions } = await onPhone(EVE, 'hear all of you')
    assert.deepEqual(
      mentions.map(({ number }) => number),
      [EVE, BEN],
    )
  })

  it('fill placeholders from the chat and leave unknown ones alone', async () => {
    await world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text: 'it is me' })
    await inbound('it is me')
    await ana.text(BEN, 'Hi {{first_name}}, {{name}}, {{nobody}}')
    await onPhone(BEN, 'Hi Ben, Ben Silva, {{nobody}}')
  })

  it('show a link preview that the caller gives', async () => {
    await ana.text(BEN, 'look at https://example.org/page', {
      linkPreview: true,
      linkPreviewTitle: 'A page',
      linkPreviewDescription: 'About it',
    })
    const { message } = await onPhone(BEN, 'look at https://example.org/page')
    assert.deepEqual(
      [
        message.extendedTextMessage?.title,
        message.extendedTextMessage?.description,
        message.extendedTextMessage?.matchedText,
      ],
      ['A page', 'About it', 'https://example.org/page'],
    )
  })

  it('with a delay show typing first and hold back that chat only, in order', async () => {
    const slow = ana.text(BEN, 'after a while', { delay: 1_400 })
    const behind = ana.text(BEN, 'right behind it')
    let isOver = false
    const both = Promise.all([slow, behind]).finally(() => {
      isOver = true
    })
    await ana.text(EVE, 'not held back')
    assert.equal(isOver, false)
    await eventually(
      () => world.network<{ state: string }[]>('GET', `/phones/${BEN}/presences`),
      (presences) => presences.some(({ state }) => state === 'composing'),
    )
    await both
    await onPhone(BEN, 'after a while')
    await onPhone(BEN, 'right behind it')
    const texts = (await phone(BEN)).filter(({ own }) => !own).map(({ text }) => text)
    assert.deepEqual(texts.slice(-2), ['after a while', 'right behind it'])
  })

  it('become sent, delivered and read, and never go back', async () => {
    const sent = await ana.text(BEN, 'follow me')
    const id = String(sent.messageid)
    await eventually(
      () => byId(id),
      ({ status }) => status === 'delivered',
    )
    await world.network('POST', `/phones/${BEN}/read`, { ids: [id] })
    await eventually(
      () => byId(id),
      ({ status }) => status === 'read',
    )
    const states = () =>
      receiver
        .of('messages_update')
        .filter(({ body }) => ((body.event as Json).MessageIDs as string[]).includes(id))
        .map(({ body }) => body.state)
    await eventually(states, (all) => all.includes('Read'))
    assert.deepEqual(states(), ['Delivered', 'Read'])
    await namedAsMessages(id, 2)
  })

  it("fail with the network's code when it refuses them", async () => {
    const fault = await world.network('POST', '/faults', {
      kind: 'ack-error',
      code: 463,
      phone: ana.number,
      recipient: EVE,
    })
    const answer = await ana.call<{ error: string; provider_code: number; messageid: string }>('POST', '/send/text', {
      number: EVE,
      text: 'refused',
    })
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    assert.equal(answer.body.provider_code, 463)
    assert.ok(answer.status >= 400)
    assert.match(answer.body.error, /463/)
    const [failed] = await eventually(
      () => find({ status: 'Failed' }),
      (all) => all.length > 0,
    )
    assert.equal(failed?.text, 'refused')
  })

  it('are answered as pending without an acknowledgement, and sent once over the next connection', async () => {
    const fault = await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ana.number })
    const sent = await ana.text(BEN, 'no answer')
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    assert.equal(sent.status, 'pending')
    await ana.call('POST', '/instance/reset')
    await eventually(
      () => byId(String(sent.messageid)),
      ({ status }) => status !== 'pending',
    )
    await eventually(() =>
      receiver
        .of('messages_update')
        .some(
          ({ body }) =>
            ['Sent', 'Delivered'].includes(String(body.state)) &&
            ((body.event as Json).MessageIDs as string[]).includes(String(sent.messageid)),
        ),
    )
    assert.equal((await phone(BEN)).filter(({ text }) => text === 'no answer').length, 1)
    await ana.connected()
  })

  it('repeated under the same Idempotency-Key are sent once; another body under it is refused', async () => {
    const ask = (text: string) =>
      ana.call<Json>('POST', '/send/text', { number: BEN, text }, { 'idempotency-key': 'order-1' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('only once')))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    )
    assert.equal(new Set(answers.map(({ body }) => body.messageid)).size, 1)
    assert.equal((await phone(BEN)).filter(({ text }) => text === 'only once').length, 1)
    assert.equal((await ask('something else')).status, 409)
  })

  const askRefused = () =>
    ana.call<Json>(
      'POST',
      '/send/text',
      { number: EVE, text: 'refused for good' },
      { 'idempotency-key': 'refused-once' },
    )

  it('refused under an Idempotency-Key get the same refusal when repeated', async () => {
    await world.network('POST', '/faults', {
      kind: 'ack-error',
      code: 420,
      phone: ana.number,
      recipient: EVE,
      times: 1,
    })
    const answers = await Promise.all([askRefused(), askRefused()])
    answers.push(await askRefused())
    const [first] = answers
    assert.deepEqual(
      [first?.status, first?.body.code, first?.body.provider_code],
      [502, 'SEND_REFUSED', 420],
      JSON.stringify(first?.body),
    )
    for (const { status, body } of answers) assert.deepEqual([status, body], [first?.status, first?.body])
    assert.equal((await phone(EVE)).filter(({ text }) => text === 'refused for good').length, 0)
  })

  it('answered as pending under an Idempotency-Key get their final result when repeated', async () => {
    const key = { 'idempotency-key': 'pending-first' }
    const ask = () => ana.call<Json>('POST', '/send/text', { number: BEN, text: 'answered later' }, key)
    // No receipt may tell what became of it either.
    await world.network('POST', `/phones/${BEN}/offline`)
    const swallowed = await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ana.number })
    const first = await ask()
    await world.network('DELETE', `/faults/${String(swallowed.id)}`)
    assert.deepEqual([first.status, first.body.status], [200, 'pending'])
    await world.network('POST', '/faults', {
      kind: 'ack-error',
      code: 463,
      phone: ana.number,
      recipient: BEN,
      times: 1,
    })
    await ana.call('POST', '/instance/reset')
    const again = await ask()
    assert.deepEqual(
      [again.status, again.body.provider_code, again.body.messageid],
      [502, 463, first.body.messageid],
      JSON.stringify(again.body),
    )
    assert.deepEqual((await ask()).body, again.body)
    await world.network('POST', `/phones/${BEN}/online`)
    await ana.connected()
  })

  it('sent asynchronously are queued at once and leave in order, also when one of them fails', async () => {
    const texts = Array.from({ length: 15 }, (_, index) => `queued ${index}`)
    const ids: string[] = []
    for (const [index, text] of texts.entries()) {
      const answer = await ana.call<Json>('POST', '/send/text', {
        number: index === 7 ? '15550408888' : BEN,
        text,
        async: true,
      })
      assert.deepEqual([answer.status, answer.body.status], [200, 'queued'], JSON.stringify(answer.body))
      ids.push(String(answer.body.messageid))
    }
    const expected = texts.filter((_, index) => index !== 7)
    const got = await eventually(
      async () => (await phone(BEN)).filter(({ text }) => text.startsWith('queued')),
      (all) => all.length >= expected.length,
    )
    assert.deepEqual(
      got.map(({ text }) => text),
      expected,
    )
    await namedAsMessages(ids[0] as string, 1)
    const failed = await eventually(
      () => find({ status: 'failed' }),
      (all) => all.some(({ text }) => text === 'queued 7'),
    )
    assert.match(String(failed.find(({ text }) => text === 'queued 7')?.error), /no account/)
  })

  it('queued before a kill -9 are sent once each, in order', async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `survivor ${index}`)
    const refused = await askRefused()
    for (const text of texts) await ana.call('POST', '/send/text', { number: EVE, text, async: true })
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    assert.deepEqual(await askRefused(), refused, 'what was refused before is refused alike')
    const got = await eventually(
      async () => (await phone(EVE)).filter(({ text }) => text.startsWith('survivor')),
      (all) => all.length >= texts.length,
    )
    assert.deepEqual(
      got.map(({ text }) => text),
      texts,
    )
    await ana.connected()
  })

  it('of others are reported once with the sender, also when the network repeats them', async () => {
    const fault = await world.network('POST', '/faults', { kind: 'duplicate', phone: ana.number, device: 1, times: 1 })
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'twice at the network' })
    const message = await inbound('twice at the network')
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'and one more' })
    await inbound('and one more')
    await world.network('DELETE', `/faults/${String(fault.id)}`).catch(() => {})
    assert.equal(
      receiver.of('messages').filter(({ body }) => (body.message as Json).text === 'twice at the network').length,
      1,
    )
    assert.deepEqual(
      [message.fromMe, message.sender_pn, message.senderName, message.messageType, message.chatid],
      [false, `${EVE}@s.whatsapp.net`, 'Eve', 'text', `${EVE}@s.whatsapp.net`],
    )
    assert.match(String(message.sender_lid), /@lid$/)
  })

  it('of other kinds are reported by kind: pictures, locations, reactions, taps; edits and deletions change them', async () => {
    const send = (message: Json) =>
      world.network<{ id: string }>('POST', `/phones/${EVE}/message`, { to: ana.number, message })
    const of = (id: string) =>
      eventually(() => receiver.of('messages').find(({ body }) => (body.message as Json).messageid === id)).then(
        (event) => event?.body.message as Json,
      )
    const picture = await of(
      (await send({ imageMessage: { caption: 'a boat', mimetype: 'image/jpeg', url: 'https://mmg.whatsapp.net/x' } }))
        .id,
    )
    assert.deepEqual([picture.messageType, picture.mediaType, picture.text], ['image', 'image', 'a boat'])
    const place = await of(
      (await send({ locationMessage: { degreesLatitude: 1.5, degreesLongitude: 2.5, name: 'here' } })).id,
    )
    assert.deepEqual([place.messageType, place.text], ['location', 'here'])
    const order = await of((await send({ orderMessage: { orderTitle: 'Cakes', itemCount: 2 } })).id)
    assert.deepEqual([order.messageType, order.type, order.text], ['order', 'orderMessage', 'Order: Cakes\n2 items'])
    const invite = await of(
      (await send({ groupInviteMessage: { groupJid: '1203@g.us', groupName: 'Trip', inviteCode: 'AbCd123' } })).id,
    )
    assert.deepEqual([invite.messageType, (invite.content as Json).groupName], ['invite', 'Trip'])
    assert.equal(invite.text, 'Invitation to the group Trip\nhttps://chat.whatsapp.com/AbCd123')
    const base = (await send({ conversation: 'before' })).id
    const reaction = await of(
      (
        await send({
          reactionMessage: { key: { id: base, fromMe: false, remoteJid: `${ana.number}@s.whatsapp.net` }, text: '👍' },
        })
      ).id,
    )
    assert.deepEqual([reaction.messageType, reaction.reaction, reaction.text], ['reaction', base, '👍'])
    const tap = await of(
      (
        await send({
          buttonsResponseMessage: {
            selectedButtonId: 'yes-1',
            selectedDisplayText: 'Yes',
            contextInfo: { stanzaId: base },
          },
        })
      ).id,
    )
    assert.deepEqual([tap.buttonOrListid, tap.vote, tap.quoted, tap.text], ['yes-1', 'Yes', base, ''])
    await send({
      protocolMessage: {
        type: 'MESSAGE_EDIT',
        key: { id: base, fromMe: true, remoteJid: `${ana.number}@s.whatsapp.net` },
        editedMessage: { conversation: 'after' },
      },
    })
    const edited = await eventually(
      () => byId(base),
      (message) => message.edited !== '',
    )
    const [edit] = JSON.parse(String(edited.edited)) as Json[]
    assert.deepEqual([edited.text, edit?.text], ['before', 'after'])
    await send({
      protocolMessage: { type: 'REVOKE', key: { id: base, fromMe: true, remoteJid: `${ana.number}@s.whatsapp.net` } },
    })
    await eventually(
      () => byId(base),
      ({ status }) => status === 'deleted',
    )
  })

  it('are marked read for the sender, one result each', async () => {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${EVE}/text`, {
      to: ana.number,
      text: 'read me',
    })
    await inbound('read me')
    const { body } = await ana.call<{ results: Json[] }>('POST', '/message/markread', { id: [id, 'unknown'] })
    assert.deepEqual(
      body.results.map(({ status }) => status),
      ['success', 'failed'],
    )
    await eventually(
      () => world.network<{ type: string; id: string }[]>('GET', `/phones/${EVE}/receipts?id=${id}`),
      (all) => all.some(({ type }) => type === 'read'),
    )
    assert.equal((await byId(id)).status, 'read')
  })

  it('of a person are in one chat, by number and by LID', async () => {
    await world.network('PATCH', `/phones/${EVE}`, { addressing: 'lid' })
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'by LID' })
    const message = await inbound('by LID')
    await world.network('PATCH', `/phones/${EVE}`, { addressing: 'pn' })
    assert.equal(message.chatid, `${EVE}@s.whatsapp.net`)
    assert.ok((await find({ chatid: String(message.chatlid) })).length > 5)
  })

  it('are found page by page, newest first', async () => {
    const first = (await ana.call<Json>('POST', '/message/find', { limit: 5 })).body
    assert.deepEqual([first.returnedMessages, first.hasMore, first.nextOffset], [5, true, 5])
    const second = (await ana.call<Json>('POST', '/message/find', { limit: 5, offset: 5 })).body
    const ids = [...(first.messages as Json[]), ...(second.messages as Json[])]
    assert.equal(new Set(ids.map(({ id }) => id)).size, 10)
    const times = ids.map(({ messageTimestamp }) => Number(messageTimestamp))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    const next = (await ana.call<Json>('POST', '/message/find', { limit: 5, before: first.older })).body
    assert.deepEqual(next.messages, second.messages)
    const around = (await ana.call<Json>('POST', '/message/find', { limit: 5, around: ids[5]?.id })).body
    assert.deepEqual(
      (around.messages as Json[]).map(({ id }) => id),
      ids.slice(3, 8).map(({ id }) => id),
    )
    for (const [wrong, field] of [
      [{ before: 'none' }, 'before'],
      [{ before: first.older, after: first.newer }, 'after'],
      [{ around: ids[0]?.id, text: 'x' }, 'around'],
      [{ after: first.newer, offset: 1 }, 'offset'],
      [{ text: 'x', id: ids[0]?.id }, 'text'],
    ] as const) {
      const { status, body } = await ana.call<{ details: Json[] }>('POST', '/message/find', wrong)
      assert.deepEqual([status, body.details[0]?.field], [400, field])
    }
    assert.equal((await ana.call('POST', '/message/find', { around: 'none' })).status, 404)
  })

  it('a presence is shown at once and repeated until it ends, and a message to the chat cancels it', async () => {
    const states = async () =>
      (await world.network<{ state: string }[]>('GET', `/phones/${BEN}/presences`)).map(({ state }) => state)
    const show = (number: string, presence: string, delay?: number) =>
      ana.call<{ error: string }>('POST', '/message/presence', { number, presence, delay })
    const before = (await states()).length
    const askedMs = Date.now()
    assert.equal((await show(EVE, 'recording', 60_000)).status, 200)
    assert.ok(Date.now() - askedMs < 50_000, 'the call returns at once')
    assert.equal((await show(BEN, 'recording', 5_000)).status, 200)
    const shown = await eventually(
      async () => (await states()).slice(before),
      (all) => all.at(-1) === 'paused',
    )
    assert.ok(shown.filter((state) => state === 'recording').length >= 3, JSON.stringify(shown))
    await show(BEN, 'composing')
    await eventually(states, (all) => all.at(-1) === 'composing')
    await ana.text(BEN, 'cancels it')
    const settled = (await states()).length
    await new Promise((resolve) => setTimeout(resolve, 800))
    assert.equal((await states()).length, settled)
    // Begun under a number of which no LID was known yet.
    const stranger = '15550000077'
    await world.phone(stranger, 'Stranger')
    await world.network('POST', `/phones/${stranger}/presence`, { available: true })
    const seen = () => world.network<unknown[]>('GET', `/phones/${stranger}/presences`)
    await show(stranger, 'composing')
    await eventually(seen, (all) => all.length > 0)
    await ana.text(stranger, 'cancels it')
    const ended = (await seen()).length
    await new Promise((resolve) => setTimeout(resolve, 800))
    assert.equal((await seen()).length, ended)
    const wrong = await show(BEN, 'dancing')
    assert.equal(wrong.status, 400)
  })

  it('a presence of an instance that is not connected is an error', async () => {
    const idle = await world.instance('idle')
    const answer = await idle.call<Json>('POST', '/message/presence', { number: BEN, presence: 'composing' })
    assert.deepEqual([answer.status, answer.body.error], [409, 'No session'])
  })

  it('leave no message undecryptable', async () => {
    assert.deepEqual(await world.network('GET', `/phones/${BEN}/failures`), [])
    assert.deepEqual(await world.network('GET', `/phones/${EVE}/failures`), [])
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
  })

  it('are sent again only to their recipients, and messages of others never', async () => {
    const shown = async (phone: string, id: unknown) =>
      (await world.network<{ id: string; text: string; arrivals: number }[]>('GET', `/phones/${phone}/messages`)).find(
        (message) => message.id === id,
      )
    const ask = (phone: string, id: unknown) =>
      world.network('POST', `/phones/${phone}/ask-again`, { id, of: ana.number })
    const { messageid } = await ana.text(BEN, 'once more')
    await eventually(() => shown(BEN, messageid))
    await ask(BEN, messageid)
    await eventually(
      () => shown(BEN, messageid),
      (message) => message?.arrivals === 2,
    )
    const { id: theirs } = await world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text: 'say this' })
    await eventually(
      async () => (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id: theirs })).body.messages[0],
    )
    // By him who wrote it, and of a message that went to somebody else.
    await ask(BEN, theirs)
    await ask(EVE, messageid)
    for (const to of [BEN, EVE]) {
      const after = await ana.text(to, 'afterwards')
      await eventually(() => shown(to, after.messageid))
      await ask(to, after.messageid)
      await eventually(
        () => shown(to, after.messageid),
        (message) => message?.arrivals === 2,
      )
    }
    assert.deepEqual([await shown(BEN, theirs), await shown(EVE, messageid)], [undefined, undefined])
    assert.equal((await shown(BEN, messageid))?.arrivals, 2)
    const copies = await world.network<{ id: string; own: boolean }[]>('GET', `/phones/${ana.number}/messages`)
    assert.ok(!copies.some((message) => message.own && message.id === theirs))
    // Nor does an id of ours that he has taken for his own say what he has written.
    const { messageid: taken } = await ana.text(BEN, 'an id to take')
    await world.network('POST', `/phones/${BEN}/text`, {
      to: ana.number,
      text: 'say that',
      id: taken,
      addressing: 'lid',
    })
    await eventually(
      async () => (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id: taken })).body.messages,
      (all) => all.length === 2,
    )
    await world.network('DELETE', `/phones/${BEN}/messages`)
    await ask(BEN, taken)
    const again = await eventually(() => shown(BEN, taken))
    assert.equal(again?.text, 'an id to take')
  })
})
