import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const ANA = '15550790001'
const BEN = '15550790002'
const EVE = '15550790003'
const ZOE = '15550790004'
const RETRY_MS = 500
const WAIT_MS = 12_000
const SLOW_MS = 60_000
const SECRET = Buffer.alloc(32, 7).toString('base64')

const fromAd = (text: string) => ({
  extendedTextMessage: {
    text,
    contextInfo: {
      externalAdReply: {
        title: 'Shoes',
        sourceType: 'ad',
        sourceId: '77',
        sourceUrl: 'https://fb.me/x',
        ctwaClid: 'clid',
      },
      entryPointConversionSource: 'ctwa_ad',
    },
  },
  messageContextInfo: { messageSecret: SECRET },
})

describe('messages whose content comes later, or never', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { PHONE_REQUEST_RETRY_MS: String(RETRY_MS), PHONE_ANSWER_WAIT_MS: String(WAIT_MS) },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [ZOE]: 'Zoe' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update', 'leads'],
  })

  const write = async (from: string, message: Json, more: Json = {}) =>
    (await world.network<{ id: string }>('POST', `/phones/${from}/message`, { to: ANA, message, ...more })).id
  const phoneOfAna = (settings: Json) => world.network('PATCH', `/phones/${ANA}`, settings)
  const asked = async (id: string) =>
    (await world.network<{ keys: string[] }[]>('GET', `/phones/${ANA}/resend-requests`)).filter(({ keys }) =>
      keys.includes(id),
    ).length
  const record = async (id: string) => (await ana.messages({ id }))[0] as Json
  const becomes = (id: string, isSo: (record: Json) => boolean) =>
    eventually(
      () => record(id),
      (one) => one !== undefined && isSo(one),
      SLOW_MS,
    )
  const contents = (id: string) => receiver.of('messages').filter(({ body }) => (body.message as Json).messageid === id)
  const states = (id: string) =>
    receiver
      .of('messages_update')
      .filter(({ body }) => body.type === 'Unreadable' && ((body.event as Json).MessageIDs as string[]).includes(id))
      .map(({ body }) => body.state)
  const isReadable = ({ messageType }: Json) => messageType !== 'unreadable'
  const isAcknowledged = async () =>
    (await world.network<{ devices: { id: number; pending: number }[] }>('GET', `/phones/${ANA}`)).devices.every(
      ({ id, pending }) => id === 0 || pending === 0,
    )
  const findChat = (phone: string) => ana.chat(`${phone}@s.whatsapp.net`)

  it('keeps the place of a first message from an ad, and fills it when the phone answers late', async () => {
    await phoneOfAna({ answerDelayMs: 3_000 })
    const id = await write(BEN, fromAd('How much?'), { mark: 'phone', addressing: 'lid' })
    const waiting = await becomes(id, () => true)
    assert.equal(waiting.messageType, 'unreadable')
    assert.deepEqual(waiting.content, { reason: 'phone_only', state: 'waiting' })
    await eventually(() => states(id).length === 1)
    const next = await write(BEN, { conversation: 'Hello?' }, { addressing: 'lid' })
    await eventually(() => contents(next).length === 1)
    assert.deepEqual(contents(id), [])

    const filled = await becomes(id, isReadable)
    assert.equal(filled.text, 'How much?')
    assert.deepEqual([filled.id, filled.messageTimestamp], [waiting.id, waiting.messageTimestamp])
    assert.equal((filled.ad as Json).ctwaClid, 'clid')
    await eventually(() => contents(id).length > 0)
    const body = contents(id)[0]?.body as Json
    assert.equal((body.message as Json).id, waiting.id)
    assert.equal((body.chat as Json).lead_adSourceId, '77')
    assert.equal((body.chat as Json).wa_unreadCount, 2)
    const chat = await findChat(BEN)
    assert.equal(chat.wa_lastMessageTextVote, 'Hello?')
    assert.equal(chat.wa_unreadCount, 2)
    const inOrder = await ana.messages({ chatid: `${BEN}@s.whatsapp.net` })
    assert.deepEqual(inOrder.map(({ text }) => text).sort(), ['Hello?', 'How much?'])
    assert.deepEqual(states(id), ['Waiting'])
    assert.equal(contents(id).length, 1)
    await phoneOfAna({ answerDelayMs: 0 })
  })

  it('keeps the place of a message that came without content and without a mark, but none for a reaction', async () => {
    await phoneOfAna({ answerDelayMs: 1_000 })
    const target = await write(EVE, { conversation: 'to react to' })
    const id = await write(EVE, { conversation: 'nothing in it' }, { mark: 'none' })
    const waiting = await becomes(id, () => true)
    assert.deepEqual(waiting.content, { reason: 'unmarked', state: 'waiting' })
    const filled = await becomes(id, isReadable)
    assert.equal(filled.text, 'nothing in it')
    await eventually(() => contents(id).length === 1)
    assert.deepEqual(states(id), ['Waiting'])
    const key = { remoteJid: `${ANA}@s.whatsapp.net`, fromMe: true, id: target }
    const reaction = await write(EVE, { reactionMessage: { key, text: '+' } }, { mark: 'none' })
    const last = await write(EVE, { conversation: 'behind it' })
    await eventually(() => contents(last).length === 1)
    assert.equal(await record(reaction), undefined)
    await phoneOfAna({ answerDelayMs: 0 })
    await eventually(isAcknowledged, Boolean, SLOW_MS)
  })

  it('fills the preview of the chat when the content of its last message comes at once', async () => {
    const { wa_unreadCount: before } = await findChat(EVE)
    const id = await write(EVE, fromAd('Still there?'), { mark: 'phone' })
    await becomes(id, isReadable)
    await eventually(() => contents(id).length === 1)
    const chat = await findChat(EVE)
    assert.equal(chat.wa_lastMessageTextVote, 'Still there?')
    assert.equal(chat.wa_unreadCount, Number(before) + 1)
  })

  it('reads a content that comes from the phone as one that comes by itself: kinds that are not known, edits, votes and large copies', async () => {
    const raw = async (hex: string) => {
      const body = { to: ANA, base64: Buffer.from(hex, 'hex').toString('base64'), mark: 'phone' }
      return (await world.network<{ id: string }>('POST', `/phones/${EVE}/message`, body)).id
    }
    // Field 132 with a text, and bytes that are no message.
    for (const [bytes, content] of [
      ['a2080178', { fields: [132] }],
      ['ffff', { fields: [], isMalformed: true }],
    ] as const) {
      const id = await raw(bytes)
      const filled = await becomes(id, isReadable)
      assert.deepEqual([filled.messageType, filled.content], ['other', content])
      await eventually(() => contents(id).length === 1)
    }
    // Field 118, a spoiler, with the text boo.
    const spoiler = await becomes(await raw('b207070a050a03626f6f'), isReadable)
    assert.deepEqual([spoiler.messageType, spoiler.text], ['text', 'boo'])

    const original = await write(EVE, { conversation: 'with a mistake' })
    await eventually(() => contents(original).length === 1)
    const key = { id: original, fromMe: true, remoteJid: `${ANA}@s.whatsapp.net` }
    const editedMessage = { conversation: 'corrected' }
    const edit = await write(EVE, { protocolMessage: { type: 'MESSAGE_EDIT', key, editedMessage } }, { mark: 'phone' })
    await becomes(original, ({ edited }) => String(edited).includes('corrected'))
    await becomes(edit, ({ status }) => status === 'deleted')
  })

  it('says of messages that linked devices never get where they can be opened, and does not ask for them', async () => {
    for (const mark of ['view_once', 'hosted', 'bot']) {
      const id = await write(EVE, { conversation: `secret ${mark}` }, { mark })
      await eventually(() => contents(id).length === 1)
      const { messageType, content, text } = await record(id)
      assert.equal(messageType, 'unreadable')
      assert.deepEqual(content, { reason: mark, state: 'unavailable' })
      assert.match(String(text), /phone/)
      assert.deepEqual(states(id), [])
      assert.equal(await asked(id), 0)
    }
  })

  it('asks a silent phone again, and says at last that nothing came', async () => {
    await phoneOfAna({ answerDelayMs: -1 })
    const id = await write(ZOE, fromAd('lost'), { mark: 'phone' })
    const lost = await becomes(id, ({ content }) => (content as Json).state === 'unavailable')
    assert.deepEqual(lost.content, { reason: 'no_answer', state: 'unavailable' })
    assert.match(String(lost.error), /did not send/)
    await eventually(() => states(id).length === 2)
    assert.deepEqual(states(id), ['Waiting', 'Unavailable'])
    const times = await asked(id)
    assert.ok(times >= 2 && times <= 8, `It was asked for ${times} times.`)
    assert.deepEqual(contents(id), [])
    await phoneOfAna({ answerDelayMs: 0 })
  })

  it('ends the wait when the phone does not have the content either', async () => {
    await phoneOfAna({ lacksContents: true })
    const id = await write(ZOE, fromAd('nowhere'), { mark: 'phone' })
    const lost = await becomes(id, ({ content }) => (content as Json).state === 'unavailable')
    assert.deepEqual(lost.content, { reason: 'not_on_phone', state: 'unavailable' })
    await phoneOfAna({ lacksContents: false })
  })

  it('keeps the place of a message that does not decrypt, until its sender sends it again', async () => {
    await write(BEN, { conversation: 'before' })
    const id = await write(BEN, { conversation: 'damaged' }, { damaged: 'once' })
    await becomes(id, isReadable)
    await eventually(() => contents(id).length > 0)
    assert.deepEqual(states(id), ['Waiting'])
    assert.equal((await record(id)).text, 'damaged')
    const last = await write(BEN, { conversation: 'after' })
    await eventually(() => contents(last).length === 1)
    assert.equal(contents(id).length, 1)
    assert.equal((await ana.messages({ id })).length, 1)
  })

  it('asks the phone for a message that its sender does not send again', async () => {
    const id = await write(BEN, { conversation: 'only the phone has it' }, { damaged: 'always' })
    const waiting = await becomes(id, () => true)
    assert.deepEqual(waiting.content, { reason: 'undecryptable', state: 'waiting' })
    const filled = await becomes(id, isReadable)
    assert.equal(filled.text, 'only the phone has it')
    await eventually(() => contents(id).length === 1)
    assert.ok((await asked(id)) >= 1)
  })

  it('asks again after kill -9, and after one between the request and the answer', async () => {
    await phoneOfAna({ answerDelayMs: -1 })
    const id = await write(EVE, fromAd('after the crash'), { mark: 'phone' })
    await eventually(async () => (await asked(id)) >= 1)
    // From here on only the stored request can ask again.
    await eventually(isAcknowledged, Boolean, SLOW_MS)
    await world.gateway.kill('SIGKILL')
    await phoneOfAna({ answerDelayMs: 0 })
    const during = await write(EVE, fromAd('while away'), { mark: 'phone' })
    await world.gateway.start()
    await ana.connected()
    for (const one of [id, during]) {
      await becomes(one, isReadable)
      await eventually(() => contents(one).length > 0, Boolean, SLOW_MS)
      assert.equal(contents(one).length, 1)
      assert.equal((await ana.messages({ id: one })).length, 1)
    }
  })

  it('bounds the open requests of one chat', async () => {
    await phoneOfAna({ answerDelayMs: -1 })
    const { ids } = await world.network<{ ids: string[] }>('POST', `/phones/${ZOE}/message`, {
      to: ANA,
      message: { conversation: 'flood' },
      mark: 'phone',
      count: 80,
    })
    await becomes(ids.at(-1) as string, () => true)
    const records = await ana.messages({ chatid: `${ZOE}@s.whatsapp.net`, limit: 200 })
    const states = records
      .filter(({ messageid }) => ids.includes(String(messageid)))
      .map(({ content }) => (content as Json).state)
    assert.equal(states.filter((state) => state === 'waiting').length, 64)
    assert.equal(states.filter((state) => state === 'unavailable').length, 16)
    const requests = await world.network<{ keys: string[] }[]>('GET', `/phones/${ANA}/resend-requests`)
    assert.ok(requests.every(({ keys }) => keys.length <= 32))
    await phoneOfAna({ answerDelayMs: 0 })
  })

  it('says of what waited that it did not come, when the account is paired again', async () => {
    await phoneOfAna({ answerDelayMs: -1 })
    const id = await write(BEN, fromAd('under the former pairing'), { mark: 'phone' })
    await eventually(async () => (await asked(id)) >= 1)
    await ana.done('/instance/disconnect', {})
    const times = await asked(id)
    await ana.done('/instance/connect', { phone: ANA })
    const code = await eventually(async () => (await ana.status()).instance.paircode)
    await world.network('POST', `/phones/${ANA}/code`, { code })
    await ana.connected()
    const lost = await becomes(id, ({ content }) => (content as Json).state === 'unavailable')
    assert.deepEqual(lost.content, { reason: 'no_answer', state: 'unavailable' })
    await eventually(() => states(id).length === 2)
    assert.deepEqual(states(id), ['Waiting', 'Unavailable'])
    assert.equal(await asked(id), times)
    const { body: metrics } = await world.gateway.call<string>('GET', '/metrics')
    for (const outcome of ['asked', 'came', 'given_up'])
      assert.match(metrics, new RegExp(`posthorn_messages_without_content_total\\{outcome="${outcome}"\\} [1-9]`))
    await phoneOfAna({ answerDelayMs: 0 })
  })
})
