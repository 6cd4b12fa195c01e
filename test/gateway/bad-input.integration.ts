import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { routes } from '../../api/routes.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { goodBody, wrongBodies } from '../support/wrong-fields.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>

describe('bad input', () => {
  const registry = loadSchemas()
  const { world, account: ana } = gatewaySuite({
    env: {
      ALLOW_PRIVATE_ADDRESSES: 'false',
      RATE_LIMIT_REFUSED_PER_MINUTE: '0',
      // There are more wrong bodies than calls in a second.
      RATE_LIMIT_ADDRESS_PER_SECOND: '0',
      RATE_LIMIT_TOKEN_PER_SECOND: '0',
      RATE_LIMIT_INSTANCE_PER_SECOND: '0',
    },
    phones: { '15550600002': 'Ben' },
    account: ['15550600001', 'Ana'],
  })
  const state = () => visibleState(world, ana)

  it('of every form gets a clear 4xx on every route and changes nothing', async () => {
    // The phone has linked the account a moment before its first login.
    const before = await eventually(state, (text) => text.includes('"connected"'))
    let operations = 0
    for (const { method, path, auth, schema } of routes) {
      const request = schema === undefined ? undefined : registry.part(schema, 'request')
      if (method !== 'POST' || auth !== 'instance' || request === undefined) continue
      operations += 1
      const good = goodBody(request, registry)
      const wrong = wrongBodies(request, registry).map(({ body }) => JSON.stringify(body))
      const fields = ['number', 'text', 'id', ...Object.keys(good)]
      const bodies = [
        '{',
        '[]',
        '"text"',
        'null',
        '{"__proto__":{"a":1}}',
        `{"constructor":{"prototype":{}}}`,
        ...fields.flatMap((field) => ['\ud800', '\u0000'].map((text) => JSON.stringify({ ...good, [field]: text }))),
        // Bodies beyond every limit have a test elsewhere.
        ...wrong.filter(({ length }) => length < 500_000),
      ]
      for (const body of bodies) {
        const answer: { status: number; body: Json } = await ana.call(method, path, body)
        const what = `${path} ${body.slice(0, 80)} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`
        assert.equal(answer.status, 400, what)
        assert.equal(typeof answer.body.error, 'string', what)
        assert.doesNotMatch(JSON.stringify(answer.body), /\bat .*\.(js|ts):\d+|node_modules/, what)
      }
    }
    assert.ok(operations >= 15)
    assert.equal(await state(), before)
  })

  it('refuses invalid numbers with field and reason', async () => {
    for (const number of [
      '',
      ' ',
      'abc',
      '12',
      '1'.repeat(40),
      '-5',
      'x@evil.com',
      '5511@s.whatsapp.net@g.us',
      '@g.us',
      '../../etc',
      '15550600002;DROP TABLE message',
      '１２３４５６７８',
    ]) {
      const answer = await ana.call<Json>('POST', '/send/text', { number, text: 'x' })
      assert.equal(answer.status, 400, `${number} ${JSON.stringify(answer.body)}`)
      assert.match(JSON.stringify(answer.body.details), /number/)
    }
  })

  it('answers unknown tokens with 401, unknown methods with 405 and unknown paths with 404, as JSON', async () => {
    for (const token of ['', 'x', '0'.repeat(5000), "' OR 1=1"]) {
      const answer = await world.gateway.call<Json>('GET', '/instance/status', { token })
      assert.ok(answer.status === 401 || answer.status === 431, `${answer.status}`)
    }
    const unknown = await world.gateway.call<Json>('GET', '/instance/status', { token: 'unknown' })
    assert.deepEqual([unknown.status, unknown.body.error], [401, 'Invalid token'])
    assert.equal((await world.gateway.call('GET', '/instance/all')).status, 401)
    assert.equal((await ana.call('GET', '/instance/all')).status, 401)
    const path = await ana.call<Json>('POST', '/no/such/path', {})
    assert.deepEqual([path.status, path.body.code], [404, 'ROUTE_NOT_FOUND'])
    const method = await ana.call<Json>('DELETE', '/send/text')
    assert.deepEqual([method.status, method.body.code], [405, 'METHOD_NOT_ALLOWED'])
  })

  it('accepts keys in another case, and names unknown keys', async () => {
    const answer = await ana.call<Json>('POST', '/send/text', {
      Number: '15550600002',
      TEXT: 'in another case',
      colour: 'red',
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.match(JSON.stringify(answer.body.warnings), /colour/)
  })

  it('refuses bodies that are too large after the token is checked and before they are read', async () => {
    const ask = (headers: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(world.gateway.url)
        const socket = connect(Number(port), hostname, () =>
          socket.write(
            `POST /send/text HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n${headers}\r\n`,
          ),
        )
        socket.once('data', (data) => {
          resolve(data.toString().split('\r\n')[0] ?? '')
          socket.destroy()
        })
        socket.once('error', reject)
      })
    assert.match(await ask(''), / 401 /)
    assert.match(await ask('token: wrong\r\n'), / 401 /)
    assert.match(await ask(`token: ${ana.token}\r\n`), / 413 /)
    const memoryKiB = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${world.gateway.pid}/status`, 'utf8'))?.[1])
    const before = memoryKiB()
    await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        fetch(`${world.gateway.url}/send/text`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.alloc(100 * 2 ** 20, 'x'),
        }),
      ),
    )
    assert.ok(memoryKiB() - before < 50 * 1024, `it grew by ${memoryKiB() - before} KiB`)
  })

  it('refuses URLs of private addresses in every notation, and sends them no request', async (t) => {
    let asked = 0
    const inside = createServer((_request, response) => {
      asked += 1
      response.end('<title>inside</title>')
    }).listen(0, '127.0.0.1')
    t.after(() => inside.close())
    await eventually(() => inside.listening)
    const { port } = inside.address() as AddressInfo
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '10.0.0.1',
      '169.254.169.254',
      '[fe80::1]',
      '100.64.0.1',
    ]) {
      const url = `http://${host}:${port}/`
      const hook = await ana.call<Json>('POST', '/webhook', { url, events: ['messages'] })
      assert.deepEqual([hook.status, hook.body.code], [400, 'URL_NOT_ALLOWED'], `${url} ${JSON.stringify(hook.body)}`)
      const preview = await ana.call<Json>('POST', '/send/text', {
        number: '15550600002',
        text: `see ${url}`,
        linkPreview: true,
      })
      assert.deepEqual(
        [preview.status, preview.body.code],
        [400, 'URL_NOT_ALLOWED'],
        `${url} ${JSON.stringify(preview.body).slice(0, 200)}`,
      )
      assert.doesNotMatch(JSON.stringify(preview.body), /inside/)
    }
    // Every other field with which a caller names an address.
    const image = `http://127.0.0.1:${port}/a.jpg`
    const number = '15550600002'
    const doors: [string, Json][] = [
      ['/globalwebhook', { url: image, events: ['messages'] }],
      [
        '/send/text',
        { number, text: 'x https://example.org/', linkPreview: true, linkPreviewImage: image, linkPreviewTitle: 'x' },
      ],
      ['/send/media', { number, type: 'image', file: image }],
      ['/send/media', { number, type: 'document', file: 'aGVsbG8=', thumbnail: image }],
      ['/send/menu', { number, type: 'button', text: 'x', choices: ['a'], imageButton: image }],
      ['/send/menu', { number, type: 'carousel', text: 'x', choices: ['[card]', `{${image}}`, 'a|b'] }],
      [
        '/send/carousel',
        { number, text: 'x', carousel: [{ text: 'c', image, buttons: [{ id: 'a', text: 'a', type: 'REPLY' }] }] },
      ],
      ['/group/updateImage', { groupjid: '123456789012345678@g.us', image }],
    ]
    for (const [path, body] of doors) {
      const answer = await world.gateway.call<Json>('POST', path, { token: ana.token, admin: true, body })
      assert.deepEqual(
        [answer.status, answer.body.code],
        [400, 'URL_NOT_ALLOWED'],
        `${path} ${JSON.stringify(answer.body)}`,
      )
    }
    for (const url of [
      'ftp://example.org/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'ftp://user:pass@example.org/',
      'not a url',
    ]) {
      assert.equal((await ana.call('POST', '/webhook', { url, events: ['messages'] })).status, 400, url)
    }
    await pause(100)
    assert.equal(asked, 0)
  })

  it('leaves no token, key or text in the log', async () => {
    const canary = 'canary-text-7f3a'
    await ana.text('15550600002', canary)
    await world.network('POST', '/phones/15550600002/text', { to: ana.number, text: canary })
    await ana.call('POST', '/send/text', { number: '15550699999', text: canary })
    await eventually(
      () => ana.call<{ messages: Json[] }>('POST', '/message/find', { chatid: '15550600002' }),
      ({ body }) => body.messages.some(({ fromMe, text }) => !fromMe && text === canary),
    )
    const printed = world.gateway.output()
    for (const secret of [canary, ana.token, world.gateway.adminToken])
      assert.ok(!printed.includes(secret), `${secret} was printed`)
    assert.doesNotMatch(printed, /privKey|noiseKey|advSecret/)
  })
})
