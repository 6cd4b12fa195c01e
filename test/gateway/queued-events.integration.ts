import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { Received } from '../support/receiver.js'
import { jpeg } from '../support/samples.js'

type Json = Record<string, unknown>
type Event = Received['body'] & { readonly chat: Json; readonly message: Json }

const BEN = '15550490002'

describe('the event of a message that leaves later', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { SEND_DELAY_MIN_MS: '0', SEND_DELAY_MAX_MS: '0', RECONNECT_DELAY_MAX_MS: '300' },
    phones: { [BEN]: 'Ben' },
    account: ['15550490001', 'Ana'],
    events: ['messages', 'messages_update'],
  })

  const send = async (body: Json, path = '/send/text') => {
    const { status, body: answer } = await ana.call<{ messageid: string }>('POST', path, { number: BEN, ...body })
    assert.equal(status, 200, JSON.stringify(answer))
    return answer.messageid
  }
  const listEvents = (id: string) =>
    receiver.of('messages').flatMap(({ body }) => ((body as Event).message.messageid === id ? [body as Event] : []))
  const findEvent = async (id: string) =>
    (
      await eventually(
        () => listEvents(id),
        (found) => found.length > 0,
      )
    )[0]

  it('is emitted once when it is sent, however it was asked for, and says what was sent', async () => {
    const file = (await jpeg(40, 30)).toString('base64')
    const ids: Readonly<Record<string, string>> = {
      direct: await send({ text: 'direct' }),
      async: await send({ text: 'async', async: true }),
      'async file': await send({ type: 'image', file, text: 'async file', async: true }, '/send/media'),
      delayed: await send({ text: 'delayed', delay: 10_500, track_id: 'd' }),
      scheduled: await send({ text: 'scheduled', send_at: Date.now() + 1_500 }),
    }
    for (const [text, id] of Object.entries(ids)) {
      const event = await findEvent(id)
      const [record] = await ana.messages({ id })
      const seen = (one: Json | undefined) =>
        ['id', 'messageid', 'text', 'chatid', 'fromMe', 'messageType', 'messageTimestamp', 'created', 'track_id'].map(
          (field) => one?.[field] ?? '',
        )
      assert.deepEqual(seen(event?.message), seen(record), text)
      assert.equal(event?.message.text, text)
      assert.equal(event?.message.wasSentByApi, true)
      assert.equal(event?.chat.wa_chatid, `${BEN}@s.whatsapp.net`)
    }
    // A repeat would have come before this one.
    await findEvent(await send({ text: 'last' }))
    for (const [text, id] of Object.entries(ids)) assert.equal(listEvents(id).length, 1, text)
  })

  it('is not emitted before it is sent, and not for a canceled one', async () => {
    const id = await send({ text: 'canceled', delay: 60_000, async: true })
    assert.equal((await ana.call('POST', '/message/delete', { id })).status, 200)
    await findEvent(await send({ text: 'after it' }))
    assert.deepEqual(listEvents(id), [])
  })

  it('is emitted once though the gateway is killed before, during and after', async () => {
    const ids: string[] = []
    for (const round of [1, 2, 3]) {
      for (const part of ['a', 'b', 'c']) ids.push(await send({ text: `${part}${round}`, async: true }))
      await world.gateway.kill('SIGKILL')
      await world.gateway.start()
      await ana.connected()
    }
    for (const id of ids) await findEvent(id)
    await findEvent(await send({ text: 'the end' }))
    // A delivery may be repeated after a crash, under the same id.
    for (const id of ids) assert.equal(new Set(listEvents(id).map(({ eventId }) => eventId)).size, 1, id)
  })
})
