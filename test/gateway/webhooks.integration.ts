import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { type Received, startReceiver } from '../support/receiver.js'

type Json = Record<string, unknown>
const BEN = '15551100002'

describe('webhooks', () => {
  let group: string
  const { world, account: ana } = gatewaySuite({
    env: { WEBHOOK_BACKOFF_MIN_MS: '50', WEBHOOK_BACKOFF_MAX_MS: '200', WEBHOOK_TIMEOUT_MS: '20000' },
    phones: { [BEN]: 'Ben' },
    account: ['15551100001', 'Ana'],
    complete: async () => {
      const body = { owner: BEN, subject: 'all of us', members: [ana.number] }
      group = (await world.network<{ jid: string }>('POST', '/groups', body)).jid
    },
  })
  const write = (text: string, to = ana.number) => world.write(BEN, to, text)
  const hook = (body: Json) => ana.done<Json[]>('/webhook', body)
  const listed = async () => (await ana.call<Json[]>('GET', '/webhook')).body
  afterEach(async () => {
    for (const { id } of await listed()) await hook({ action: 'delete', id })
  })
  const heard = async (url: string, count: number, got: () => readonly unknown[]) =>
    eventually(got, (all) => all.length >= count).catch(() =>
      assert.fail(`${url} heard ${got().length} instead of ${count}`),
    )

  it('leave out exactly the messages that each filter names', async (t) => {
    const expected = {
      wasSentByApi: ['from Ben', 'from the group', 'from her phone'],
      wasNotSentByApi: ['from the API'],
      fromMeYes: ['from Ben', 'from the group'],
      fromMeNo: ['from the API', 'from her phone'],
      isGroupYes: ['from Ben', 'from the API', 'from her phone'],
      IsGroupNo: ['from the group'],
    }
    const receivers = new Map<string, Awaited<ReturnType<typeof startReceiver>>>()
    for (const filter of Object.keys(expected)) {
      const receiver = await startReceiver(t)
      receivers.set(filter, receiver)
      await hook({ action: 'add', url: receiver.url, events: ['messages'], excludeMessages: [filter], enabled: true })
    }
    const all = await startReceiver(t)
    await hook({ action: 'add', url: all.url, events: ['messages'], enabled: true })
    await write('from Ben')
    await write('from the group', group)
    await world.network('POST', `/phones/${ana.number}/text`, { to: BEN, text: 'from her phone' })
    await ana.text(BEN, 'from the API')
    await heard('the one without filter', 4, () => all.of('messages'))
    const texts = (got: Received[]) => got.map(({ body }) => String((body.message as Json).text)).toSorted()
    for (const [filter, wanted] of Object.entries(expected)) {
      const receiver = receivers.get(filter) as NonNullable<ReturnType<typeof receivers.get>>
      await heard(filter, wanted.length, () => receiver.of('messages'))
      assert.deepEqual(texts(receiver.of('messages')), wanted.toSorted(), filter)
    }
  })

  it('are changed and deleted by their id, and get nothing while they are disabled', async (t) => {
    const [first, second] = [await startReceiver(t), await startReceiver(t)]
    const [one] = await hook({ action: 'add', url: first.url, events: ['messages'], enabled: false })
    const [, two] = await hook({ action: 'add', url: second.url, events: ['messages'], enabled: true })
    await write('while it was off')
    await heard('second', 1, () => second.of('messages'))
    const changed = await hook({ action: 'update', id: one?.id, enabled: true })
    const { updated: _, ...after } = changed.find(({ id }) => id === one?.id) as Json
    const { updated: __, secret: ___, ...before } = one as Json
    assert.deepEqual(after, { ...before, enabled: true }, 'what an update leaves out stays as it was')
    await hook({ action: 'delete', id: two?.id })
    await write('while it was on')
    await heard('first', 1, () => first.of('messages'))
    assert.deepEqual(
      first.of('messages').map(({ body }) => (body.message as Json).text),
      ['while it was on'],
    )
    assert.equal(second.of('messages').length, 1)
    const gone = await ana.call<Json>('POST', '/webhook', { action: 'update', id: two?.id, enabled: true })
    assert.deepEqual([gone.status, gone.body.code], [404, 'WEBHOOK_NOT_FOUND'])
    const cat = await world.instance('another instance')
    const foreign = await cat.call<Json>('POST', '/webhook', { action: 'delete', id: one?.id })
    assert.equal(foreign.status, 404, 'another instance cannot reach it')
    assert.equal((await listed()).length, 1)
  })

  it('are signed with the given secret', async (t) => {
    const receiver = await startReceiver(t)
    const key = Buffer.alloc(32, 7)
    const secret = `whsec_${key.toString('base64')}`
    await hook({ url: receiver.url, events: ['messages'], enabled: true, secret })
    await write('signed by a key of mine')
    const [got] = (await heard('it', 1, () => receiver.of('messages'))) as Received[]
    const { headers, text } = got as Received
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${signature}`)
    for (const wrong of ['whsec_', 'whsec_short', 'plain', `whsec_${'*'.repeat(40)}`])
      assert.equal((await ana.call('POST', '/webhook', { secret: wrong })).status, 400, wrong)
  })

  it('list failed deliveries with the status, and stop for a receiver that is gone for good', async (t) => {
    const receiver = await startReceiver(t)
    await hook({ url: receiver.url, events: ['messages'], enabled: true })
    for (const status of [500, 404]) {
      receiver.answer(status)
      await write(`answered ${status}`)
      const failures = await eventually(
        async () => (await ana.call<Json[]>('GET', '/webhook/errors')).body,
        (all) => all.some(({ status_code }) => status_code === status),
      )
      const failure = failures.find(({ status_code }) => status_code === status) as Json
      assert.deepEqual([failure.url, failure.type, failure.event], [receiver.url, 'local', 'messages'])
    }
    receiver.answer(410)
    await eventually(listed, ([one]) => one?.enabled === false)
    receiver.answer(200)
    await write('nobody hears this yet')
    const [{ id }] = (await listed()) as [Json]
    await hook({ action: 'update', id, enabled: true })
    await heard('it, enabled again', 2, () => receiver.of('messages'))
    assert.deepEqual(
      receiver
        .of('messages')
        .slice(0, 2)
        .map(({ body }) => (body.message as Json).text),
      ['answered 500', 'answered 404'],
    )
  })

  it('continue when another receiver is slow, answers without end, or redirects elsewhere, which is not followed', async (t) => {
    let followed = 0
    let slow = 0
    const elsewhere = await serve(t, (_request, response) => {
      followed += 1
      response.end()
    })
    const bad: RequestListener[] = [
      (_request, response) => {
        slow += 1
        setTimeout(() => response.end(), 15_000).unref()
      },
      (_request, response) => {
        response.writeHead(200)
        const more = setInterval(() => response.write('x'.repeat(1000)), 20)
        response.on('close', () => clearInterval(more))
      },
      (_request, response) => void response.writeHead(307, { location: elsewhere }).end(),
    ]
    const urls = await Promise.all(bad.map((listener) => serve(t, listener)))
    for (const url of urls) await hook({ action: 'add', url, events: ['messages'], enabled: true })
    const good = await startReceiver(t)
    await hook({ action: 'add', url: good.url, events: ['messages'], enabled: true })
    for (let index = 0; index < 10; index += 1) await write(`past them ${index}`)
    await heard('the good one', 10, () => good.of('messages'))
    assert.ok(slow < 10, `the slow one had ${slow} by then`)
    await eventually(
      async () => (await ana.call<Json[]>('GET', '/webhook/errors')).body,
      (all) =>
        all.some(({ status_code, error }) => status_code === 307 && /same scheme, host and port/.test(String(error))),
    )
    const redirecting = (await listed()).find(({ url }) => url === urls[2])
    const test = await ana.call<Json>('POST', '/webhook/test', { id: redirecting?.id })
    assert.deepEqual([test.status, test.body.code], [502, 'FETCH_FAILED'])
    assert.match(String((test.body.details as Json[])[0]?.why), /same scheme, host and port/)
    assert.equal(followed, 0)
  })

  it('arrive once at a receiver that redirects to another path of itself', async (t) => {
    const receiver = await startReceiver(t)
    const moved = new URL('/moved', receiver.url).href
    receiver.misbehave((response) => {
      // Once: what comes after it is answered.
      receiver.misbehave(undefined)
      response.writeHead(308, { location: moved }).end()
    })
    await hook({ action: 'add', url: receiver.url, events: ['messages'], enabled: true })
    await write('over a redirect')
    await heard('it', 1, () => receiver.of('messages'))
    assert.deepEqual(
      receiver.of('messages').map(({ path, body }) => [path, (body.message as Json).text]),
      [['/moved', 'over a redirect']],
    )
    assert.deepEqual(
      (await ana.call<Json[]>('GET', '/webhook/errors')).body.filter(({ url }) => String(url).startsWith(receiver.url)),
      [],
    )
  })

  it('carry headers and credentials, which no answer shows and no other address gets', async (t) => {
    const [receiver, other] = [await startReceiver(t), await startReceiver(t)]
    const address = receiver.url.replace('//', '//me:pass%40word@')
    const [made] = await hook({ url: address, headers: { 'X-Key': 'key-1' }, events: ['messages'], enabled: true })
    assert.deepEqual(
      [made?.url, made?.headers],
      [new URL(receiver.url.replace('//', '//me:***@')).href, { 'X-Key': '***' }],
    )
    const id = made?.id
    assert.equal((await ana.done<Json>('/webhook/test', { id })).statusCode, 200)
    await write('with a key')
    await heard('it', 2, () => receiver.of('messages'))
    for (const { headers } of receiver.got) {
      const basic = `Basic ${Buffer.from('me:pass@word').toString('base64')}`
      assert.deepEqual([headers['x-key'], headers.authorization], ['key-1', basic])
    }
    receiver.answer(503)
    await write('refused at first')
    const listedDeliveries = async () =>
      (await ana.call<{ deliveries: Json[] }>('GET', '/webhook/deliveries?state=failed')).body.deliveries
    const [failed] = await eventually(listedDeliveries, (all) => all.length > 0)
    const shown = (await ana.call<Json>('GET', `/webhook/deliveries/${String(failed?.id)}`)).body
    const text = JSON.stringify([shown, await listed(), (await ana.call('GET', '/webhook/errors')).body])
    assert.match(text, /"X-Key":"\*\*\*","authorization":"\*\*\*"/)
    assert.doesNotMatch(text, /key-1|pass@word|pass%40word|bWU6/)
    receiver.answer(200)
    await heard('it', 3, () => receiver.of('messages'))

    const moved = await ana.call<Json>('POST', '/webhook', { id, url: other.url })
    assert.deepEqual([moved.status, (moved.body.details as Json[])[0]?.field], [400, 'headers'])
    const masked = await ana.call<Json>('POST', '/webhook', {
      id,
      url: other.url.replace('//', '//me:***@'),
      headers: {},
    })
    assert.deepEqual([masked.status, (masked.body.details as Json[])[0]?.field], [400, 'url'])
    const ours = await ana.call<Json>('POST', '/webhook', { id, headers: { 'Webhook-Id': 'mine' } })
    assert.match(String((ours.body.details as Json[])[0]?.why), /must not name Webhook-Id/)
    await hook({ id, url: other.url, headers: { 'X-Key': 'key-2' } })
    await write('elsewhere')
    await heard('the other one', 1, () => other.of('messages'))
    const [{ headers }] = other.got as [Received]
    assert.deepEqual([headers['x-key'], headers.authorization], ['key-2', undefined])
  })

  it('post arrays with `batch`, which is checked, shown, kept by other changes and taken away by null', async (t) => {
    const receiver = await startReceiver(t)
    const events = ['messages']
    for (const [batch, field] of [
      [{ max: 1, waitMs: 0 }, 'batch.max'],
      [{ max: 501, waitMs: 0 }, 'batch.max'],
      [{ max: 2, waitMs: 5_001 }, 'batch.waitMs'],
      [{ max: 2 }, 'batch.waitMs'],
      [true, 'batch'],
    ] as const) {
      const refused = await ana.call<Json>('POST', '/webhook', { url: receiver.url, events, batch })
      assert.deepEqual([refused.status, (refused.body.details as Json[])[0]?.field], [400, field])
    }
    assert.deepEqual(await listed(), [])
    const batch = { max: 20, waitMs: 300 }
    const [made] = await hook({ url: receiver.url, events, batch, enabled: true })
    assert.deepEqual(made?.batch, batch)
    const [changed] = await hook({ id: made?.id, addUrlEvents: true })
    assert.deepEqual(changed?.batch, batch)
    assert.equal((await ana.done<Json>('/webhook/test', { id: made?.id })).statusCode, 200)
    await Promise.all([write('one'), write('of all', group)])
    const bodies = () => receiver.got.map(({ body }) => body as unknown as Json[])
    await eventually(bodies, (all) => all.flat().length === 3)
    assert.ok(bodies().every((body) => Array.isArray(body)))
    const texts = bodies()
      .slice(1)
      .flat()
      .map(({ message }) => (message as Json).text)
    assert.deepEqual(texts.toSorted(), ['of all', 'one'])
    const [plain] = await hook({ id: made?.id, batch: null })
    assert.equal(plain?.batch, null)
    await write('by itself')
    await heard('it', 1, () => receiver.of('messages'))
  })

  it('for all instances are for administrators only', async (t) => {
    const receiver = await startReceiver(t)
    const shown = await world.gateway.call<Json>('GET', '/globalwebhook', { admin: true })
    assert.equal(shown.status, 404)
    const body = { url: receiver.url, events: ['messages', 'connection'], enabled: true }
    for (const method of ['GET', 'POST']) {
      const sent = method === 'GET' ? undefined : body
      assert.equal((await ana.call(method, '/globalwebhook', sent)).status, 401)
      assert.equal((await world.gateway.call(method, '/globalwebhook', { body: sent })).status, 401)
    }
    const made = await world.gateway.call<Json>('POST', '/globalwebhook', { admin: true, body })
    assert.match(String(made.body.secret), /^whsec_/)
    const kept = await world.gateway.call<Json>('GET', '/globalwebhook', { admin: true })
    assert.deepEqual([kept.body.url, kept.body.secret], [receiver.url, undefined])
    const cat = await world.paired('15551100021', 'Cat')
    await write('to Ana')
    await write('to Cat', cat.number)
    await heard('it', 2, () => receiver.of('messages'))
    const owners = receiver.of('messages').map(({ body: { instanceName } }) => String(instanceName))
    assert.deepEqual(owners.toSorted(), ['Ana', 'Cat'])
    const names = await eventually(
      () =>
        receiver
          .of('connection')
          .map(({ body: event }) => event.instance as Json)
          .filter(({ status }) => status === 'connected')
          .map(({ name }) => name),
      (all) => all.length > 0,
    )
    assert.deepEqual(names, ['Cat'])
  })
})

async function serve(t: Cleanup, listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => listener(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
