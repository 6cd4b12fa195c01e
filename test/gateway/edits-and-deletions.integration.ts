import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  text: string | null
  edited: boolean
  deleted: boolean
  quotedId: string | null
}

const ANA = '15550430001'
const BEN = '15550430002'
const EVE = '15550430003'

describe('edits and deletions', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { SEND_ACK_TIMEOUT_MS: '700' },
    phones: { [BEN]: 'Ben Silva', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
  })

  const edit = (id: unknown, text: string) => ana.call<Json>('POST', '/message/edit', { id, text })
  const remove = (id: unknown) => ana.call<Json>('POST', '/message/delete', { id })
  const shown = async (phone: string, id: unknown) =>
    (await world.network<Shown[]>('GET', `/phones/${phone}/messages?id=${String(id)}`))[0]
  const becomes = (phone: string, id: unknown, is: (message: Shown) => boolean) => world.shownAt(phone, id, is)
  const byId = async (id: unknown) => (await ana.messages({ id }))[0] as Json
  const readHistory = ({ edited }: Json) => JSON.parse(String(edited)) as { text: string; at: number }[]
  const listTexts = (record: Json) => readHistory(record).map(({ text }) => text)
  const preview = async (phone: string) =>
    (await ana.call<{ chats: Json[] }>('POST', '/chat/find', { wa_chatid: `${phone}@s.whatsapp.net` })).body.chats[0]
      ?.wa_lastMessageTextVote
  const isSeen = (id: unknown) => world.shownAt<Shown>(BEN, id)
  const updates = (id: unknown, state: string) =>
    receiver
      .of('messages_update')
      .filter(({ body }) => body.state === state && ((body.event as Json).MessageIDs as unknown[]).includes(id))
      .map(({ body }) => body.event as Json)
  const updated = (id: unknown, state: string) => eventually(() => updates(id, state)[0])
  const written = async (by: string, to: string, text: string) => {
    const id = await world.write(by, to, text)
    await receiver.message(id)
    return id
  }
  const onPhone = (by: string, what: string, body: Json) => world.network('POST', `/phones/${by}/${what}`, body)

  it('of own messages change the text on the other phone, any number of times, and keep the quoted message', async () => {
    const question = await written(BEN, ANA, 'a question')
    const { messageid: id } = await ana.text(BEN, 'an ansewr', { replyid: question })
    const answer = await edit(id, 'an answer, {{first_name}}')
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { messageid, content, messageTimestamp } = answer.body
    assert.notEqual(messageid, id)
    assert.deepEqual(answer.body, {
      id: `${ANA}:${String(messageid)}`,
      messageid,
      content,
      messageTimestamp,
      messageType: 'text',
      status: 'Pending',
      owner: ANA,
      edited: id,
    })
    await becomes(BEN, id, ({ text, edited }) => edited && text === 'an answer, Ben')
    const record = await byId(id)
    assert.deepEqual([record.text, listTexts(record)], ['an ansewr', ['an answer, Ben']])
    const event = await updated(id, 'Edited')
    assert.deepEqual([event?.Text, event?.Chat, event?.IsFromMe], ['an answer, Ben', `${BEN}@s.whatsapp.net`, true])
    await edit(`${ANA}:${String(id)}`, 'the answer')
    await becomes(BEN, id, ({ text }) => text === 'the answer')
    assert.deepEqual(listTexts(await byId(id)), ['an answer, Ben', 'the answer'])
    assert.equal(await preview(BEN), 'the answer')
    const edits = await world.network<{ message: { protocolMessage?: { editedMessage: Json } } }[]>(
      'GET',
      `/phones/${BEN}/messages?text=the%20answer`,
    )
    assert.match(JSON.stringify(edits.at(-1)?.message), new RegExp(question))
    // A reply to it quotes what it says now.
    const reply = await ana.text(BEN, 'as I said', { replyid: id })
    assert.match(JSON.stringify(reply.content), /the answer/)
    // The last message of the chat is another one now.
    await edit(id, 'the last answer')
    assert.equal(await preview(BEN), 'as I said')
  })

  it('of own messages remove a message of any kind from the other phone, once', async () => {
    const text = (await ana.text(BEN, 'to be deleted')).messageid
    const { body: card } = await ana.call<Json>('POST', '/send/contact', {
      number: BEN,
      fullName: 'Eve',
      phoneNumber: EVE,
    })
    for (const id of [text, card.messageid]) {
      const { status, body } = await remove(id)
      assert.deepEqual([status, body.id, typeof body.timestamp], [200, id, 'number'], JSON.stringify(body))
      await becomes(BEN, id, ({ deleted }) => deleted)
      assert.equal((await byId(id)).status, 'deleted')
      await updated(id, 'Deleted')
      assert.equal((await remove(id)).status, 200)
      const again = await edit(id, 'x')
      assert.deepEqual([again.status, again.body.error], [404, 'Message not found: it was deleted.'])
    }
    assert.equal(updates(text, 'Deleted').length, 1)
  })

  it('also work for messages of the own phone, and in groups', async () => {
    const id = await written(ANA, BEN, 'from the phone')
    assert.equal((await edit(id, 'from the phone, edited')).status, 200)
    await becomes(BEN, id, ({ text }) => text === 'from the phone, edited')
    const { jid } = await world.network('POST', '/groups', { owner: BEN, subject: 'Trip', members: [ANA, EVE] })
    const sent = (await ana.text(String(jid), 'to all')).messageid
    assert.equal((await edit(sent, 'to all of you')).status, 200)
    for (const phone of [BEN, EVE]) await becomes(phone, sent, ({ text }) => text === 'to all of you')
    assert.equal((await remove(sent)).status, 200)
    for (const phone of [BEN, EVE]) await becomes(phone, sent, ({ deleted }) => deleted)
  })

  it('have the stanza attributes of edits and deletions', async () => {
    const { messageid: id } = await ana.text(BEN, 'to be changed')
    const { body } = await edit(id, 'changed')
    await remove(id)
    const frames = await world.network<{ id: string; edit: string | null }[]>(
      'GET',
      '/log/frames?tag=message&direction=in',
    )
    const ofEdit = frames.filter((frame) => frame.id === body.messageid)
    assert.deepEqual([ofEdit.map((frame) => frame.edit), frames.at(-1)?.edit], [['1'], '7'])
  })

  it('are refused with a reason if they are invalid, and then change nothing', async () => {
    const theirs = await written(BEN, ANA, 'not ours')
    const { messageid: card } = (
      await ana.call<Json>('POST', '/send/contact', { number: BEN, fullName: 'Eve', phoneNumber: EVE })
    ).body
    const { messageid: reaction } = (
      await ana.call<Json>('POST', '/message/react', { number: BEN, id: theirs, text: '👍' })
    ).body
    const fault = await world.network('POST', '/faults', { kind: 'ack-error', code: 463, phone: ANA, recipient: EVE })
    const { messageid: failed } = (await ana.call<Json>('POST', '/send/text', { number: EVE, text: 'refused' })).body
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    for (const [id, wanted] of [
      [card, 'delivered'],
      [reaction, 'delivered'],
      [failed, 'failed'],
    ])
      await eventually(
        () => byId(id),
        ({ status }) => status === wanted,
      )
    const before = await visibleState(world, ana)
    for (const [id, status, code, both] of [
      [undefined, 400, 'MISSING_ID', true],
      ['3EB0UNKNOWN', 404, 'MESSAGE_NOT_FOUND', true],
      [theirs, 400, 'NOT_OWN_MESSAGE', true],
      [reaction, 400, 'NOT_EDITABLE', true],
      [failed, 409, 'MESSAGE_NOT_SENT', true],
      [card, 400, 'NOT_EDITABLE', false],
    ] as const) {
      for (const answer of both ? [await edit(id, 'x'), await remove(id)] : [await edit(id, 'x')])
        assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    assert.equal(await visibleState(world, ana), before)
    const idle = await world.instance('idle')
    for (const path of ['/message/edit', '/message/delete']) {
      const answer = await idle.call<Json>('POST', path, { id: 'X', text: 'x' })
      assert.deepEqual([answer.status, answer.body.error], [409, 'No session'])
    }
  })

  it("return the network's code when it refuses them, and OUTCOME_UNKNOWN when it does not answer", async () => {
    const { messageid: id } = await ana.text(BEN, 'stays as it is')
    await isSeen(id)
    const refusing = await world.network('POST', '/faults', { kind: 'ack-error', code: 479, phone: ANA })
    const { status, body } = await edit(id, 'x')
    await world.network('DELETE', `/faults/${String(refusing.id)}`)
    assert.deepEqual([status, body.error, body.provider_code], [502, 'Error sending message', 479])
    assert.deepEqual([(await byId(id)).text, (await shown(BEN, id))?.text], ['stays as it is', 'stays as it is'])
    const silent = await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ANA })
    const answer = await remove(id)
    await world.network('DELETE', `/faults/${String(silent.id)}`)
    assert.deepEqual([answer.status, answer.body.code], [504, 'OUTCOME_UNKNOWN'])
    assert.equal((await remove(id)).status, 200)
    assert.deepEqual([(await byId(id)).status, (await shown(BEN, id))?.deleted], ['deleted', true])
  })

  it('of others change the stored messages of theirs', async () => {
    // The network's times are whole seconds: within the second of our last message theirs would count as the older one.
    const secondNow = Math.floor(Date.now() / 1000)
    await eventually(() => Math.floor(Date.now() / 1000) > secondNow)
    const id = await written(BEN, ANA, 'befoer')
    await onPhone(BEN, 'edit', { id, text: 'before' })
    const event = await updated(id, 'Edited')
    assert.deepEqual(
      [event?.Text, event?.Chat, event?.Sender, event?.IsFromMe, event?.IsGroup],
      ['before', `${BEN}@s.whatsapp.net`, `${BEN}@s.whatsapp.net`, false, false],
    )
    const first = await byId(id)
    assert.deepEqual([first.text, listTexts(first)], ['befoer', ['before']])
    assert.ok(Math.abs(Number(readHistory(first)[0]?.at) - Date.now()) < 60_000)
    await onPhone(BEN, 'edit', { id, text: 'before "noon"' })
    const second = await eventually(
      () => byId(id),
      (record) => listTexts(record).length === 2,
    )
    assert.deepEqual([second.text, listTexts(second)], ['befoer', ['before', 'before "noon"']])
    assert.equal(await preview(BEN), 'before "noon"')
    const search = { wa_lastMessageTextVote: '"noon"' }
    assert.equal((await ana.call<{ chats: Json[] }>('POST', '/chat/find', search)).body.chats.length, 1)
    const reply = await ana.text(BEN, 'as you said', { replyid: id })
    const quoted = JSON.stringify(reply.content)
    assert.ok(quoted.includes('before \\"noon\\"') && !quoted.includes('befoer'), quoted)
    await onPhone(BEN, 'delete', { id })
    await updated(id, 'Deleted')
    assert.equal((await byId(id)).status, 'deleted')
  })

  it('of captions are kept as history too, and the file stays', async () => {
    const file = { mimetype: 'image/jpeg', url: 'https://mmg.whatsapp.net/x', fileLength: 5 }
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/message`, {
      to: ANA,
      message: { imageMessage: { ...file, caption: 'a baot' } },
    })
    await eventually(() => receiver.of('messages').some(({ body }) => (body.message as Json).messageid === id))
    const key = { id, fromMe: true, remoteJid: `${ANA}@s.whatsapp.net` }
    const editedMessage = { imageMessage: { caption: 'a boat' } }
    await world.network('POST', `/phones/${BEN}/message`, {
      to: ANA,
      message: { protocolMessage: { type: 'MESSAGE_EDIT', key, editedMessage } },
    })
    const record = await eventually(
      () => byId(id),
      ({ edited }) => edited !== '',
    )
    assert.deepEqual(
      [record.messageType, record.text, listTexts(record), (record.content as Json).url],
      ['image', 'a baot', ['a boat'], file.url],
    )
    const reply = await ana.text(BEN, 'nice', { replyid: id })
    const { quotedMessage } = (reply.content as { contextInfo: { quotedMessage: { imageMessage: Json } } }).contextInfo
    assert.deepEqual([quotedMessage.imageMessage.caption, quotedMessage.imageMessage.url], ['a boat', file.url])
  })

  it('by other people change nothing, except a deletion by an admin of the group', async () => {
    const { jid } = await world.network('POST', '/groups', { owner: BEN, subject: 'Talk', members: [ANA, EVE] })
    const inGroup = await written(BEN, String(jid), 'what Ben wrote')
    const direct = await written(BEN, ANA, 'only to Ana')
    const ofEve = await written(EVE, String(jid), 'what Eve wrote')
    for (const [to, id] of [
      [String(jid), inGroup],
      [ANA, direct],
    ] as const) {
      const key = { id, fromMe: true, remoteJid: to }
      const editedMessage = { conversation: 'forged' }
      for (const protocolMessage of [
        { type: 'MESSAGE_EDIT', key, editedMessage },
        { type: 'REVOKE', key },
      ])
        await world.network('POST', `/phones/${EVE}/message`, { to, message: { protocolMessage } })
    }
    await onPhone(BEN, 'delete', { id: ofEve })
    await updated(ofEve, 'Deleted')
    await written(EVE, ANA, 'the last')
    for (const [id, text] of [
      [inGroup, 'what Ben wrote'],
      [direct, 'only to Ana'],
    ])
      assert.deepEqual([(await byId(id)).text, (await byId(id)).status], [text, 'delivered'])
    assert.equal((await byId(ofEve)).status, 'deleted')
  })

  it('of a message in another chat change nothing, also by an admin', async () => {
    const theirs = await written(BEN, ANA, 'of Ben')
    const ours = String((await ana.text(BEN, 'of Ana')).messageid)
    const group = await world.network('POST', '/groups', { owner: EVE, subject: 'Trap', members: [ANA] })
    const key = (id: string, fromMe: boolean) => ({ remoteJid: group.jid, id, fromMe })
    const revoke = (id: string) =>
      onPhone(EVE, 'message', { to: group.jid, message: { protocolMessage: { key: key(id, false), type: 'REVOKE' } } })
    for (const id of [theirs, ours]) await revoke(id)
    // A message of her own under that id lets her change her own one only.
    await onPhone(EVE, 'text', { to: ANA, text: 'of Eve', id: theirs })
    const editedMessage = { conversation: 'of Eve, edited' }
    await onPhone(EVE, 'message', {
      to: ANA,
      message: { protocolMessage: { key: key(theirs, true), type: 'MESSAGE_EDIT', editedMessage } },
    })
    const found = async () =>
      (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id: theirs })).body.messages
    const rows = await eventually(found, (all) => all.some(({ edited }) => edited !== ''))
    assert.deepEqual(
      new Set(rows.map((row) => (row.edited === '' ? row.text : listTexts(row).join()))),
      new Set(['of Ben', 'of Eve, edited']),
    )
    assert.ok(!rows.some(({ status }) => status === 'deleted'), JSON.stringify(rows))
    assert.notEqual((await byId(ours)).status, 'deleted')
  })

  it('leave no message undecryptable', async () => {
    for (const phone of [ANA, BEN, EVE]) assert.deepEqual(await world.network('GET', `/phones/${phone}/failures`), [])
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
  })
})
