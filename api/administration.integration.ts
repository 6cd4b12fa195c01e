/** Instances and webhooks through the API, over the real store. What needs a live account is shown by the tests of the whole gateway. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createWebhooks } from '../runtime/delivery/webhook-directory.js'
import { createOutgoing } from '../runtime/outgoing/client.js'
import { openDatabase } from '../runtime/store/database.js'
import { deadLetterStore, deliveryListStore } from '../runtime/store/delivery-views.js'
import { createInstances } from '../runtime/store/instances.js'
import { createMessages } from '../runtime/store/messages.js'
import { createWebhookRows } from '../runtime/store/webhooks.js'
import { GatewayError } from '../schemas/errors.js'
import { adminToken, startFakeNode } from '../test/support/fake-node.js'
import { startReceiver } from '../test/support/receiver.js'
import { openTestStore, testLog } from '../test/support/store.js'

type Json = Record<string, unknown>

/** A gateway whose instances cannot be reached, as while their owner is away. */
async function start(t: TestContext) {
  const store = await openTestStore(t)
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'test' })
  t.after(() => outgoing.close())
  const node = await startFakeNode(
    t,
    {},
    {
      instances: store.instances,
      messages: createMessages(store.database.pool),
      webhooks: createWebhooks({
        rows: createWebhookRows(store.database, store.encryption),
        deadLetters: deadLetterStore(store.database.pool, { url: () => 'http://gateway.example', fileUrl: () => '' }),
        deliveries: deliveryListStore(store.database.pool, { url: () => 'http://gateway.example', fileUrl: () => '' }),
        outgoing,
        timeoutMs: 5_000,
        webhooksMax: 10,
        receiverStates: async (urls) => urls.map(() => null),
        sample: async (_instance, eventId) => ({ EventType: 'messages', eventId }),
      }),
      router: {
        async ask() {
          throw new GatewayError('INSTANCE_MOVING')
        },
      },
    },
  )
  const admin = { headers: { admintoken: adminToken } }
  const made = await node.call('/instance/init', { json: { name: 'shop', adminField01: 'a' }, ...admin })
  const headers = { token: made.body.token as string }
  return {
    store,
    node,
    admin,
    made,
    id: (made.body.instance as Json).id as string,
    call: (path: string, json?: unknown) => node.call(path, json === undefined ? { headers } : { json, headers }),
    remove: (path: string) => node.call(path, { method: 'DELETE', headers }),
  }
}

describe('an instance', () => {
  it('gets its token once, when it is created, and never again', async (t) => {
    const { node, admin, made } = await start(t)
    assert.equal(made.status, 200)
    const { token, connected, loggedIn } = made.body
    assert.deepEqual([typeof token, connected, loggedIn], ['string', false, false])
    assert.equal((made.body.instance as Json).token, token)
    const all = await node.call('/instance/all', admin)
    const [listed] = all.body as unknown as Json[]
    assert.equal(listed?.name, 'shop')
    assert.ok(!JSON.stringify(all.body).includes(String(token)))
    assert.ok(!node.log.join('').includes(String(token)))
  })

  it('takes another name, and notes that only the administrator writes', async (t) => {
    const { node, admin, id, call } = await start(t)
    assert.equal((await call('/instance/updateInstanceName', { name: 'new' })).body.name, 'new')
    const noted = await node.call('/instance/updateAdminFields', { json: { id, adminField02: 'b' }, ...admin })
    assert.deepEqual([noted.body.name, noted.body.adminField01, noted.body.adminField02], ['new', 'a', 'b'])
    assert.equal((await call('/instance/updateAdminFields', { id, adminField01: 'mine' })).status, 401)
    const unknown = await node.call('/instance/updateAdminFields', { json: { id: 'nobody' }, ...admin })
    assert.equal(unknown.body.code, 'INSTANCE_NOT_FOUND')
  })

  it('takes tags, by which the administrator finds it', async (t) => {
    const { node, admin, id, call } = await start(t)
    const tag = (json: Json) => node.call('/instance/updateTags', { json: { id, ...json }, ...admin })
    const find = (json: Json) => node.call('/instance/find', { json, ...admin })
    assert.deepEqual((await tag({ tags: ['b', ' a'] })).body.tags, ['a', 'b'])
    assert.deepEqual((await tag({ add: ['c'], remove: ['a'] })).body.tags, ['b', 'c'])
    const found = await find({ filter: { tags: ['c'] } })
    assert.equal(found.status, 200, JSON.stringify(found.body))
    const [first, ...others] = found.body.instances as { instance: Json; wanted: boolean }[]
    assert.deepEqual([first?.instance.id, first?.instance.tags, first?.wanted, others], [id, ['b', 'c'], false, []])
    assert.deepEqual(found.body.counts, { disconnected: 1, connecting: 0, connected: 0 })
    assert.equal(found.body.next, null)
    const refused: [() => Promise<{ status: number; body: Json }>, string][] = [
      [() => tag({}), 'tags'],
      [() => tag({ tags: [], add: ['x'] }), 'tags'],
      [() => tag({ tags: ['\n'] }), 'tags[0]'],
      [() => tag({ add: Array.from({ length: 19 }, (_, index) => `t${index}`) }), 'add'],
      [() => find({ filter: { tag: 'c' } }), 'filter.tag'],
      [() => find({ filter: { status: ['gone'] } }), 'filter.status[0]'],
      [() => find({ cursor: 'x' }), 'cursor'],
      [() => find({ limit: 501 }), 'limit'],
    ]
    for (const [asked, field] of refused) {
      const { status, body } = await asked()
      assert.deepEqual([status, (body.details as Json[])[0]?.field], [400, field])
    }
    assert.equal((await tag({ id: 'nobody', tags: [] })).body.code, 'INSTANCE_NOT_FOUND')
    for (const path of ['/instance/find', '/instance/updateTags'])
      assert.equal((await call(path, { id, tags: [] })).status, 401)
  })

  it('can be deleted although its owner does not answer', async (t) => {
    const { node, admin, call, remove } = await start(t)
    assert.equal((await call('/instance/status')).body.code, 'INSTANCE_MOVING')
    assert.equal((await remove('/instance')).status, 200)
    assert.equal((await call('/webhook')).status, 401)
    assert.deepEqual((await node.call('/instance/all', admin)).body, [])
  })
})

describe('webhooks of an instance', () => {
  it('can be set without ids, as long as there is one', async (t) => {
    const { call } = await start(t)
    assert.deepEqual((await call('/webhook')).body, [])
    const [made] = (await call('/webhook', { URL: 'http://127.0.0.1:9/a', events: ['messages'] }))
      .body as unknown as Json[]
    assert.deepEqual([made?.addUrlEvents, made?.addUrlTypesMessages], [false, false])
    assert.deepEqual([made?.enabled, made?.url, made?.events], [false, 'http://127.0.0.1:9/a', ['messages']])
    assert.match(String(made?.secret), /^whsec_/)
    const change = { AddUrlTypesMessages: true, excludeMessages: ['isGroupNo', 'IsGroupNo'], enabled: false }
    const [changed, ...others] = (await call('/webhook', change)).body as unknown as Json[]
    assert.deepEqual(others, [])
    assert.deepEqual(
      [changed?.id, changed?.url, changed?.addUrlTypesMessages, changed?.excludeMessages, changed?.enabled],
      [made?.id, made?.url, true, ['IsGroupNo'], false],
    )
    assert.equal(changed?.secret, undefined)
  })

  it('can be several, each told its secret once', async (t) => {
    const { call } = await start(t)
    const add = { action: 'add', url: 'http://127.0.0.1:9/a', events: ['messages'] }
    const [first] = (await call('/webhook', add)).body as unknown as Json[]
    const both = (await call('/webhook', { ...add, url: 'http://127.0.0.1:9/b' })).body as unknown as Json[]
    assert.deepEqual(
      both.map(({ secret }) => secret === undefined),
      [true, false],
    )
    const unclear = await call('/webhook', { url: 'http://127.0.0.1:9/c' })
    assert.deepEqual([unclear.status, (unclear.body.details as Json[])[0]?.field], [400, 'id'])
    const left = (await call('/webhook', { action: 'delete', id: first?.id })).body as unknown as Json[]
    assert.deepEqual(
      left.map(({ url }) => url),
      ['http://127.0.0.1:9/b'],
    )
    assert.equal((await call('/webhook', { action: 'delete', id: first?.id })).body.code, 'WEBHOOK_NOT_FOUND')
    assert.equal((await call('/webhook', { action: 'update' })).status, 400)
  })

  it('are refused when the URL, an event or the secret is none', async (t) => {
    const { call } = await start(t)
    for (const bad of [
      {},
      { url: 'ftp://127.0.0.1/' },
      { url: 'not a url' },
      { url: 'http://127.0.0.1:9/', events: ['no name'] },
      { url: 'http://127.0.0.1:9/' },
      { url: 'http://127.0.0.1:9/', action: 'add' },
      { url: 'http://127.0.0.1:9/', events: [] },
      { url: 'http://127.0.0.1:9/', secret: 'short' },
      { url: 'http://127.0.0.1:9/', action: 'explode' },
    ]) {
      const answer = await call('/webhook', bad)
      assert.equal(answer.status, 400, JSON.stringify(bad))
    }
    assert.deepEqual((await call('/webhook')).body, [])
  })

  it('can be tested, and the test returns the answer of the receiver', async (t) => {
    const { call } = await start(t)
    const receiver = await startReceiver(t)
    assert.equal((await call('/webhook/test', {})).body.code, 'WEBHOOK_NOT_FOUND')
    await call('/webhook', { url: `${receiver.url}/hook`, events: ['messages'] })
    assert.equal((await call('/webhook/test', {})).body.statusCode, 200)
    receiver.answer(503)
    assert.equal((await call('/webhook/test', {})).body.statusCode, 503)
    assert.equal(receiver.got.length, 1)
    assert.deepEqual((await call('/webhook/errors')).body, [])
  })
})

describe('the global webhook', () => {
  it('is one, which the administrator sets and reads', async (t) => {
    const { node, admin, call } = await start(t)
    const missing = await node.call('/globalwebhook', admin)
    assert.deepEqual([missing.status, missing.body.code], [404, 'WEBHOOK_NOT_FOUND'])
    const json = { url: 'http://127.0.0.1:9/all', events: ['connection'] }
    const made = await node.call('/globalwebhook', { json, ...admin })
    assert.deepEqual([made.body.instance_id, made.body.events], ['', ['connection']])
    assert.match(String(made.body.secret), /^whsec_/)
    const changed = await node.call('/globalwebhook', { json: { ...json, events: ['messages'] }, ...admin })
    assert.deepEqual([changed.body.id, changed.body.events], [made.body.id, ['messages']])
    assert.equal((await node.call('/globalwebhook', admin)).body.secret, undefined)
    assert.deepEqual((await node.call('/globalwebhook/errors', admin)).body, [])
    assert.deepEqual((await call('/webhook')).body, [])
  })
})

describe('messages', () => {
  it('can be searched before there are any', async (t) => {
    const { call } = await start(t)
    const none = {
      returnedMessages: 0,
      messages: [],
      limit: 100,
      offset: 0,
      nextOffset: 0,
      older: null,
      newer: null,
      hasMore: false,
    }
    assert.deepEqual((await call('/message/find', {})).body, none)
    assert.equal((await call('/message/find', { limit: 100_000 })).status, 400)
    assert.deepEqual((await call('/message/find', { status: 'FAILED', chatid: '5511999990002' })).body, none)
  })
})

describe('while PostgreSQL is away', () => {
  it('a call is answered with 503, that nothing was accepted and when to ask again', async (t) => {
    const database = openDatabase({ connectionString: 'postgres://127.0.0.1:1/none', poolMax: 1 }, testLog)
    t.after(() => database.close())
    const node = await startFakeNode(
      t,
      {},
      { instances: createInstances(database, { instancesMax: 1, pairingsMax: 100, pairingMaxMs: 60_000 }) },
    )
    const answer = await node.call('/instance/status')
    assert.deepEqual([answer.status, answer.body.code], [503, 'STORE_UNAVAILABLE'])
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.equal(answer.headers.get('connection'), 'close')
    assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'error'])
    assert.equal((await node.call('/health')).status, 200)
  })
})
