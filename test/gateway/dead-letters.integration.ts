import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { startReceiver } from '../support/receiver.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>
interface Page {
  deadletters: (Json & { eventId: string; payload: Json & { message: Json } })[]
  nextOffset: number
  total: number
  hasMore: boolean
}
interface Deliveries {
  deliveries: Json[]
  next: string | null
}
interface Replayed {
  replayed: number
  skipped: number
  remaining: number
  warnings?: string[]
}
const BEN = '15551400002'

describe('dead letters', () => {
  let cat: TestInstance
  const { world, account: ana } = gatewaySuite({
    env: { WEBHOOK_BACKOFF_MIN_MS: '10', WEBHOOK_BACKOFF_MAX_MS: '20', WEBHOOK_ATTEMPTS_MAX: '3' },
    phones: { [BEN]: 'Ben' },
    account: ['15551400001', 'Ana'],
    complete: async () => {
      cat = await world.paired('15551400003', 'Cat')
    },
  })
  afterEach(async () => {
    for (const one of [ana, cat]) await one.unhook()
  })
  const write = (text: string) => world.write(BEN, ana.number, text)
  const add = async (url: string, on = ana) => {
    const hook = { action: 'add', url, events: ['messages'], enabled: true }
    return ((await on.done<{ id: string }[]>('/webhook', hook)).at(-1) as { id: string }).id
  }
  const list = async (query = '', of = ana) => (await of.call<Page>('GET', `/webhook/deadletters${query}`)).body
  const dead = (count: number, query = '') =>
    eventually(
      () => list(query),
      (page) => page.deadletters.length === count,
    )
  const replay = (body: Json, of = ana) => of.done<Replayed & { code?: string }>('/webhook/replay', body)

  it('of a refusing receiver are listed, and arrive unchanged when they are replayed', async (t) => {
    const receiver = await startReceiver(t)
    const id = await add(receiver.url)
    receiver.answer(400)
    const begunMs = Date.now()
    await write('refused')
    const { deadletters, hasMore } = await dead(1)
    const [letter] = deadletters as [Page['deadletters'][number]]
    const { eventId, diedAt, payload, ...rest } = letter
    assert.deepEqual(rest, {
      webhook_id: id,
      instance_id: ana.id,
      type: 'local',
      event: 'messages',
      message_type: 'text',
      url: receiver.url,
      attempts: 3,
      status_code: 400,
      error: 'The receiver answered 400.',
      code: 'status',
    })
    assert.equal(hasMore, false)
    const diedMs = Date.parse(String(diedAt))
    assert.ok(diedMs >= begunMs && diedMs <= Date.now(), String(diedAt))
    assert.equal(payload.message.text, 'refused')

    receiver.answer(200)
    await write('after it')
    await eventually(
      () => receiver.of('messages').length,
      (count) => count === 1,
    )
    assert.deepEqual(await replay({ webhookId: id }), { replayed: 1, skipped: 0, remaining: 0 })
    const heard = await eventually(
      () => receiver.of('messages'),
      (all) => all.length === 2,
    )
    assert.deepEqual(heard[1]?.body, payload)
    assert.equal(heard[1]?.headers['webhook-id'], eventId)
    assert.deepEqual((await list()).deadletters, [])
    assert.deepEqual(await replay({ webhookId: id }), { replayed: 0, skipped: 0, remaining: 0 })
  })

  it('are chosen by their event ids or by their time, and shown in pages', async (t) => {
    const receiver = await startReceiver(t)
    await add(receiver.url)
    receiver.answer(400)
    for (const text of ['one', 'two', 'three']) await write(text)
    const { deadletters } = await dead(3)
    const texts = deadletters.map(({ payload }) => payload.message.text)
    assert.deepEqual(texts, ['three', 'two', 'one'], 'the newest first')
    const page = await list('?limit=2&offset=1')
    assert.deepEqual(
      page.deadletters.map(({ payload }) => payload.message.text),
      ['two', 'one'],
    )
    assert.deepEqual([page.hasMore, page.nextOffset], [false, 3])
    assert.deepEqual((await list('?limit=2')).hasMore, true)

    receiver.answer(200)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const [all, none] = [await list('?limit=1'), await list(`?from=${tomorrow}`)]
    assert.deepEqual([all.total, none.total, none.deadletters], [3, 0, []])
    assert.deepEqual(await replay({ from: tomorrow }), { replayed: 0, skipped: 0, remaining: 3 })
    const [messages, groups] = [await list('?event=messages'), await list('?event=groups')]
    assert.deepEqual([messages.total, groups.total, groups.deadletters], [3, 0, []])
    assert.deepEqual(await replay({ event: 'groups' }), { replayed: 0, skipped: 0, remaining: 3 })
    const two = deadletters[1]?.eventId
    const unknown = ['3c0f7a52-4d2f-4f53-9d3c-6d2d5f2f8f11', 'no id of ours']
    assert.deepEqual(await replay({ ids: [two, two, ...unknown] }), { replayed: 1, skipped: 2, remaining: 2 })
    await eventually(
      () => receiver.of('messages').length,
      (count) => count === 1,
    )
    assert.deepEqual(await replay({ limit: 1 }), { replayed: 1, skipped: 0, remaining: 1 }, 'the oldest first')
    await eventually(
      () => receiver.of('messages').length,
      (count) => count === 2,
    )
    assert.deepEqual(
      receiver.of('messages').map(({ body }) => (body.message as Json).text),
      ['two', 'one'],
    )
    const [left] = (await list()).deadletters
    assert.equal(left?.payload.message.text, 'three')
  })

  it('of another instance can be neither seen nor replayed', async (t) => {
    const receiver = await startReceiver(t)
    const id = await add(receiver.url)
    await add(receiver.url, cat)
    receiver.answer(400)
    await write('of Ana')
    const [letter] = (await dead(1)).deadletters
    assert.deepEqual((await list('', cat)).deadletters, [])
    assert.deepEqual(await replay({ ids: [letter?.eventId] }, cat), { replayed: 0, skipped: 1, remaining: 0 })
    assert.deepEqual(await replay({}, cat), { replayed: 0, skipped: 0, remaining: 0 })
    for (const [method, path, body] of [
      ['GET', `/webhook/deadletters?webhookId=${id}`, undefined],
      ['POST', '/webhook/replay', { webhookId: id }],
      ['POST', '/webhook/replay', { webhookId: id, ids: [letter?.eventId] }],
    ] as const) {
      const answer = await cat.call<Json>(method, path, body)
      assert.deepEqual([answer.status, answer.body.code], [404, 'WEBHOOK_NOT_FOUND'], path)
    }
    assert.equal((await list()).deadletters.length, 1)
    assert.equal((await list(`?webhookId=${id}`)).deadletters.length, 1)
  })

  it('of a disabled webhook are queued with a warning, and arrive once it is enabled', async (t) => {
    const receiver = await startReceiver(t)
    const id = await add(receiver.url)
    receiver.answer(404)
    await write('for later')
    await dead(1)
    receiver.answer(200)
    await ana.call('POST', '/webhook', { id, enabled: false })
    const { warnings = [], ...counts } = await replay({})
    assert.deepEqual(counts, { replayed: 1, skipped: 0, remaining: 0 })
    assert.match(warnings[0] ?? '', new RegExp(`${id} is not enabled`))
    assert.equal(receiver.got.length, 0)
    await ana.call('POST', '/webhook', { id, enabled: true })
    await eventually(
      () => receiver.of('messages').length,
      (count) => count === 1,
    )
  })

  it('give a clear error for an ambiguous request', async (t) => {
    const receiver = await startReceiver(t)
    assert.equal((await ana.call<Json>('POST', '/webhook/replay', {})).status, 404)
    await add(receiver.url)
    await add(receiver.url)
    const several = await ana.call<Json>('POST', '/webhook/replay', {})
    assert.deepEqual(
      [several.status, several.body.details],
      [400, [{ field: 'webhookId', why: 'is required: the instance has several webhooks' }]],
    )
    for (const [field, body] of Object.entries({ limit: { limit: 501 }, ids: { ids: [] }, from: { from: 'today' } })) {
      const answer = await ana.call<Json>('POST', '/webhook/replay', body)
      assert.equal(answer.status, 400, field)
      assert.equal((answer.body.details as Json[])[0]?.field, field)
    }
    for (const query of ['limit=0', 'limit=501', 'offset=-1', 'limit=many', 'from=today', 'event=odd'])
      assert.equal((await ana.call('GET', `/webhook/deadletters?${query}`)).status, 400, query)
  })

  it('are among the deliveries, which show each attempt as the receiver saw it', async (t) => {
    const receiver = await startReceiver(t)
    const id = await add(receiver.url)
    const path = '/webhook/deliveries'
    const find = async (query: string, of = ana) => (await of.call<Deliveries>('GET', `${path}?${query}`)).body
    const inState = (state: string, count: number) =>
      eventually(
        () => find(`state=${state}`),
        (page) => page.deliveries.length === count,
      )
    const show = async (delivery?: Json) =>
      (await ana.call<{ attempts: Json[]; body: string }>('GET', `${path}/${delivery?.id}`)).body
    await write('taken')
    const [taken] = (await inState('delivered', 1)).deliveries
    const [got] = receiver.of('messages')
    const { eventId, attempts, event, status_code, error, nextAttemptAt } = taken as Json
    assert.deepEqual([eventId, attempts, event, status_code], [got?.headers['webhook-id'], 1, 'messages', 200])
    assert.deepEqual([error, nextAttemptAt], [null, null])
    const first = await show(taken)
    assert.equal(first.body, got?.text)
    const headers = first.attempts[0]?.headers as Json
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      assert.equal(headers[name], got?.headers[name], name)

    receiver.misbehave((response) => response.writeHead(400).end('no such order'))
    await write('refused')
    const [dead] = (await inState('dead', 1)).deliveries
    const { attempts: tries } = await show(dead)
    assert.deepEqual(
      tries.map((one) => [one.attempt, one.status_code, one.code, one.error, one.answer, typeof one.durationMs]),
      [1, 2, 3].map((attempt) => [attempt, 400, 'status', 'The receiver answered 400.', 'no such order', 'number']),
    )
    assert.equal((await find('event=connection')).deliveries.length, 0)
    assert.equal((await find(`to=${dead?.created}&event=messages`)).deliveries[0]?.id, taken?.id)
    const page = await find('limit=1')
    assert.deepEqual([page.deliveries[0]?.id, typeof page.next], [dead?.id, 'string'])
    const second = await find(`limit=1&cursor=${page.next}`)
    assert.deepEqual([second.deliveries[0]?.id, second.next], [taken?.id, null])
    assert.equal((await ana.call<Json>('GET', `${path}?cursor=W10`)).status, 400)

    receiver.misbehave(() => {})
    await write('not answered')
    assert.equal((await inState('waiting', 1)).deliveries[0]?.endedAt, null)

    for (const stranger of [`${path}/${dead?.id}`, `${path}?webhookId=${id}`])
      assert.equal((await cat.call<Json>('GET', stranger)).status, 404, stranger)
    assert.deepEqual((await find('limit=5', cat)).deliveries, [])
    const global = await world.gateway.call<Deliveries>('GET', '/globalwebhook/deliveries', { admin: true })
    assert.deepEqual(global.body.deliveries, [])
    const otherScope = `/globalwebhook/deliveries/${dead?.id}`
    assert.equal((await world.gateway.call('GET', otherScope, { admin: true })).status, 404)
  })

  it('and deliveries that were taken are sent again, each under its event id and before what waits in its chat', async (t) => {
    const receiver = await startReceiver(t)
    const id = await add(receiver.url)
    const find = async (query: string) =>
      (await ana.call<Deliveries>('GET', `/webhook/deliveries?${query}`)).body.deliveries
    const inState = (state: string, count: number) =>
      eventually(
        () => find(`state=${state}`),
        (all) => all.length === count,
      )
    const texts = () => receiver.of('messages').map(({ body }) => (body.message as Json).text)
    const heard = (count: number) =>
      eventually(
        () => receiver.of('messages'),
        (all) => all.length === count,
      )
    await write('first')
    await write('second')
    const [, first] = await inState('delivered', 2)
    const again = await replay({ deliveries: [first?.id, first?.id] })
    assert.deepEqual(again, { replayed: 1, skipped: 0, remaining: 0 })
    const [one, , repeated] = await heard(3)
    assert.deepEqual([repeated?.text, repeated?.headers['webhook-id']], [one?.text, first?.eventId])
    const shown = await eventually(
      async () => (await ana.call<{ attempts: Json[] }>('GET', `/webhook/deliveries/${first?.id}`)).body.attempts,
      (attempts) => attempts.length === 2,
    )
    assert.deepEqual(
      shown.map(({ attempt, status_code }) => [attempt, status_code]),
      [
        [1, 200],
        [1, 200],
      ],
    )
    for (const query of ['state=delivered', '']) assert.equal((await find(query)).length, 2, `listed once: ${query}`)

    await ana.call('POST', '/webhook', { id, enabled: false })
    const { warnings = [], ...waiting } = await replay({ deliveries: [first?.id] })
    assert.deepEqual(waiting, { replayed: 1, skipped: 0, remaining: 0 })
    assert.match(warnings[0] ?? '', /is not enabled/)
    assert.deepEqual(
      await replay({ deliveries: [first?.id] }),
      { replayed: 0, skipped: 1, remaining: 0 },
      'waits already',
    )
    assert.deepEqual(
      (await find('')).map(({ state }) => state),
      ['delivered', 'waiting'],
    )
    receiver.answer(400)
    await ana.call('POST', '/webhook', { id, enabled: true })
    await inState('dead', 1)
    receiver.answer(200)
    assert.equal((await replay({ deliveries: [first?.id] })).replayed, 1)
    await eventually(
      () => find(''),
      (all) => all.every(({ state }) => state === 'delivered'),
    )
    assert.equal((await list()).total, 0, 'it is no longer a dead letter')
    assert.equal(texts().at(-1), 'first')

    assert.deepEqual(await replay({ deliveries: [first?.id] }, cat), { replayed: 0, skipped: 1, remaining: 0 })
    await ana.call('POST', '/webhook', { id, events: ['groups'] })
    assert.deepEqual(
      await replay({ deliveries: [first?.id] }),
      { replayed: 0, skipped: 1, remaining: 0 },
      'not its kind',
    )
    const sent = receiver.got.length
    const refused = [
      [{ deliveries: ['none'] }, 'deliveries.0'],
      [{ deliveries: [first?.id], ids: [first?.eventId] }, 'ids'],
      [{ deliveries: [first?.id], webhookId: id }, 'webhookId'],
      [{ deliveries: [first?.id], limit: 1 }, 'limit'],
      [{ deliveries: [] }, 'deliveries'],
      [{ deliveries: Array.from({ length: 101 }, () => first?.id) }, 'deliveries'],
    ] as const
    for (const [body, field] of refused) {
      const answer = await ana.call<Json>('POST', '/webhook/replay', body)
      assert.deepEqual([answer.status, (answer.body.details as Json[])[0]?.field], [400, field])
    }
    assert.equal(receiver.got.length, sent)
  })

  it('and deliveries are counted by the hour for each webhook, and the counts survive a restart', async (t) => {
    const receiver = await startReceiver(t)
    const id = await add(receiver.url)
    await write('taken')
    await eventually(() => receiver.of('messages').length === 1)
    receiver.answer(400)
    await write('refused')
    await dead(1)
    await world.gateway.kill()
    await world.gateway.start()
    interface Figures {
      readonly hours: number
      readonly webhooks: { webhook_id: string; rows: { delivered: number; failed: number; averageSeconds: number }[] }[]
    }
    const figures = async (query: string, of = ana) => (await of.call<Figures>('GET', `/webhook/figures${query}`)).body
    const { hours, webhooks } = await figures('?hours=2')
    assert.deepEqual([hours, webhooks.map(({ webhook_id }) => webhook_id)], [2, [id]])
    // An hour may have ended meanwhile.
    const rows = webhooks[0]?.rows ?? []
    const sum = (name: 'delivered' | 'failed') => rows.reduce((total, row) => total + row[name], 0)
    assert.deepEqual([sum('delivered'), sum('failed')], [1, 3])
    assert.ok(rows.some(({ averageSeconds }) => averageSeconds >= 0))
    assert.deepEqual((await figures('', cat)).webhooks, [])
    for (const query of ['?hours=0', '?hours=193', `?webhookId=${id}&hours=x`])
      assert.equal((await ana.call('GET', `/webhook/figures${query}`)).status, 400, query)
    assert.equal((await cat.call('GET', `/webhook/figures?webhookId=${id}`)).status, 404)
  })

  it('of the global webhook are for administrators only', async (t) => {
    const receiver = await startReceiver(t)
    const admin = <T>(method: string, path: string, body?: unknown) =>
      world.gateway.call<T>(method, path, { admin: true, body })
    const none = await admin<Json>('POST', '/globalwebhook/test', {})
    assert.deepEqual([none.status, none.body.code], [404, 'WEBHOOK_NOT_FOUND'])
    await admin('POST', '/globalwebhook', { url: receiver.url, events: ['messages'], enabled: true })
    receiver.answer(418)
    const tested = await admin<Json>('POST', '/globalwebhook/test', {})
    assert.deepEqual([tested.status, tested.body.statusCode], [200, 418])
    receiver.answer(400)
    await write('for all')
    const { body } = await eventually(
      () => admin<Page>('GET', '/globalwebhook/deadletters'),
      (answer) => answer.body.deadletters.length === 1,
    )
    assert.deepEqual([body.deadletters[0]?.type, body.deadletters[0]?.instance_id], ['global', ana.id])
    assert.deepEqual((await list()).deadletters, [], 'no instance sees them')
    const [dead] = (await admin<Deliveries>('GET', '/globalwebhook/deliveries?state=dead')).body.deliveries
    const shown = await admin<{ attempts: Json[] }>('GET', `/globalwebhook/deliveries/${dead?.id}`)
    assert.equal(shown.body.attempts.length, 3)
    receiver.answer(200)
    const replayed = await admin<Replayed>('POST', '/globalwebhook/replay', {})
    assert.deepEqual(replayed.body, { replayed: 1, skipped: 0, remaining: 0 })
    await eventually(
      () => receiver.of('messages').length,
      (count) => count === 1,
    )
    const [taken] = await eventually(
      async () => (await admin<Deliveries>('GET', '/globalwebhook/deliveries?state=delivered')).body.deliveries,
      (all) => all.length === 1,
    )
    const request = { deliveries: [taken?.id] }
    assert.deepEqual(await replay(request), { replayed: 0, skipped: 1, remaining: 0 }, 'not by the instance')
    const again = await admin<Replayed>('POST', '/globalwebhook/replay', request)
    assert.deepEqual(again.body, { replayed: 1, skipped: 0, remaining: 0 })
    await eventually(
      () => receiver.of('messages').map(({ headers }) => headers['webhook-id']),
      (ids) => ids.length === 2 && ids[0] === ids[1],
    )
    await admin('POST', '/globalwebhook', { url: receiver.url, events: ['messages'], enabled: false })
  })
})
