import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { aMessage, received } from '../../test/support/store.js'
import {
  type Answer,
  eventually,
  fromChat,
  numbers,
  ok,
  type Received,
  startDeliveries,
  startReceiver,
  textsByChat,
} from '../../test/support/webhook-deliveries.js'

const listTexts = ({ events }: Pick<Received, 'events'>) => events.map(({ message }) => message.text)

describe('a webhook with batches', () => {
  it('gets arrays of events of many chats, each chat in its order and each event once', async (t) => {
    const { add, receive, waiting } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    await add({ url: receiver.url, batch: { max: 50, waitMs: 200 } })
    await Promise.all(
      Array.from({ length: 20 }, async (_, chat) => {
        for (const text of numbers(25)) await receive(chat, text)
      }),
    )
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    const byChat = Object.values(textsByChat(receiver.requests))
    assert.equal(byChat.length, 20)
    for (const texts of byChat) assert.deepEqual(texts, numbers(25))
    const sizes = receiver.requests.map(({ events }) => events.length)
    assert.ok(Math.max(...sizes) > 1 && Math.max(...sizes) <= 50, String(sizes))
    assert.ok(receiver.requests.every(({ body }) => body.startsWith('[{')))
    assert.ok(receiver.requests.length < 100, `${receiver.requests.length} requests`)
  })

  it('waits for others, and sends at once what fills a batch', async (t) => {
    const { add, receive } = await startDeliveries(t)
    const [patient, full] = [await startReceiver(t), await startReceiver(t)]
    await add({ url: patient.url, batch: { max: 500, waitMs: 4_000 } })
    await add({ url: full.url, batch: { max: 3, waitMs: 60_000 } })
    const startedMs = performance.now()
    for (const chat of [1, 2, 3]) await receive(chat, `of ${chat}`)
    await eventually(() => full.taken.length === 1, 'the full batch has arrived')
    assert.ok(performance.now() - startedMs < 60_000)
    await eventually(() => patient.taken.length === 1, 'the other one has arrived')
    assert.ok(performance.now() - startedMs >= 3_995)
    for (const { taken } of [patient, full]) assert.deepEqual(taken.map(listTexts), [['of 1', 'of 2', 'of 3']])
  })

  it('signs the whole array, and names a batch by all its events and a single event by its own id', async (t) => {
    const { add, receive } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    const { secret } = await add({ url: receiver.url, batch: { max: 10, waitMs: 100 } })
    await receive(1, 'a', 'b')
    await eventually(() => receiver.taken.length === 1, 'it has arrived')
    await receive(1, 'c')
    await eventually(() => receiver.taken.length === 2, 'the next one has arrived')
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    for (const { headers, body } of receiver.taken) {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    }
    const [batch, single] = receiver.taken
    assert.ok(!batch?.events.some(({ eventId }) => eventId === batch.headers['webhook-id']))
    assert.deepEqual([single?.events.length, single?.headers['webhook-id']], [1, single?.event.eventId])
  })

  it('has only events of one URL in a batch', async (t) => {
    const { add, store, instance, waiting } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    const events = ['messages', 'messages_update']
    await add({ url: receiver.url, events, addUrlEvents: true, batch: { max: 10, waitMs: 50 } })
    const message = aMessage({ fromMe: true, wasSentByApi: true, status: 'pending' })
    const announce = { type: 'Status', state: 'Sent', event: {} }
    const update = { type: 'message.update', messageids: [message.messageid], fromMe: true, announce } as const
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([received(message), { ...update, set: { status: 'sent' } }, received(aMessage())])
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    const sent = receiver.requests.flatMap(({ path, body }) =>
      (JSON.parse(body) as { EventType: string }[]).map(({ EventType }) => [path, `/hook/${EventType}`]),
    )
    assert.deepEqual(sent.map(([, kind]) => kind).sort(), ['/hook/messages', '/hook/messages', '/hook/messages_update'])
    for (const [path, kind] of sent) assert.equal(path, kind)
  })

  it('fails as a whole, and then sends the first event of each chat alone, so that a bad one becomes the only dead letter', async (t) => {
    const { add, receive, waiting, webhooks, instance } = await startDeliveries(t, {
      retries: { delayMinMs: 20, delayMaxMs: 50, refusedAttemptsMax: 3 },
    })
    const receiver = await startReceiver(t, (request, response) => {
      response.writeHead(listTexts(request).includes('bad') ? 422 : 200).end()
    })
    const { id } = await add({ url: receiver.url, batch: { max: 20, waitMs: 200 } })
    await Promise.all([
      receive(1, 'bad', 'behind the bad one'),
      ...[2, 3, 4].map((chat) => receive(chat, `good ${chat}`, `behind ${chat}`)),
    ])
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    const refused = receiver.requests.filter((request) => listTexts(request).includes('bad'))
    assert.equal(refused.length, 3)
    assert.ok((refused[0]?.events.length ?? 0) > 1)
    assert.deepEqual(refused.slice(1).map(listTexts), [['bad'], ['bad']])
    const taken = Object.values(textsByChat(receiver.taken)).sort()
    assert.deepEqual(taken, [
      ['behind the bad one'],
      ['good 2', 'behind 2'],
      ['good 3', 'behind 3'],
      ['good 4', 'behind 4'],
    ])
    const { deadLetters } = await webhooks.deadLetters(instance, { limit: 10, offset: 0 })
    assert.deepEqual(
      deadLetters.map(({ payload, attempts, statusCode }) => [
        (payload.message as { text: string }).text,
        attempts,
        statusCode,
      ]),
      [['bad', 3, 422]],
    )
    receiver.answer = ok
    await webhooks.replay(instance, { webhookId: id })
    await eventually(() => receiver.taken.some((request) => listTexts(request).includes('bad')), 'it is sent again')
    assert.deepEqual(receiver.taken.at(-1)?.events.length, 1)
  })

  it('tries a receiver that is away with one event at a time, and sends batches, in order, when it is back', async (t) => {
    const { add, receive, waiting, delivery } = await startDeliveries(t, {
      retries: { delayMinMs: 100, delayMaxMs: 400 },
      probeMaxMs: 500,
    })
    const receiver = await startReceiver(t, (_, response) => void response.destroy())
    await add({ url: receiver.url, batch: { max: 20, waitMs: 50 } })
    for (const text of numbers(5)) for (let chat = 0; chat < 30; chat += 1) await receive(chat, text)
    await eventually(() => delivery.counts().breakersOpen === 1, 'the breaker is open')
    const before = receiver.requests.length
    const probed = delivery.counts().breakerOpenings + 2
    await eventually(() => delivery.counts().breakerOpenings >= probed, 'two probes have failed')
    // Those of the lines that sent when it opened are not counted.
    const probes = receiver.requests.slice(before + 4)
    assert.ok(
      probes.every(({ events }) => events.length === 1),
      String(probes.map(({ events }) => events.length)),
    )
    receiver.answer = ok
    await eventually(async () => (await waiting()) === 0, 'all have arrived')
    const byChat = Object.values(textsByChat(receiver.taken))
    assert.equal(byChat.length, 30)
    for (const texts of byChat) assert.deepEqual(texts, numbers(5))
    assert.ok(receiver.taken.some(({ events }) => events.length > 1))
  })

  it('has one event in the batch that finds out whether its receiver is back, and sends the rest in batches then', async (t) => {
    const { add, receive, waiting, delivery } = await startDeliveries(t, {
      retries: { delayMinMs: 100, delayMaxMs: 400 },
      probeMaxMs: 500,
    })
    const away: Answer = (_, response) => void response.destroy()
    const receiver = await startReceiver(t, away)
    await add({ url: receiver.url, events: ['messages'] })
    for (const chat of [1, 2, 3, 4, 5, 6]) await receive(chat, 'by itself')
    await eventually(() => delivery.counts().breakersOpen === 1, 'the breaker is open')
    await add({ url: receiver.url, batch: { max: 20, waitMs: 50 } })
    // Only a batch gets an answer, so the probe that closes the breaker is one.
    receiver.answer = (request, response) => {
      const isBatch = request.body.startsWith('[')
      if (isBatch) receiver.answer = ok
      void (isBatch ? ok : away)(request, response)
    }
    const chats = Array.from({ length: 30 }, (_, index) => index + 11)
    for (const text of numbers(4)) for (const chat of chats) await receive(chat, text)
    const inBatches = () => receiver.taken.flatMap(({ body, events }) => (body.startsWith('[') ? events : []))
    await eventually(() => inBatches().length === 120, 'all have arrived in batches')
    const [first] = receiver.taken
    assert.deepEqual([first?.body.startsWith('['), first?.events.length], [true, 1])
    assert.ok(receiver.taken.some(({ events }) => events.length > 1))
    const byChat = Object.values(textsByChat(receiver.taken.filter(({ body }) => body.startsWith('['))))
    assert.deepEqual(
      byChat,
      chats.map(() => numbers(4)),
    )
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
  })

  it('has four batches under way at once, however many are full, and none of a chat that another has', async (t) => {
    const { add, receive, waiting } = await startDeliveries(t)
    const open = new Map<Received, () => void>()
    const receiver = await startReceiver(t, (request, response) => void open.set(request, () => response.end()))
    for (const path of ['one', 'two']) await add({ url: `${receiver.url}/${path}`, batch: { max: 2, waitMs: 0 } })
    const chats = Array.from({ length: 12 }, (_, index) => index + 1)
    await Promise.all(chats.map((chat) => receive(chat, 'a', 'b', 'c')))
    await eventually(() => open.size === 8, 'four of each webhook are under way')
    while ((await waiting()) > 0) {
      for (const path of ['one', 'two']) {
        const underWay = [...open.keys()].filter((request) => request.path.endsWith(path))
        const chatsByRequest = underWay.map(({ events }) => [...new Set(events.map(({ message }) => message.chatid))])
        assert.equal(new Set(chatsByRequest.flat()).size, chatsByRequest.flat().length)
        assert.ok(underWay.length <= 4 && underWay.every(({ events }) => events.length <= 2))
      }
      const [[request, answer] = []] = open
      if (request !== undefined) open.delete(request)
      answer?.()
      await eventually(async () => open.size > 0 || (await waiting()) === 0, 'another one is under way')
    }
    assert.equal(receiver.mostAtOnce(), 8)
    for (const path of ['one', 'two']) {
      const byChat = textsByChat(receiver.requests.filter((request) => request.path.endsWith(path)))
      assert.deepEqual(
        Object.values(byChat),
        chats.map(() => ['a', 'b', 'c']),
      )
    }
  })

  it('adds to each message of an agent what it was made of, within the size of a batch', async (t) => {
    const { add, store, instance, keepCommits, tell, waiting } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    await add({ url: `${receiver.url}/with`, includeAiMetadata: true, batch: { max: 500, waitMs: 200 } })
    await add({ url: `${receiver.url}/without`, batch: { max: 500, waitMs: 200 } })
    keepCommits()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const answers = Array.from({ length: 40 }, (_, index) =>
      aMessage({ ...fromChat(index % 8), text: String(index), fromMe: true, wasSentByApi: true, status: 'sent' }),
    )
    const question = aMessage({ ...fromChat(9), text: 'a question' })
    await journal.write([...answers, question].map(received))
    await store.rows(
      `UPDATE message SET ai_metadata = json_build_object('of', text, 'prompt', repeat('p', 60000)) WHERE "fromMe"`,
    )
    tell()
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    const of = (path: string) => receiver.taken.filter((request) => request.path.endsWith(path))
    const listMetadata = ({ body }: Received) =>
      (JSON.parse(body) as { message: { text: string; ai_metadata: { of?: string } } }[]).map(
        ({ message: { text, ai_metadata } }) => [text, ai_metadata.of],
      )
    const told = of('with').flatMap(listMetadata)
    assert.equal(told.length, 41)
    for (const [text, about] of told) assert.equal(about, text === 'a question' ? undefined : text)
    assert.ok(of('with').every(({ body }) => body.length < 1.1 * 2 ** 20))
    assert.ok(of('with').some(({ events }) => events.length > 10))
    assert.equal(of('without').length, 1)
    assert.deepEqual(
      new Set(
        of('without')
          .flatMap(listMetadata)
          .map(([, about]) => about),
      ),
      new Set([undefined]),
    )
  })

  it('continues with single events when the option is taken away, and with batches when it comes back', async (t) => {
    const { add, receive, waiting, webhooks, instance } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    const { id } = await add({ url: receiver.url, batch: { max: 10, waitMs: 5_000 } })
    await receive(1, 'a')
    await receive(2, 'b')
    await webhooks.update(instance, id, { batch: null })
    await receive(1, 'c')
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    assert.ok(receiver.requests.every(({ body }) => body.startsWith('{')))
    assert.deepEqual(Object.values(textsByChat(receiver.requests)).sort(), [['a', 'c'], ['b']])
    await webhooks.update(instance, id, { batch: { max: 10, waitMs: 0 } })
    await receive(1, 'd')
    await eventually(() => receiver.taken.length === 4, 'it has arrived')
    assert.deepEqual([receiver.taken[3]?.body.startsWith('[{'), listTexts(receiver.taken[3]!)], [true, ['d']])
  })

  it('sends what comes while a batch of its chat is under way after it, and other chats meanwhile', async (t) => {
    const { add, receive, waiting } = await startDeliveries(t)
    const answers: (() => void)[] = []
    const receiver = await startReceiver(t, (_, response) => void answers.push(() => response.end()))
    await add({ url: receiver.url, batch: { max: 10, waitMs: 0 } })
    await receive(1, 'a')
    await eventually(() => receiver.requests.length === 1, 'the first batch is under way')
    await receive(1, 'b')
    await receive(2, 'x')
    await eventually(() => receiver.requests.length === 2, 'another batch is under way')
    const others = Array.from({ length: 10 }, (_, index) => index + 3)
    for (const chat of others) await receive(chat, 'y')
    await eventually(() => answers.length === 4, 'as many as may be under way at once are')
    receiver.answer = ok
    for (const answer of answers) answer()
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    assert.deepEqual(Object.values(textsByChat(receiver.requests)).sort(), [
      ['a', 'b'],
      ['x'],
      ...others.map(() => ['y']),
    ])
    assert.deepEqual(receiver.requests.slice(0, 2).map(listTexts), [['a'], ['x']])
    assert.equal(receiver.mostAtOnce(), 4)
  })

  it('survives the end of the process: what was not taken is sent by the next one, in order', async (t) => {
    const { add, receive, run, stop, waiting } = await startDeliveries(t)
    const receiver = await startReceiver(t, (_, response) => void response.writeHead(500).end())
    await add({ url: receiver.url, batch: { max: 50, waitMs: 100 } })
    await Promise.all([1, 2, 3].map((chat) => receive(chat, ...numbers(4))))
    await eventually(() => receiver.requests.length > 0, 'it has failed')
    await stop()
    receiver.answer = ok
    await run()
    await eventually(async () => (await waiting()) === 0, 'all have arrived')
    for (const texts of Object.values(textsByChat(receiver.taken))) assert.deepEqual(texts, numbers(4))
  })
})
