import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  text: string | null
  reactions: { from: string; text: string }[]
}

const ANA = '15550420001'
const BEN = '15550420002'
const EVE = '15550420003'
const DAY_S = 86_400

describe('reactions', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [ANA]: 'Ana', [BEN]: 'Ben', [EVE]: 'Eve' },
    prepare: () => {
      const timestamp = Math.floor(Date.now() / 1000) - 8 * DAY_S
      return world.network('PUT', `/phones/${ANA}/history`, {
        chats: [{ id: BEN, messages: [{ id: 'OLD', text: 'long ago', timestamp }] }],
      })
    },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
  })

  const react = (id: unknown, text: string, more: Json = {}, headers: Record<string, string> = {}) =>
    ana.call<Json>('POST', '/message/react', { number: `${BEN}@s.whatsapp.net`, id, text, ...more }, headers)
  const shown = async (phone: string, list: 'messages' | 'sent', id: string) =>
    (await world.network<Shown[]>('GET', `/phones/${phone}/${list}`)).find((one) => one.id === id)
  const reactions = (phone: string, list: 'messages' | 'sent', id: string, expected: Shown['reactions']) =>
    eventually(
      () => shown(phone, list, id),
      (one) => JSON.stringify(one?.reactions) === JSON.stringify(expected),
    )
  const told = async (id: string) => {
    const event = await eventually(() =>
      receiver.of('messages').find(({ body }) => (body.message as Json).messageid === id),
    )
    return event?.body as unknown as { message: Json; chat: Json }
  }
  const written = async (text: string, to = ANA, by = BEN) => {
    const id = await world.write(by, to, text)
    await receiver.message(id)
    return id
  }
  const find = (query: Json) => ana.messages(query)

  it('of the account appear on the message at the other phone, one at a time, until they are removed', async () => {
    const id = await written('a question')
    const first = await react(id, '👍')
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const { messageid, content, messageTimestamp } = first.body
    assert.deepEqual(first.body, {
      id: `${ANA}:${String(messageid)}`,
      messageid,
      content,
      messageTimestamp,
      messageType: 'reaction',
      status: 'Pending',
      owner: ANA,
      success: true,
      message: 'Reaction sent',
      reaction: { id: messageid, emoji: '👍', timestamp: messageTimestamp, status: 'sent' },
    })
    await reactions(BEN, 'sent', id, [{ from: ANA, text: '👍' }])
    // By `owner:messageid`, and by the number alone.
    await react(`${ANA}:${id}`, '👩‍👩‍👧‍👦', { number: BEN })
    await reactions(BEN, 'sent', id, [{ from: ANA, text: '👩‍👩‍👧‍👦' }])
    const removed = await react(id, '')
    assert.deepEqual([(removed.body.reaction as Json).status, (removed.body.reaction as Json).emoji], ['removed', null])
    await reactions(BEN, 'sent', id, [])

    const [record] = await find({ id: messageid })
    assert.deepEqual(
      [record?.messageType, record?.reaction, record?.text, record?.fromMe, record?.sendFunction],
      ['reaction', id, '👍', true, 'react'],
    )
    const event = await told(String(messageid))
    assert.deepEqual([event.message.messageType, event.message.reaction], ['reaction', id])
  })

  it('of the account in a group name the author of the message', async () => {
    const group = await world.network('POST', '/groups', { owner: BEN, subject: 'Trip', members: [ANA, EVE] })
    const jid = String(group.jid)
    const id = await written('who comes?', jid)
    const { status, body } = await react(id, '🎉', { number: jid })
    assert.equal(status, 200, JSON.stringify(body))
    for (const [phone, list] of [
      [BEN, 'sent'],
      [EVE, 'messages'],
    ] as const)
      await reactions(phone, list, id, [{ from: ANA, text: '🎉' }])
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${BEN}`)
    const key = (body.content as { key: Json }).key
    assert.deepEqual([key.participant, key.remoteJid, key.fromMe], [lid, jid, false])
  })

  it('of the account are queued, tracked and sent once, as every send', async () => {
    const id = await written('another question')
    const queued = await react(id, '🙏', { async: true, track_id: 'reaction-1' })
    assert.deepEqual([queued.status, queued.body.status, queued.body.message], [200, 'Queued', 'Reaction queued'])
    await reactions(BEN, 'sent', id, [{ from: ANA, text: '🙏' }])
    assert.equal((await find({ track_id: 'reaction-1' }))[0]?.messageid, queued.body.messageid)
    const key = { 'idempotency-key': 'reaction-once' }
    const answers = await Promise.all([1, 2, 3].map(() => react(id, '❤️', {}, key)))
    const [first] = answers
    for (const { status, body } of answers) {
      // The network may have acknowledged it in between.
      assert.match(String(body.message), /^Reaction (sent|accepted)/)
      assert.deepEqual([status, { ...body, message: '' }], [200, { ...first?.body, message: '' }])
    }
    assert.equal((await react(id, '😂', {}, key)).status, 409)
    await reactions(BEN, 'sent', id, [{ from: ANA, text: '❤️' }])
  })

  it('are refused in the words of the specification if they are invalid, and then change nothing', async () => {
    const id = await written('to react to')
    const own = String((await ana.text(BEN, 'our own')).messageid)
    await eventually(
      () => find({ id: 'OLD' }),
      (all) => all.length > 0,
    )
    await eventually(
      () => find({ id: own }),
      ([message]) => message?.status === 'delivered',
    )
    const before = await visibleState(world, ana)
    for (const [what, body, status, code, error] of [
      ['no id', { id: undefined }, 400, 'MISSING_ID', 'Missing Id in Payload'],
      ['an unknown id', { id: '3EB0UNKNOWN' }, 404, 'MESSAGE_NOT_FOUND', 'Message not found'],
      ['an id of another chat', { id, number: EVE }, 404, 'MESSAGE_NOT_FOUND', 'Message not found'],
      ['our own message', { id: own }, 400, 'OWN_MESSAGE', 'Only messages of others can be reacted to.'],
      [
        'an old one',
        { id: 'OLD' },
        400,
        'MESSAGE_TOO_OLD',
        'The message is too old: reactions end after 7 days, edits after 20 minutes.',
      ],
      [
        'no emoji',
        { id, text: 'ok' },
        400,
        'INVALID_EMOJI',
        'The text must be one emoji, or empty to take the reaction back.',
      ],
    ] as const) {
      for (const more of [{}, { async: true }]) {
        const answer = await react(id, '👍', { ...body, ...more })
        assert.deepEqual([answer.status, answer.body.code, answer.body.error], [status, code, error], what)
      }
    }
    assert.equal(await visibleState(world, ana), before)
    assert.deepEqual((await shown(BEN, 'sent', id))?.reactions, [])
  })

  it("give the network's code when it refuses them", async () => {
    const id = await written('refuse me')
    const fault = await world.network('POST', '/faults', { kind: 'ack-error', code: 479, phone: ANA, recipient: BEN })
    const { status, body } = await react(id, '👍')
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    assert.deepEqual(
      [status, body.error, body.code, body.provider_code],
      [500, 'Error sending message', 'SEND_FAILED', 479],
    )
  })

  it('of others are reported as messages about the own ones, and do not count as unread', async () => {
    const sent = await ana.text(BEN, 'react to me')
    const about = String(sent.messageid)
    await eventually(() => shown(BEN, 'messages', about))
    const count = async () => (await told(await written('count'))).chat.wa_unreadCount
    const before = Number(await count())
    for (const text of ['😮', '']) {
      const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/react`, { id: about, text })
      const { message } = await told(id)
      assert.deepEqual(
        [message.messageType, message.reaction, message.text, message.fromMe, message.sender_pn],
        ['reaction', about, text, false, `${BEN}@s.whatsapp.net`],
      )
    }
    assert.equal(await count(), before + 1)
  })

  it('of an instance that is not connected are answered with No session', async () => {
    const idle = await world.instance('idle')
    const answer = await idle.call<Json>('POST', '/message/react', { number: BEN, id: 'X', text: '👍' })
    assert.deepEqual([answer.status, answer.body.error], [409, 'No session'])
  })

  it('leave no message undecryptable', async () => {
    for (const phone of [ANA, BEN, EVE]) assert.deepEqual(await world.network('GET', `/phones/${phone}/failures`), [])
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
  })
})
