import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface Details {
  readonly requestId: string
  readonly state: string
  readonly messages?: number
  readonly isComplete?: boolean
}

const ANA = '15550490001'
const BEN = '15550490002'
const EVE = '15550490003'
const [FIRST, COUNT] = [1_700_000_000, 130]

/** The past of a chat, oldest first. */
const past = Array.from({ length: COUNT }, (_, index) => ({
  id: `PAST${String(index).padStart(4, '0')}`,
  text: `past ${index}`,
  fromMe: index % 2 === 1,
  timestamp: FIRST + index * 60,
}))

describe('messages of the past', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben Silva', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['messages', 'history'],
  })
  const ask = async (body: Json) =>
    await ana.done<{ details: Details; message: string; warnings?: string[] }>('/message/history-sync', {
      number: BEN,
      ...body,
    })
  const told = (requestId: string) =>
    receiver.of('history').flatMap(({ body }) => (body.requestId === requestId ? [body] : []))
  const idsIn = ({ messages }: Json) => (messages as Json[]).map(({ messageid }) => messageid)
  const onPhone = (method: string, what: string, body?: Json) =>
    world.network<Json>(method, `/phones/${ANA}${what}`, body)
  const range = (from: number, to: number) => past.slice(from, to).map(({ id }) => id)

  it('come from the phone, 50 at a time, until it has nothing older', async () => {
    await receiver.message(await world.write(BEN, ANA, 'now'))
    await onPhone('PUT', '/history', {
      chats: [{ id: BEN, unreadCount: 9, archived: true, messages: past }],
      contacts: [],
    })
    for (const [count, from, to, isComplete] of [
      [30, 100, 130, false],
      [100, 50, 100, false],
      [undefined, 0, 50, true],
    ] as const) {
      const { details, message, warnings = [] } = await ask(count === undefined ? {} : { count })
      const { requestId } = details
      assert.deepEqual(
        [details.state, details.messages, details.isComplete],
        ['answered', to - from, isComplete],
        message,
      )
      assert.equal(
        warnings.some((one) => one.startsWith('count:')),
        count === 100,
      )
      const [event] = await eventually(
        () => told(requestId),
        ([one]) => one !== undefined,
      )
      assert.deepEqual(
        [event?.status, event?.isComplete, idsIn(event as Json)],
        ['answered', isComplete, range(from, to)],
      )
    }
    const nothing = await ask({})
    assert.deepEqual([nothing.details.messages, nothing.details.isComplete], [0, true])
    await eventually(
      () => told(nothing.details.requestId),
      ([one]) => (one?.messages as Json[])?.length === 0,
    )
    // They stand before what is newer, count as unread for nobody, and settings of the chat stay.
    const stored = await ana.messages({ chatid: BEN, limit: 100 })
    assert.deepEqual([stored[0]?.text, stored[1]?.text], ['now', 'past 129'])
    const chat = await ana.chat(`${BEN}@s.whatsapp.net`)
    assert.deepEqual([chat.wa_unreadCount, chat.wa_archived, chat.wa_lastMessageTextVote], [1, false, 'now'])
  })

  it('can be asked for before a message, and again', async () => {
    const { details } = await ask({ messageid: 'PAST0010', count: 5 })
    assert.deepEqual([details.messages, details.isComplete], [5, false])
    const [event] = await eventually(
      () => told(details.requestId),
      ([one]) => one !== undefined,
    )
    assert.deepEqual(idsIn(event as Json), range(5, 10))
    const asked = await world.network<{ before: string }[]>('GET', `/phones/${ANA}/history-requests`)
    assert.equal(asked.at(-1)?.before, 'PAST0010')
  })

  it('one message is asked for by its id', async () => {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text: 'again' })
    await receiver.message(id)
    const { details, message } = await ask({ mode: 'exact', messageid: id })
    assert.deepEqual([details.state, details.messages], ['answered', 1], message)
    const [event] = await eventually(
      () => told(details.requestId),
      ([one]) => one !== undefined,
    )
    assert.deepEqual(idsIn(event as Json), [id])
    const none = await ask({ mode: 'exact', messageid: '3EB0UNKNOWN' })
    assert.deepEqual([none.details.state, none.details.messages], ['answered', 0], none.message)
  })

  it('are told as not answered while the phone sleeps, and come when it wakes', async () => {
    await onPhone('PATCH', '', { answerDelayMs: -1 })
    const { details, message } = await ask({ count: 3, messageid: 'PAST0100' })
    assert.deepEqual([details.state, details.messages], ['waiting', undefined])
    assert.match(message, /has not answered yet/)
    const again = await ana.call<Json>('POST', '/message/history-sync', { number: BEN })
    assert.deepEqual([again.status, again.body.code], [409, 'HISTORY_RUNNING'])
    const [event] = await eventually(
      () => told(details.requestId),
      ([one]) => one !== undefined,
      90_000,
    )
    assert.deepEqual([event?.status, event?.messages], ['no_answer', []])
    await onPhone('PATCH', '', { answerDelayMs: 7_000 })
    const late = await ask({ count: 3, messageid: 'PAST0100' })
    assert.equal(late.details.state, 'waiting')
    const [came] = await eventually(
      () => told(late.details.requestId),
      ([one]) => one !== undefined,
    )
    assert.deepEqual([came?.status, idsIn(came as Json)], ['answered', range(97, 100)])
    await onPhone('PATCH', '', { answerDelayMs: 0 })
  })

  it('are refused with a reason', async () => {
    for (const [body, status, code] of [
      [{}, 400, 'INVALID_REQUEST'],
      [{ number: 'x' }, 400, 'INVALID_NUMBER'],
      [{ number: EVE }, 404, 'CHAT_NOT_FOUND'],
      [{ number: BEN, messageid: '3EB0UNKNOWN' }, 404, 'MESSAGE_NOT_FOUND'],
      [{ number: BEN, mode: 'exact' }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, mode: 'all' }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, count: 0 }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, count: 101 }, 400, 'INVALID_REQUEST'],
      [{ number: '120363000000000009@g.us', mode: 'exact', messageid: 'A' }, 404, 'MESSAGE_NOT_FOUND'],
    ] as const) {
      const answer = await ana.call<Json>('POST', '/message/history-sync', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    const idle = await world.instance('idle')
    const answer = await idle.call<Json>('POST', '/message/history-sync', { number: BEN })
    assert.deepEqual([answer.status, answer.body.error], [409, 'No session'])
  })
})
