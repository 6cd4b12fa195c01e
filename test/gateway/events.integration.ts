import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { startReceiver } from '../support/receiver.js'

type Json = Record<string, unknown>

describe('events', () => {
  const BEN = '15550500002'
  const { world, account: ana } = gatewaySuite({
    env: { WEBHOOK_BACKOFF_MIN_MS: '50', WEBHOOK_BACKOFF_MAX_MS: '200', SSE_HEARTBEAT_MS: '300' },
    phones: { [BEN]: 'Ben' },
    account: ['15550500001', 'Ana'],
  })
  const write = (text: string) => world.write(BEN, ana.number, text)
  const hook = (body: Json) => ana.done<Json[]>('/webhook', body)
  const removeAll = () => ana.unhook()

  it('are signed for the receiver, and the secret is shown once', async (t) => {
    const receiver = await startReceiver(t)
    const [made] = await hook({ action: 'add', url: receiver.url, events: ['messages'], enabled: true })
    const secret = String(made?.secret)
    assert.match(secret, /^whsec_/)
    assert.equal((await ana.call<Json[]>('GET', '/webhook')).body[0]?.secret, undefined)
    await write('signed')
    const [got] = await eventually(
      () => receiver.of('messages'),
      (all) => all.length > 0,
    )
    const { headers, text } = got as NonNullable<typeof got>
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`
    const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(signed)
      .digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${expected}`)
    assert.equal(headers['webhook-id'], got?.body.eventId)
    assert.deepEqual([got?.body.instanceName, got?.body.owner, got?.body.schemaVersion], ['Ana', ana.number, 1])
    assert.equal(got?.body.token, undefined)
    await removeAll()
  })

  it('go to several webhooks, each with its own filters and suffixes; simple mode keeps one', async (t) => {
    const [all, others, suffixed] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)]
    await hook({ action: 'add', url: all.url, events: ['messages'], enabled: true })
    await hook({
      action: 'add',
      url: others.url,
      events: ['messages'],
      excludeMessages: ['wasSentByApi'],
      enabled: true,
    })
    await hook({
      action: 'add',
      url: suffixed.url,
      events: ['messages'],
      addUrlEvents: true,
      AddUrlTypesMessages: true,
      enabled: true,
    })
    await ana.text(BEN, 'from the API')
    await write('from Ben')
    await eventually(
      () => all.of('messages').length,
      (count) => count === 2,
    )
    await eventually(
      () => suffixed.of('messages').length,
      (count) => count === 2,
    )
    await eventually(
      () => others.of('messages').length,
      (count) => count === 1,
    )
    assert.equal(others.of('messages').map(({ body }) => body.message as Json)[0]?.text, 'from Ben')
    assert.equal(suffixed.got[0]?.path, '/hook/messages/text')
    await removeAll()
    await hook({ url: all.url, events: ['messages'], enabled: true })
    assert.equal((await hook({ url: others.url, events: ['connection'] })).length, 1)
    await removeAll()
  })

  it('wait for a receiver that is away, and arrive in order when it returns, also across a kill -9', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer(503)
    const [made] = await hook({ action: 'add', url: receiver.url, events: ['messages'], enabled: true })
    for (let index = 0; index < 20; index += 1) await write(`waited ${index}`)
    await eventually(
      async () => (await ana.call<Json[]>('GET', '/webhook/errors')).body.length,
      (count) => count > 0,
    )
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    receiver.answer(200)
    const got = await eventually(
      () => receiver.of('messages'),
      (all) => all.length >= 20,
    )
    assert.deepEqual(
      got.map(({ body }) => (body.message as Json).text),
      Array.from({ length: 20 }, (_, index) => `waited ${index}`),
    )
    const tested = await ana.call<Json>('POST', '/webhook/test', { id: made?.id })
    assert.deepEqual([tested.status, tested.body.statusCode], [200, 200])
    await ana.connected()
    await removeAll()
  })

  it('of a flood from several people arrive in order per chat, each once', async (t) => {
    const receiver = await startReceiver(t)
    await hook({ action: 'add', url: receiver.url, events: ['messages'], enabled: true })
    const people = ['15550500011', '15550500012', '15550500013']
    for (const person of people) await world.phone(person)
    await Promise.all(
      people.map((person) =>
        world.network('POST', `/phones/${person}/text`, { to: ana.number, text: person, count: 60 }),
      ),
    )
    const got = await eventually(
      () => receiver.of('messages'),
      (all) => all.length >= 180,
    )
    assert.equal(new Set(got.map(({ body }) => body.eventId)).size, 180)
    for (const person of people) {
      const numbers = got
        .map(({ body }) => String((body.message as Json).text))
        .filter((text) => text.startsWith(person))
        .map((text) => Number(text.split(' ')[1]))
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
      assert.equal(numbers.length, 60)
    }
    await removeAll()
  })

  it('reach global webhooks for every instance, set by the administrator', async (t) => {
    const receiver = await startReceiver(t)
    assert.equal((await world.gateway.call('GET', '/globalwebhook', { admin: true })).status, 404)
    assert.equal(
      (
        await world.gateway.call('POST', '/globalwebhook', {
          admin: true,
          body: { url: receiver.url, events: ['messages'], enabled: true },
        })
      ).status,
      200,
    )
    const cat = await world.paired('15550500021', 'Cat')
    await cat.text(BEN, 'globally heard')
    await eventually(() => receiver.of('messages').some(({ body }) => body.owner === cat.number))
    await world.gateway.call('POST', '/globalwebhook', {
      admin: true,
      body: { url: receiver.url, events: ['messages'], enabled: false },
    })
  })

  it('can be followed as a stream, which resumes after the last event without loss or repeats, across a restart', async () => {
    const first = await openStream(`${world.gateway.url}/sse?token=${ana.token}&events=messages`)
    await write('streamed 1')
    await eventually(
      () => first.events.length,
      (count) => count >= 1,
    )
    await eventually(
      () => first.comments,
      (count) => count > 0,
    )
    const { id } = first.events[0] as { id: string }
    first.close()
    await write('streamed 2')
    await world.gateway.kill('SIGTERM')
    await world.gateway.start()
    await ana.connected()
    await write('streamed 3')
    const second = await openStream(`${world.gateway.url}/sse?events=messages`, {
      token: ana.token,
      'last-event-id': id,
    })
    const texts = () => second.events.map(({ data }) => (data.message as Json).text)
    await eventually(texts, (all) => all.length >= 2)
    assert.deepEqual(texts(), ['streamed 2', 'streamed 3'])
    second.close()
    const admin = await openStream(`${world.gateway.url}/sse?events=messages`, { admintoken: world.gateway.adminToken })
    // Its first comment says where it begins: after all that was written before.
    await eventually(
      () => admin.comments,
      (count) => count > 0,
    )
    await write('for the administrator')
    await eventually(() => admin.events.some(({ data }) => (data.message as Json).text === 'for the administrator'))
    admin.close()
    const refused = await fetch(`${world.gateway.url}/sse?token=wrong`)
    assert.equal(refused.status, 401)
  })

  it('of a first login bring the history: chats and messages are stored and reported', async (t) => {
    const receiver = await startReceiver(t)
    await world.phone('15550500031', 'Old')
    await world.network('PUT', '/phones/15550500031/history', {
      chats: [
        {
          id: `${BEN}@s.whatsapp.net`,
          name: 'Ben',
          unreadCount: 2,
          messages: Array.from({ length: 5 }, (_, index) => ({
            text: `long ago ${index}`,
            timestamp: 1_700_000_000 + index,
          })),
        },
      ],
      contacts: [{ number: BEN, name: 'Ben from the book' }],
    })
    const old = await world.instance('old')
    await old.call('POST', '/webhook', { url: receiver.url, events: ['history', 'contacts', 'chats'], enabled: true })
    const { body } = await old.call<{ instance: { paircode: string } }>('POST', '/instance/connect', {
      phone: '15550500031',
    })
    await world.network('POST', '/phones/15550500031/code', { code: body.instance.paircode })
    await old.connected()
    const [event] = await eventually(
      () => receiver.of('history'),
      (all) => all.some((one) => (one.body.messages as unknown[]).length === 5),
    )
    assert.equal(event?.body.batchNumber, 1)
    const found = await old.call<{ messages: Json[] }>('POST', '/message/find', { chatid: BEN })
    assert.deepEqual(
      found.body.messages.map(({ text }) => text),
      ['long ago 4', 'long ago 3', 'long ago 2', 'long ago 1', 'long ago 0'],
    )
  })

  it('of a first login bring the whole history, also when the gateway is killed in the middle of it', async () => {
    const phone = '15550500032'
    await world.phone(phone, 'Long')
    const [people, perChat] = [Array.from({ length: 60 }, (_, index) => String(15_550_510_000 + index)), 50]
    await world.network('PUT', `/phones/${phone}/history`, {
      chats: people.map((id) => ({
        id: `${id}@s.whatsapp.net`,
        messages: Array.from({ length: perChat }, (_, index) => ({
          text: `${index} of ${id}`,
          timestamp: 1_700_000_000 + index,
        })),
      })),
    })
    const long = await world.instance('long', phone)
    const { body } = await long.call<{ instance: { paircode: string } }>('POST', '/instance/connect', { phone })
    await world.network('POST', `/phones/${phone}/code`, { code: body.instance.paircode })
    const chats = async () =>
      (
        await long.call<{ pagination: { totalRecords: number } }>('POST', '/chat/find', {
          wa_lastMessageTextVote: `${perChat - 1} of `,
          limit: 1,
        })
      ).body.pagination.totalRecords
    const before = await eventually(chats, (count) => count > 0)
    await world.gateway.kill('SIGKILL')
    assert.ok(before < people.length, 'it was in the middle of it')
    await world.gateway.start()
    await eventually(chats, (count) => count === people.length)
    const messages = async (id: string | undefined) =>
      (await long.call<{ messages: Json[] }>('POST', '/message/find', { chatid: id, limit: 100 })).body.messages.length
    assert.deepEqual([await messages(people[0]), await messages(people.at(-1))], [perChat, perChat])
  })
})

interface Stream {
  readonly events: { id: string; data: Json }[]
  readonly comments: number
  close(): void
}

async function openStream(url: string, headers: Record<string, string> = {}): Promise<Stream> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  assert.equal(response.status, 200)
  const stream = { events: [] as { id: string; data: Json }[], comments: 0, close: () => abort.abort() }
  void (async () => {
    let text = ''
    try {
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString()
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          stream.comments += lines.filter((line) => line.startsWith(':')).length
          const id = lines.find((line) => line.startsWith('id: '))?.slice(4)
          const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
          if (id !== undefined && data !== undefined) stream.events.push({ id, data: JSON.parse(data) as Json })
        }
      }
    } catch {
      // It was closed.
    }
  })()
  return stream
}
