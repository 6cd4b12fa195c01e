import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { uniqueByEvent } from '../durability/tally.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const [ANA, BEN, EVE] = ['15550480001', '15550480002', '15550480003']
const jid = (number: string) => `${number}@s.whatsapp.net`

describe('changes that are encrypted under the secret of a message', () => {
  let group: string
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update', 'history'],
    complete: async () => {
      const body = { owner: BEN, subject: 'Trip', members: [ANA, EVE] }
      group = (await world.network<{ jid: string }>('POST', '/groups', body)).jid
    },
  })

  const onPhone = async (by: string, what: string, body: Json) =>
    (await world.network<{ id: string }>('POST', `/phones/${by}/${what}`, body)).id
  const byId = async (id: unknown) => (await ana.messages({ id }))[0] as Json
  const listTexts = ({ edited = '' }: Json = {}) =>
    edited === '' ? [] : (JSON.parse(String(edited)) as { text: string }[]).map(({ text }) => text)
  const written = async (by: string, to: string, text: string, more: Json = {}) => {
    const id = await onPhone(by, 'text', { to, text, ...more })
    await receiver.message(id)
    return id
  }
  const updates = (id: unknown, state: string) =>
    uniqueByEvent(receiver.of('messages_update'))
      .filter(({ body }) => body.state === state && ((body.event as Json).MessageIDs as unknown[]).includes(id))
      .map(({ body }) => body.event as Json)
  const updated = (id: unknown, state: string) => eventually(() => updates(id, state).at(-1))
  const edited = (id: unknown, ...texts: string[]) =>
    eventually(
      () => byId(id),
      (record) => listTexts(record).length === texts.length,
    ).then((record) => assert.deepEqual(listTexts(record), texts))
  const unread = async (number: string) =>
    (await ana.call<{ chats: Json[] }>('POST', '/chat/find', { wa_chatid: jid(number) })).body.chats[0]?.wa_unreadCount
  /** Resolves with the note that a change became. No event `messages` was emitted for it. */
  const noted = async (id: string, reason: string) => {
    const note = await eventually(() => byId(id))
    const content = note.content as Json
    assert.deepEqual([note.messageType, content.reason, content.isApplied], ['note', reason, false])
    const event = await updated(content.target, 'Noted')
    assert.deepEqual([event?.NoteID, event?.Reason, event?.Kind], [id, reason, content.kind])
    assert.ok(!receiver.of('messages').some(({ body }) => (body.message as Json).messageid === id))
    return note
  }

  it('edit messages of others, whatever addresses are in the key', async () => {
    for (const [author, modifier] of [
      ['pn', 'pn'],
      ['lid', 'lid'],
      ['lid', 'pn'],
      ['pn', 'lid'],
    ]) {
      const id = await written(BEN, ANA, `by ${author} and ${modifier}`)
      const before = await unread(BEN)
      await onPhone(BEN, 'edit', { id, text: 'edited', author, modifier })
      const event = await updated(id, 'Edited')
      assert.deepEqual(
        [event?.Text, event?.Chat, event?.Sender, event?.IsFromMe],
        ['edited', jid(BEN), jid(BEN), false],
      )
      await edited(id, 'edited')
      assert.equal(await unread(BEN), before)
    }
    const inGroup = await written(EVE, group, 'to all')
    await onPhone(EVE, 'edit', { id: inGroup, text: 'to all of you' })
    await edited(inGroup, 'to all of you')
    await onPhone(EVE, 'edit', { id: inGroup, text: 'to all of them', addressing: 'lid' })
    await edited(inGroup, 'to all of you', 'to all of them')
  })

  it('are one edit in whatever forms they arrive, plain and wrapped ones too', async () => {
    for (const form of ['secret', 'plain', 'wrapped', 'both']) {
      const id = await written(BEN, ANA, `a text, ${form}`)
      await onPhone(BEN, 'edit', { id, text: 'first', form })
      await updated(id, 'Edited')
      await onPhone(BEN, 'edit', { id, text: 'second', form })
      await edited(id, 'first', 'second')
      await written(BEN, ANA, 'the last')
      assert.deepEqual(
        updates(id, 'Edited').map(({ Text }) => Text),
        ['first', 'second'],
      )
    }
  })

  it('edit captions, and leave the file', async () => {
    const file = { mimetype: 'image/jpeg', url: 'https://mmg.whatsapp.net/x', fileLength: 5, caption: 'a baot' }
    const caption = 'a boat'
    const inDocument = (part: Json) => ({ documentWithCaptionMessage: { message: { documentMessage: part } } })
    for (const [kind, message, editedMessage] of [
      ['image', { imageMessage: file }, { imageMessage: { caption } }],
      ['video', { videoMessage: file }, { videoMessage: { caption } }],
      ['document', inDocument({ ...file, fileName: 'boat.pdf' }), inDocument({ caption, fileName: 'boat.pdf' })],
      ['image', { ephemeralMessage: { message: { imageMessage: file } } }, { imageMessage: { caption } }],
    ] as const)
      for (const to of [ANA, group]) {
        const id = await onPhone(BEN, 'message', { to, message })
        await receiver.message(id)
        const key = { id, fromMe: true, remoteJid: to === ANA ? jid(ANA) : to }
        const protocolMessage = { type: 'MESSAGE_EDIT', key, editedMessage }
        await onPhone(BEN, 'secret', { id, kind: 'edit', message: { protocolMessage } })
        await edited(id, caption)
        const { messageType, text, content } = await byId(id)
        assert.deepEqual([messageType, text, (content as Json).url], [kind, 'a baot', file.url])
      }
  })

  it('of the own phone edit its messages, whose secret stands beside the copy', async () => {
    const id = await written(ANA, BEN, 'from the phone')
    await onPhone(ANA, 'edit', { id, text: 'from the phone, edited' })
    await edited(id, 'from the phone, edited')
    assert.equal((await updated(id, 'Edited'))?.IsFromMe, true)
    const wrapped = { ephemeralMessage: { message: { conversation: 'for a while' } } }
    const fleeting = await onPhone(ANA, 'message', { to: BEN, message: wrapped })
    await receiver.message(fleeting)
    await onPhone(ANA, 'edit', { id: fleeting, text: 'for a day', form: 'both' })
    await edited(fleeting, 'for a day')
    const { messageid } = await ana.text(BEN, 'from the gateway')
    await world.shownAt(ANA, messageid)
    await onPhone(ANA, 'edit', { id: messageid, text: 'edited on the phone' })
    await edited(messageid, 'edited on the phone')
  })

  it('edit a message again that the gateway has edited', async () => {
    const id = await written(ANA, BEN, 'one')
    assert.equal((await ana.call<Json>('POST', '/message/edit', { id, text: 'two' })).status, 200)
    await onPhone(ANA, 'edit', { id, text: 'three' })
    await edited(id, 'two', 'three')
  })

  it('are read without the key of the message within, and without anything around the new content', async () => {
    for (const message of [
      { protocolMessage: { type: 'MESSAGE_EDIT', editedMessage: { conversation: 'edited' } } },
      { extendedTextMessage: { text: 'edited' } },
      { ephemeralMessage: { message: { protocolMessage: { editedMessage: { conversation: 'edited' } } } } },
    ]) {
      const id = await written(BEN, ANA, 'a text')
      await onPhone(BEN, 'secret', { id, kind: 'edit', message })
      await edited(id, 'edited')
    }
  })

  it('become a note when they cannot be applied, and never a message', async () => {
    const old = await written(BEN, ANA, 'of long ago', { agoSeconds: 1_300 })
    const bare = await written(BEN, ANA, 'without a secret', { secret: false })
    const inGroup = await written(BEN, group, 'of Ben')
    const good = await written(BEN, ANA, 'good')
    const before = [await unread(BEN), await unread(EVE)]
    const late = await noted(await onPhone(BEN, 'edit', { id: old, text: 'too late' }), 'too_late')
    assert.deepEqual(
      [late.text, late.quoted],
      ['Edit of a message: it was made more than 20 minutes after the message.', old],
    )
    await noted(await onPhone(BEN, 'edit', { id: old, text: 'too late', form: 'plain' }), 'too_late')
    await noted(await onPhone(BEN, 'edit', { id: bare, text: 'x' }), 'secret_missing')
    await noted(await onPhone(BEN, 'edit', { id: good, text: 'x', damaged: true }), 'undecryptable')
    await noted(await onPhone(BEN, 'edit', { id: good, text: 'x', useCase: 'Poll Edit' }), 'undecryptable')
    for (const form of ['secret', 'plain'])
      await noted(await onPhone(EVE, 'edit', { id: inGroup, text: 'forged', form }), 'wrong_author')
    await noted(await onPhone(BEN, 'edit', { id: 'NEVERCOMES', to: ANA, text: 'x' }), 'original_missing')
    await noted(await onPhone(BEN, 'secret', { id: good, kind: 'schedule' }), 'unsupported')
    for (const id of [old, bare, inGroup, good]) assert.deepEqual(listTexts(await byId(id)), [])
    assert.deepEqual([await unread(BEN), await unread(EVE)], before)
  })

  it('count by the time when they were made, and read the secret that they repeat', async () => {
    const id = await written(BEN, ANA, 'a quarter of an hour ago', { agoSeconds: 1_500 })
    await onPhone(BEN, 'edit', { id, text: 'edited in time', authoredAgoSeconds: 900 })
    await edited(id, 'edited in time')
    const bare = await written(BEN, ANA, 'without a secret', { secret: false })
    await onPhone(BEN, 'edit', { id: bare, text: 'edited', repeatsSecret: true })
    await edited(bare, 'edited')
  })

  it('that come before their message are applied when it comes', async () => {
    const first = await onPhone(BEN, 'edit', { id: 'COMESLATER1', to: ANA, text: 'one' })
    await noted(first, 'original_missing')
    await noted(
      await onPhone(BEN, 'edit', { id: 'COMESLATER1', to: ANA, text: 'two', form: 'plain' }),
      'original_missing',
    )
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await ana.connected()
    await written(BEN, ANA, 'the original', { id: 'COMESLATER1' })
    await edited('COMESLATER1', 'one', 'two')
    const { content } = await eventually(
      () => byId(first),
      (note) => (note.content as Json).isApplied === true,
    )
    assert.equal((content as Json).reason, '')
    await eventually(() => updates('COMESLATER1', 'Edited').some(({ Text }) => Text === 'two'))
  })

  it('edit messages of a history, whose secret stands beside them', async () => {
    const timestamp = Math.floor(Date.now() / 1000) - 60
    const messages = [{ id: 'OFHISTORY1', text: 'of the past', timestamp }]
    await onPhone(BEN, 'edit', { id: 'OFHISTORY1', to: ANA, text: 'of the edited past' })
    await updated('OFHISTORY1', 'Noted')
    await world.network('PUT', `/phones/${ANA}/history`, { chats: [{ id: BEN, messages }], contacts: [] })
    await world.network('POST', `/phones/${ANA}/history`, {})
    await edited('OFHISTORY1', 'of the edited past')
    await onPhone(BEN, 'edit', { id: 'OFHISTORY1', to: ANA, text: 'once more' })
    await edited('OFHISTORY1', 'of the edited past', 'once more')
  })

  it('are applied when they are of a history themselves, with their messages and after them', async () => {
    const timestamp = Math.floor(Date.now() / 1000) - 60
    const key = { id: 'OFHISTORY2', fromMe: true, remoteJid: jid(ANA) }
    const editedMessage = { conversation: 'edited in the past' }
    const edit = proto.Message.encode({
      protocolMessage: { type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT, key, editedMessage },
    }).finish()
    const messages = [
      { id: 'OFHISTORY2', text: 'of the past', timestamp },
      { id: 'EDITOFHISTORY2', text: '', base64: Buffer.from(edit).toString('base64'), timestamp: timestamp + 5 },
    ]
    await world.network('PUT', `/phones/${ANA}/history`, { chats: [{ id: BEN, messages }], contacts: [] })
    await world.network('POST', `/phones/${ANA}/history`, {})
    await edited('OFHISTORY2', 'edited in the past')
    const note = await byId('EDITOFHISTORY2')
    assert.deepEqual([note.messageType, (note.content as Json).isApplied], ['note', true])
  })

  it('edit polls and add options to them, and keep their votes and their secret', async () => {
    const id = await onPhone(BEN, 'poll', { to: group, question: 'Where?', options: ['Sea', 'Town'] })
    await receiver.message(id)
    const vote = async (phone: string, option: string) => {
      await receiver.message(await onPhone(phone, 'vote', { id, options: [option] }))
    }
    await vote(EVE, 'Town')
    await updated(id, 'Voted')
    const added = (text: string) => bytes(encodeField(121, encodeField(2, encodeField(1, Buffer.from(text)))))
    await onPhone(EVE, 'secret', { id, kind: 'poll_option', base64: added('Wood') })
    assert.deepEqual((await updated(id, 'Edited'))?.Options, ['Sea', 'Town', 'Wood'])
    await onPhone(BEN, 'secret', { id, kind: 'poll_option', base64: added('Lake'), useCase: 'Poll Edit' })
    const extended = await eventually(
      () => byId(id),
      (poll) => poll.convertOptions === 'Sea|Town|Wood|Lake',
    )
    assert.deepEqual((extended.content as { votes: Json[] }).votes[1], { option: 'Town', voters: [jid(EVE)] })
    const names = ['Sea', 'Town', 'Wood', 'Lake'].map((optionName) => ({ optionName }))
    const poll = { name: 'Where to?', options: names, selectableOptionsCount: 1 }
    await onPhone(BEN, 'secret', { id, kind: 'poll_edit', message: { pollCreationMessageV3: poll } })
    await edited(id, 'Where to?')
    const reworded = await onPhone(EVE, 'secret', { id, kind: 'poll_edit', message: { pollCreationMessageV3: poll } })
    await noted(reworded, 'wrong_author')
    await vote(EVE, 'Sea')
    const record = await eventually(
      () => byId(id),
      ({ vote: tally }) => String(tally).includes('"Sea","votes":1'),
    )
    assert.deepEqual([record.text, record.convertOptions], ['Where?', 'Sea|Town|Wood|Lake'])
  })

  it('edit events, and answer them', async () => {
    const event = { name: 'Trip', startTime: 1_800_000_000 }
    const id = await onPhone(BEN, 'message', { to: group, message: { eventMessage: event } })
    await receiver.message(id)
    const moved = { ...event, name: 'Long trip' }
    await onPhone(BEN, 'secret', { id, kind: 'event_edit', message: { eventMessage: moved } })
    const record = await eventually(
      () => byId(id),
      ({ content }) => (content as Json).name === 'Long trip',
    )
    assert.match(String(listTexts(record)), /^Event: Long trip/)
    const answer = await onPhone(EVE, 'secret', { id, kind: 'event_response', base64: 'CAE=' })
    const { messageType, vote, quoted, text } = await receiver.message(answer)
    assert.deepEqual([messageType, vote, quoted, text], ['event', 'going', id, 'Answer to an event: going'])
  })

  it('are reactions and comments in announcement groups', async () => {
    const id = await written(BEN, group, 'news')
    // ReactionMessage {text 2}; a Message and a CommentMessage {message 1} with the text hello.
    const reaction = await onPhone(EVE, 'secret', {
      id,
      kind: 'reaction',
      base64: bytes(encodeField(2, Buffer.from('👍'))),
    })
    const reacted = await receiver.message(reaction)
    assert.deepEqual([reacted.messageType, reacted.text, reacted.reaction], ['reaction', '👍', id])
    const hello = encodeField(1, Buffer.from('hello'))
    for (const payload of [hello, encodeField(1, hello)]) {
      const comment = await receiver.message(
        await onPhone(EVE, 'secret', { id, kind: 'comment', base64: bytes(payload) }),
      )
      assert.deepEqual([comment.messageType, comment.text, comment.quoted], ['comment', 'hello', id])
    }
  })

  it('of the own phone are the votes and edits of its polls', async () => {
    const id = await onPhone(ANA, 'poll', { to: BEN, question: 'When?', options: ['Today', 'Tomorrow'] })
    await receiver.message(id)
    await world.shownAt(BEN, id)
    const vote = await receiver.message(await onPhone(BEN, 'vote', { id, options: ['Today'] }))
    assert.equal(vote.vote, 'Today')
    await updated(id, 'Voted')
  })
})

function encodeField(number: number, content: Buffer): Buffer {
  const tag = number * 8 + 2
  const head = tag < 128 ? [tag] : [(tag & 127) | 128, tag >> 7]
  return Buffer.concat([Buffer.from([...head, content.length]), content])
}

function bytes(buffer: Buffer): string {
  return buffer.toString('base64')
}
