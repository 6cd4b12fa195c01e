import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld, type World } from '../support/world.js'

type Json = Record<string, unknown>

describe('a webhook that is set without an id', () => {
  const cleanup = suiteCleanup()
  let world: World
  before(async () => {
    world = await startWorld(cleanup, { WEBHOOKS_MAX: '3' })
  })

  it('is created once by many simultaneous calls, and one of them gets its secret', async (t) => {
    const receiver = await startReceiver(t)
    const ana = await world.instance('Ana')
    const set = (body: Json) => ana.call<Json[]>('POST', '/webhook', body)
    const settings = { url: receiver.url, events: ['messages'], enabled: true }
    const answers = await Promise.all(Array.from({ length: 20 }, () => set(settings)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await ana.call<Json[]>('GET', '/webhook')).body.length, 1)
    const secrets = answers.flatMap(({ body }) => body.map(({ secret }) => secret)).filter((one) => one !== undefined)
    assert.equal(secrets.length, 1)
    assert.deepEqual(
      (await set({ enabled: false })).body.map(({ enabled, url }) => [enabled, url]),
      [[false, receiver.url]],
    )

    const setGlobal = () =>
      world.gateway.call<Json>('POST', '/globalwebhook', { admin: true, body: { ...settings, enabled: false } })
    const globals = await Promise.all(Array.from({ length: 20 }, setGlobal))
    assert.deepEqual(new Set(globals.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(globals.map(({ body }) => body.id)).size, 1)
  })

  it('keeps events that this release does not know, names them, and delivers the others', async (t) => {
    const receiver = await startReceiver(t)
    const ana = await world.instance('Ana')
    const events = ['messages', 'newsletter_messages', 'messages.upsert', 'tomorrow']
    const warnings = [
      'events: messages.upsert: unknown event, kept; nothing is delivered for it',
      'events: tomorrow: unknown event, kept; nothing is delivered for it',
    ]
    const settings = { url: receiver.url, events, enabled: true }
    const shown = ({ status, body }: { status: number; body: Json }) => [status, body.events, body.warnings]
    const expected = [200, events, warnings]
    const made = await ana.call<Json[]>('POST', '/webhook', settings)
    assert.deepEqual(shown({ ...made, body: made.body[0] ?? {} }), expected)
    const listed = await ana.call<Json[]>('GET', '/webhook')
    assert.deepEqual(shown({ ...listed, body: listed.body[0] ?? {} }), expected)
    const global = (method: string, body?: Json) =>
      world.gateway.call<Json>(method, '/globalwebhook', { admin: true, ...(body === undefined ? {} : { body }) })
    assert.deepEqual(shown(await global('POST', { ...settings, enabled: false })), expected)
    assert.deepEqual(shown(await global('GET')), expected)

    const known = await ana.call<Json[]>('POST', '/webhook', { events: ['messages', 'newsletter_messages'] })
    assert.deepEqual([known.status, known.body[0]?.warnings], [200, undefined])
    for (const wrong of [
      ['a b'],
      ['x'.repeat(65)],
      [''],
      ['é'],
      [7],
      Array.from({ length: 51 }, (_, i) => `e${i}`),
      [],
    ]) {
      const { status, body } = await ana.call<{ code: string; details: Json[] }>('POST', '/webhook', { events: wrong })
      assert.deepEqual([status, body.code], [400, 'INVALID_REQUEST'], JSON.stringify(wrong))
      assert.match(String(body.details[0]?.field), /^events/)
    }
    assert.deepEqual((await ana.call<Json[]>('GET', '/webhook')).body[0]?.events, ['messages', 'newsletter_messages'])
  })

  it('never exceeds WEBHOOKS_MAX when many are added at once', async () => {
    const ana = await world.instance('Ana')
    const hook = { action: 'add', url: 'http://127.0.0.1:9/', events: ['messages'], enabled: false }
    const add = () => ana.call<Json>('POST', '/webhook', hook)
    const answers = await Promise.all(Array.from({ length: 40 }, add))
    assert.equal(answers.filter(({ status }) => status === 200).length, 3)
    assert.equal((await ana.call<Json[]>('GET', '/webhook')).body.length, 3)
  })
})

it('a receiver in a private network is taken if WEBHOOK_PRIVATE_HOSTS names it, and nothing else there is', async (t) => {
  const [receiver, other] = [await startReceiver(t), await startReceiver(t)]
  const host = new URL(receiver.url).host
  const world = await startWorld(t, { ALLOW_PRIVATE_ADDRESSES: 'false', WEBHOOK_PRIVATE_HOSTS: host })
  const ana = await world.paired('15550497001', 'Ana')
  const set = (url: string) =>
    ana.call<Json>('POST', '/webhook', { url, events: ['messages'], enabled: true, action: 'add' })
  assert.equal((await set(receiver.url)).status, 200)
  const refused = await set(other.url)
  assert.deepEqual([refused.status, refused.body.code], [400, 'URL_NOT_ALLOWED'])
  const ben = '15550497002'
  await world.phone(ben, 'Ben')
  const { id } = await world.network<{ id: string }>('POST', `/phones/${ben}/text`, { to: ana.number, text: 'hello' })
  await receiver.message(id)
  // Files are fetched by another way.
  const file = await ana.call<Json>('POST', '/send/media', {
    number: ben,
    type: 'image',
    file: `${receiver.url}/a.png`,
  })
  assert.deepEqual([file.status, file.body.code], [400, 'URL_NOT_ALLOWED'])
  assert.equal(other.attempts, 0)
})
