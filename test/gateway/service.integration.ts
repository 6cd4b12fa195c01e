import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, it } from 'node:test'
import { packageRoot } from '../../lib/package-root.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { startReceiver } from '../support/receiver.js'
import type { World } from '../support/world.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>
/** Administrators alone may call what lies below these addresses, and these few beside the operations of an instance. */
const ADMIN_ONLY = /^\/(admin|globalwebhook|instance\/(init|create|all|find|updateAdminFields|updateTags)$)(\/|$)/

/** Others need what these make. */
const FIRST = ['/business/catalog/create', '/label/edit', '/webhook/test', '/globalwebhook/test']
/** They end what the examples of the others need. */
const LAST = [
  ...[
    '/business/catalog/delete',
    '/message/delete',
    '/chat/delete',
    '/group/leave',
    '/newsletter/delete',
    '/instance/token/rotate',
    '/instance/reset',
  ],
  ...['/admin/instance/export', '/admin/instance/export/cancel', '/instance/disconnect'],
]
/** Its example cannot hold a real file. */
const OF_A_FILE = '/admin/instance/import'
/** Their examples are valid, but need a real session, a proxy, an order, or a pairing that waits for a passkey. Here they are refused with this code. */
const REFUSED_HERE: Readonly<Record<string, string>> = {
  '/admin/instance/import-session': 'INVALID_SESSION',
  '/admin/instances/bulk/cancel': 'JOB_NOT_FOUND',
  '/agent/test': 'AGENT_NOT_FOUND',
  '/business/catalog/info': 'PRODUCT_NOT_FOUND',
  '/business/order': 'MESSAGE_NOT_FOUND',
  '/message/keep': 'NOT_SUPPORTED',
  '/agent/turns/retry': 'TURN_NOT_FOUND',
  '/function/test': 'FUNCTION_NOT_FOUND',
  '/globalwebhook/test': 'WEBHOOK_NOT_FOUND',
  '/instance/passkey/response': 'PASSKEY_NOT_AWAITED',
  '/instance/passkey/confirm': 'PASSKEY_NOT_AWAITED',
  '/instance/proxy': 'PROXY_FAILED',
  '/message/scheduled/edit': 'SCHEDULE_TAKEN',
  '/message/views': 'MESSAGE_NOT_FOUND',
  '/sender/edit': 'CAMPAIGN_NOT_FOUND',
  '/trigger/edit': 'AGENT_NOT_FOUND',
  '/sender/copy': 'CAMPAIGN_NOT_FOUND',
  '/sender/listmessages': 'CAMPAIGN_NOT_FOUND',
}

interface Operation {
  readonly security?: readonly Record<string, unknown>[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
}

interface Published {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The operations of the document that the gateway publishes. */
async function publishedOperations({ gateway }: World): Promise<Published[]> {
  const { body } = await gateway.call<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

describe('the API', () => {
  let operations: Published[]
  const { world, account: ana } = gatewaySuite({
    env: {
      // A fast machine asks more often than callers may.
      RATE_LIMIT_REFUSED_PER_MINUTE: '0',
      RATE_LIMIT_ADDRESS_PER_SECOND: '0',
      RATE_LIMIT_TOKEN_PER_SECOND: '0',
      RATE_LIMIT_INSTANCE_PER_SECOND: '0',
      CORS_ORIGINS: 'https://app.example',
      WEBHOOK_MAX_AGE_HOURS: '2',
      SSE_CLIENTS_PER_INSTANCE_MAX: '3',
      BODY_KEYS_MAX: '4000',
      BODY_VALUES_MAX: '9000',
    },
    account: ['15551300001', 'Ana'],
    complete: async () => {
      operations = await publishedOperations(world)
      assert.ok(operations.length > 20)
    },
  })
  const state = () => visibleState(world, ana)

  it('answers 401 on every route that needs a token: without one, with a wrong one and with one of another kind', async () => {
    const before = await state()
    let guarded = 0
    for (const { method, path, operation } of operations) {
      const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one))
      const isAdminOnly = ADMIN_ONLY.test(path)
      assert.ok(schemes.length > 0 || !isAdminOnly, path)
      if (schemes.length === 0) continue
      guarded += 1
      const body = operation.requestBody === undefined ? undefined : {}
      const refused: Record<string, string>[] = [
        {},
        { token: 'wrong' },
        { admintoken: 'wrong' },
        { token: world.gateway.adminToken },
        { admintoken: ana.token },
      ]
      if (isAdminOnly) refused.push({ token: ana.token })
      for (const headers of refused) {
        const answer = await world.gateway.call<Json>(method, path, {
          body,
          headers: headers as Record<string, string>,
        })
        assert.equal(answer.status, 401, `${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(answer.body)}`)
        assert.equal(typeof answer.body.code, 'string')
      }
    }
    assert.ok(guarded >= 240, `${guarded}`)
    assert.equal(await state(), before)
  })

  it('answers bodies that are no JSON object, or have another content type, with a 4xx on every route, and does nothing', async () => {
    const before = await state()
    for (const { method, path, operation } of operations) {
      if (operation.requestBody === undefined) continue
      const bodies: [string, string][] = [
        ['{"a":', 'application/json'],
        ['[1]', 'application/json'],
        ['7', 'application/json'],
        ['{"__proto__":{"isAdmin":true}}', 'application/json'],
        [`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'application/json'],
        ['<a/>', 'application/xml'],
        ['a=b', 'application/x-www-form-urlencoded'],
        ['{}', 'application/json; charset=utf-16'],
      ]
      for (const [body, type] of bodies) {
        const answer = await world.gateway.call<Json>(method, path, {
          token: ana.token,
          admin: true,
          body,
          headers: { 'content-type': type },
        })
        const what = `${method} ${path} ${type} ${body.slice(0, 40)} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`
        assert.ok(answer.status >= 400 && answer.status < 500, what)
        assert.equal(typeof answer.body.error, 'string', what)
      }
    }
    assert.equal(await state(), before)
  })

  it('documents every metric on its page', async () => {
    const page = readFileSync(path.join(packageRoot, 'docs/reference/metrics.md'), 'utf8')
    const { body } = await world.gateway.call<string>('GET', '/metrics')
    const names = [...body.matchAll(/^# TYPE (posthorn_\w+)/gm)].map(([, name]) => name)
    assert.ok(names.length > 10)
    for (const name of names) assert.ok(page.includes(`| \`${name}\` |`), name)
  })

  it('answers absurd queries with a 4xx', async () => {
    for (const path of [
      '/webhook/errors?limit=-1',
      '/webhook/errors?limit=many',
      `/webhook/errors?limit=${'9'.repeat(400)}`,
      '/sse?excludeMessages=nonsense',
      '/sse?lastEventId=%00',
      `/sse?events=${'a'.repeat(600)}`,
    ]) {
      const answer = await ana.call<Json>('GET', path)
      assert.equal(answer.status, 400, `${path} ${answer.status}`)
      assert.equal(typeof answer.body.error, 'string')
    }
  })

  it('accepts each example of the document unchanged, once the named things exist', async (t) => {
    const [own, regular, third] = ['5511999990001', '5511999990002', '5511999990003'] as const
    for (const number of [regular, third]) await world.phone(number)
    const shop = await world.paired(own, 'Shop')
    for (const number of [own, regular]) await world.network('PUT', `/phones/${number}/business`, {})
    await world.network('POST', `/phones/${own}/payments`, {})
    await shop.hook((await startReceiver(t)).url)
    const group = (owner: string, member: string) =>
      world.network<{ jid: string; inviteCode: string }>('POST', '/groups', {
        owner,
        subject: 'A group',
        members: [member],
      })
    const [ours, second, hers] = [await group(own, third), await group(own, third), await group(regular, third)]
    const typed = { to: regular, text: 'Typed on the phone', id: '3EB0C767D097B7C7C030' }
    await world.network('POST', `/phones/${own}/text`, typed)
    const picture = { to: own, kind: 'image', sizeBytes: 100, id: 'HERPICTURE' }
    await world.network('POST', `/phones/${regular}/media`, picture)
    const poll = { to: own, question: 'Colour?', options: ['Red', 'Blue'], id: 'HERPOLL' }
    await world.network('POST', `/phones/${regular}/poll`, poll)
    const toGroup = { to: ours.jid, text: 'Typed to the group', id: 'TOTHEGROUP' }
    await world.network('POST', `/phones/${own}/text`, toGroup)
    for (const { id } of [typed, picture, poll, toGroup])
      await eventually(
        async () => (await shop.call<{ messages: Json[] }>('POST', '/message/find', { id })).body.messages,
        (found) => found.length === 1,
      )
    const call = await world.network<{ id: string }>('POST', `/phones/${regular}/call`, { to: own })
    const createChannel = (owner: string) =>
      world.network<{ jid: string; invite: string }>('POST', '/channels', { owner, name: 'News' })
    const [channel, handed, herChannel, offered] = [
      await createChannel(own),
      await createChannel(own),
      await createChannel(regular),
      await createChannel(regular),
    ]
    await world.network('PATCH', `/channels/${channel.jid}`, { admins: [regular] })
    await world.network('PATCH', `/channels/${handed.jid}`, { admins: [regular] })
    await world.network('PATCH', `/channels/${offered.jid}`, { invited: [own] })
    for (const more of [{ id: typed.id }, {}, {}])
      await world.network('POST', `/channels/${channel.jid}/posts`, { text: 'a post', ...more })
    const ofPath = (path: string): { jid: string } => {
      if (/\/(un)?(follow|mute)$/.test(path)) return herChannel
      return path.endsWith('/accept') ? offered : path.endsWith('/transfer') ? handed : channel
    }
    let community = ''
    const place = (path: string) => LAST.indexOf(path) - (FIRST.includes(path) ? 1 : 0)
    const examples = operations
      .filter(({ method }) => method !== 'PUT')
      .map(({ path, operation }) => ({ path, example: operation.requestBody?.content['application/json'].example }))
      .filter(({ path, example }) => example !== undefined && path !== OF_A_FILE)
      .sort((one, other) => place(one.path) - place(other.path))
    assert.ok(examples.length >= 65, `${examples.length}`)
    const refused: string[] = []
    for (const { path, example } of examples) {
      /** Ids that the network and the gateway choose. */
      const there = {
        i1a2b3c4d5e6f7g8: shop.id,
        ABEiM0RVZneImaq7zN3u: call.id,
        AbCdEfGhIjKlMnOpQrStUv: hers.inviteCode,
        '120363000000000001@g.us': path.startsWith('/community/') ? community : ours.jid,
        '120363000000000002@g.us': second.jid,
        '120363000000000001@newsletter': ofPath(path).jid,
        '0029VaAAAAAAAAAAAAAAAA01': channel.invite,
        ...(/react|download|markread/.test(path) ? { [typed.id]: picture.id } : {}),
        ...(path === '/message/vote' ? { [typed.id]: poll.id } : {}),
        ...(path === '/message/info' ? { [typed.id]: toGroup.id } : {}),
      }
      let body = JSON.stringify(example)
      for (const [placeholder, id] of Object.entries(there)) body = body.replaceAll(placeholder, id)
      if (path === '/admin/instance/export') await shop.connected()
      const asked = { token: shop.token, admin: true, body }
      const answer = await world.gateway.call<Json>('POST', path.replace('{id}', shop.id), asked)
      if (path === '/community/create') community = (answer.body.group as { JID: string }).JID
      if (REFUSED_HERE[path] !== undefined && answer.body.code === REFUSED_HERE[path]) continue
      // 204: she has no picture.
      const isDone = [200, 201, 202, 204].includes(answer.status)
      if (!isDone || answer.body.warnings !== undefined)
        refused.push(`${path} ${body}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 1_000)}`)
    }
    assert.deepEqual(refused, [])
  })

  it('refuses malformed HTTP, and a chunked body as soon as it is too large', async () => {
    const ask = (request: string, then?: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(world.gateway.url)
        const socket = connect(Number(port), hostname, () => {
          socket.write(request)
          const more = then === undefined ? undefined : setInterval(() => socket.write(then), 1)
          socket.once('data', (data) => {
            clearInterval(more)
            socket.destroy()
            resolve(data.toString().split('\r\n')[0] ?? '')
          })
          socket.once('error', (error) => {
            clearInterval(more)
            reject(error)
          })
        })
      })
    assert.match(await ask('NONSENSE\r\n\r\n'), / 400 /)
    assert.match(await ask(`GET /health HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`), / 431 /)
    assert.match(await ask(`GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n`), / 400 /)
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const chunked =
      'POST /send/text HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
    assert.match(await ask(`${chunked}\r\n`, chunk), / 401 /)
    assert.match(await ask(`${chunked}token: ${ana.token}\r\n\r\n`, chunk), / 413 /)
    assert.equal((await world.gateway.call('GET', '/health')).status, 200)
  })

  it('obeys its settings: allowed origins, and limits of an instance', async () => {
    const call = async (path: string, init: RequestInit) => {
      const answer = await fetch(world.gateway.url + path, init)
      const allowed = answer.headers.get('access-control-allow-origin')
      return { answer, seen: [answer.status, allowed] }
    }
    const [origin, token] = ['https://app.example', ana.token]
    const preflight = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'token' }
    assert.deepEqual((await call('/sse', { method: 'OPTIONS', headers: preflight })).seen, [204, origin])
    const other = { origin: 'https://other.example', token }
    assert.deepEqual((await call('/instance/status', { headers: other })).seen, [200, null])
    const streams = []
    for (let count = 0; count < 3; count += 1) streams.push(await call('/sse', { headers: { origin, token } }))
    assert.deepEqual(
      streams.map(({ seen }) => seen),
      Array(3).fill([200, origin]),
    )
    const fourth = await call('/sse', { headers: { origin, token } })
    assert.deepEqual(fourth.seen, [429, origin])
    assert.ok(Number(fourth.answer.headers.get('retry-after')) > 0)
    for (const { answer } of streams) await answer.body?.cancel()

    const keys = Object.fromEntries(Array.from({ length: 4_001 }, (_, index) => [`k${index}`, 0]))
    for (const [body, sentence] of [
      [keys, /more than 4000 keys/],
      [{ list: Array(9_001).fill(0) }, /more than 9000 values/],
    ] as const) {
      const answer = await ana.call<Json>('POST', '/send/text', body)
      assert.equal(answer.status, 400)
      assert.match(String(answer.body.error), sentence)
    }
    const { body } = await world.gateway.call<string>('GET', '/metrics')
    assert.match(body, /^posthorn_delivery_max_age_seconds(\{.*\})? 7200$/m)
  })

  it('shows its metrics under its own name', async () => {
    const { body, headers } = await world.gateway.call<string>('GET', '/metrics')
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    for (const name of [
      'posthorn_instances',
      'posthorn_events_total',
      'posthorn_deliveries_total',
      'posthorn_delivery_lanes',
      'posthorn_http_request_seconds',
      'posthorn_journal_commit_seconds',
      'posthorn_streams',
    ])
      assert.match(String(body), new RegExp(`^# TYPE ${name} `, 'm'), name)
    assert.doesNotMatch(String(body), new RegExp(`${ana.token}|${ana.number}`), 'no token and no number is in them')
  })
})
