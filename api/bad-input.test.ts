import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadSchemas } from '../schemas/schema-registry.js'
import { adminToken, startFakeNode, token } from '../test/support/fake-node.js'
import type { Route } from './route.js'
import { routes } from './routes.js'

const number = '5511999990002'
const json = { 'content-type': 'application/json' }

describe('a body that is not what it should be', () => {
  it('is answered with 400 when it is not JSON, without showing it again', async (t) => {
    const node = await startFakeNode(t)
    const body = '{"number":"5511999990002","text":"a secret of mine'
    const answer = await node.call('/send/text', { method: 'POST', body, headers: json })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.code, 'MALFORMED_JSON')
    assert.ok(!JSON.stringify([answer.body, node.log]).includes('secret'))
  })

  it('is answered with 400 naming every field that is missing or of another type', async (t) => {
    const node = await startFakeNode(t)
    const missing = await node.call('/send/text', { json: {} })
    assert.equal(missing.status, 400)
    assert.equal(missing.body.code, 'INVALID_REQUEST')
    assert.deepEqual(missing.body.details, [
      { field: 'number', why: 'is required' },
      { field: 'text', why: 'is required' },
    ])
    const wrong = await node.call('/send/text', { json: { number: [], text: {}, delay: -1, readchat: 'yes' } })
    const fields = (wrong.body.details as { field: string }[]).map(({ field }) => field)
    assert.deepEqual(fields.sort(), ['delay', 'number', 'readchat', 'text'])
    assert.deepEqual(node.commands, [])
  })

  it('is answered with 400 when it is JSON but no object', async (t) => {
    const node = await startFakeNode(t)
    for (const body of ['[]', '"text"', '5', 'null', 'true']) {
      const answer = await node.call('/send/text', { method: 'POST', body, headers: json })
      assert.equal(answer.body.code, 'INVALID_REQUEST', body)
    }
  })

  it('is answered with 415 when it is of another type, charset or encoding', async (t) => {
    const node = await startFakeNode(t)
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=utf-16' },
      { ...json, 'content-encoding': 'gzip' },
    ]) {
      const answer = await node.call('/send/text', { method: 'POST', body: '{}', headers })
      assert.equal(answer.status, 415, JSON.stringify(headers))
    }
  })

  it('is answered with 400 when it holds a key that reaches a prototype, at any depth', async (t) => {
    const node = await startFakeNode(t)
    for (const body of [
      `{"number":"${number}","text":"a","__proto__":{"delay":5}}`,
      `{"number":"${number}","text":"a","x":{"constructor":{}}}`,
      `{"number":"${number}","text":"a","x":[{"prototype":1}]}`,
    ]) {
      const answer = await node.call('/send/text', { method: 'POST', body, headers: json })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'FORBIDDEN_KEY', body)
    }
    assert.deepEqual(node.commands, [])
    assert.equal(({} as Record<string, unknown>).delay, undefined)
  })

  it('is answered with 400 naming the field that holds control characters or half a character', async (t) => {
    const node = await startFakeNode(t)
    for (const text of ['a\u0000b', 'a\u001bb', 'a\u007f', '\ud83d', '\ude00\ud83d']) {
      const answer = await node.call('/send/text', { json: { number, text } })
      assert.equal(answer.status, 400, JSON.stringify(text))
      assert.equal((answer.body.details as { field: string }[])[0]?.field, 'text')
    }
    const fine = await node.call('/send/text', { json: { number, text: 'line\r\n\ttab 👩‍👩‍👧 ok' } })
    assert.equal(fine.status, 200)
  })

  it('is answered with 400 when it is not UTF-8', async (t) => {
    const node = await startFakeNode(t)
    const body = Buffer.concat([
      Buffer.from(`{"number":"${number}","text":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ])
    const answer = await node.call('/send/text', { method: 'POST', body, headers: json })
    assert.equal(answer.body.code, 'MALFORMED_JSON')
  })

  it('is answered with 400 when it nests without end', async (t) => {
    const node = await startFakeNode(t)
    const body = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const answer = await node.call('/send/text', { method: 'POST', body, headers: json })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.code, 'INVALID_REQUEST')
  })

  it('is answered with 413 when it is 10 MB of text', async (t) => {
    const node = await startFakeNode(t)
    const answer = await node.call('/send/text', { json: { number, text: 'x'.repeat(10_000_000) } })
    assert.equal(answer.status, 413)
    assert.equal(answer.body.code, 'BODY_TOO_LARGE')
  })

  it('is answered with 400 when the number is absurd', async (t) => {
    const node = await startFakeNode(t)
    for (const absurd of [
      '0',
      'abc',
      '9'.repeat(40),
      '1e9',
      '5511999990002@evil.example',
      '../../etc',
      '１２３４５６７８９',
    ]) {
      const answer = await node.call('/send/text', { json: { number: absurd, text: 'a' } })
      assert.equal(answer.status, 400, absurd)
      assert.equal(answer.body.code, 'INVALID_NUMBER', absurd)
    }
  })
})

describe('a body with keys in another spelling', () => {
  it('is understood without regard to case', async (t) => {
    const node = await startFakeNode(t)
    const answer = await node.call('/send/text', { json: { Number: number, TEXT: 'a', ReadChat: true, TRACK_ID: 'x' } })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.warnings, undefined)
    const [command] = node.commands
    assert.ok(command?.type === 'send' && command.content.kind === 'text')
    assert.deepEqual(
      [command.number, command.content.text, command.options],
      [number, 'a', { readChat: true, trackId: 'x' }],
    )
  })

  it('has its unknown keys ignored and named', async (t) => {
    const node = await startFakeNode(t)
    const answer = await node.call('/send/text', { json: { number, text: 'a', colour: 'red', Text: 'b' } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.warnings, ['colour: unknown field, ignored', 'Text: unknown field, ignored'])
    const [command] = node.commands
    assert.ok(command?.type === 'send' && command.content.kind === 'text' && command.content.text === 'a')
  })

  it('has them named in a header when the answer is an array', async (t) => {
    const node = await startFakeNode(t)
    const answer = await node.call('/chat/check', { json: { numbers: [number], größe: 1 } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('warning-fields'), encodeURIComponent('größe'))
  })
})

describe('a search or a list', () => {
  it('refuses a filter that it does not know by its name, instead of answering without it', async (t) => {
    const node = await startFakeNode(t)
    const registry = loadSchemas()
    const filters = (route: Route): string[] =>
      (['request', 'query'] as const).flatMap((part) => {
        const found = route.schema === undefined ? undefined : registry.part(route.schema, part)
        return Object.keys(found?.schema.properties ?? {})
      })
    const searches = routes.filter((route) => {
      const pages = filters(route).some((name) => name === 'limit' || name === 'cursor')
      return pages || /^(list|find|search)/.test(route.name) || (route.method === 'DELETE' && filters(route).length > 0)
    })
    assert.ok(searches.length >= 35, String(searches.length))
    for (const { method, path, auth, name } of searches) {
      node.touched.length = 0
      const headers: Record<string, string> = auth === 'admin' ? { admintoken: adminToken } : {}
      const answer = await node.call(
        method === 'POST' ? path : `${path}?shoeSize=43`,
        method === 'POST' ? { json: { shoeSize: 43 }, headers } : { method, headers },
      )
      assert.equal(answer.status, 400, name)
      const details = answer.body.details as { field: string; why: string }[]
      assert.ok(
        details.some(({ field, why }) => field === 'shoeSize' && why === 'is not a field of this'),
        `${name} ${JSON.stringify(answer.body)}`,
      )
      assert.deepEqual(node.touched, [], name)
    }
  })

  it('says which query fields it needs in the OpenAPI document', async (t) => {
    const node = await startFakeNode(t)
    const { paths } = (await node.call('/openapi.json')).body as {
      paths: Record<string, Record<string, { parameters: { name: string; required?: boolean }[] }>>
    }
    const folder = paths['/sender/folder']?.get?.parameters
    assert.deepEqual(
      folder?.map(({ name, required }) => [name, required]),
      [['id', true]],
    )
    const answer = await node.call('/sender/folder')
    assert.deepEqual([answer.status, answer.body.details], [400, [{ field: 'id', why: 'is required' }]])
  })
})

describe('an error', () => {
  it('names the fields as they were sent', async (t) => {
    const node = await startFakeNode(t)
    for (const [path, json, field, error] of [
      ['/send/text', { NUMBER: 'abc', Text: 'a' }, 'NUMBER', /^Invalid NUMBER: /],
      ['/send/text', { Number: number, TEXT: [] }, 'TEXT', /^Invalid request: TEXT must be string/],
      ['/send/text', { number, text: 'a', SEND_AT: 'noon' }, 'SEND_AT', /^Invalid request: SEND_AT /],
      ['/contact/add', { phone: 'abc', name: 'Ana' }, 'phone', /^Invalid phone: /],
      ['/contact/add', { number: 'abc', name: 'Ana' }, 'number', /^Invalid number: /],
      ['/contact/remove', { Phone: '1-2@g.us' }, 'Phone', /./],
      ['/trigger/edit', { Trigger: { Priority: 'high' } }, 'Trigger.Priority', /^Invalid request: Trigger.Priority /],
      [
        '/sender/advanced',
        {
          messages: [
            { number, type: 'text', text: 'a' },
            { Number: [], type: 'text', text: 'a' },
          ],
        },
        'messages[1].Number',
        /^Invalid request: messages\[1\].Number /,
      ],
    ] as const) {
      const answer = await node.call(path, { json })
      assert.equal(answer.status, 400, JSON.stringify(answer.body))
      assert.deepEqual((answer.body.details as { field: string }[])[0]?.field, field, JSON.stringify(answer.body))
      assert.match(String(answer.body.error), error)
    }
    const query = await node.call('/message/scheduled?LIMIT=many')
    assert.equal((query.body.details as { field: string }[])[0]?.field, 'LIMIT')
    assert.deepEqual(node.commands, [])
  })
})

describe('a time that is empty', () => {
  it('is refused, because it must not mean at once', async (t) => {
    const node = await startFakeNode(t)
    for (const [path, json, field] of [
      ['/send/text', { number, text: 'a', send_at: '' }, 'send_at'],
      ['/send/media', { number, type: 'image', file: 'https://example.org/a.png', send_at: ' ' }, 'send_at'],
      ['/message/react', { number, id: 'A', text: '👍', send_at: '' }, 'send_at'],
      ['/message/scheduled/edit', { id: 'A', revision: 1, text: 'b', send_at: '' }, 'send_at'],
      ['/sender/simple', { numbers: [number], type: 'text', text: 'a', scheduled_for: '' }, 'scheduled_for'],
    ] as const) {
      const answer = await node.call(path, { json })
      assert.equal(answer.status, 400, `${path} ${JSON.stringify(answer.body)}`)
      assert.equal((answer.body.details as { field: string }[])[0]?.field, field, path)
    }
    assert.deepEqual(node.commands, [])
  })
})

describe('a call without the right token', () => {
  it('is answered with 401 before its body is looked at', async (t) => {
    const node = await startFakeNode(t)
    for (const headers of [{ token: '' }, { token: 'wrong' }, { token: 'x'.repeat(5_000) }, { token: adminToken }]) {
      const answer = await node.call('/send/text', {
        method: 'POST',
        body: '{broken',
        headers: { ...json, ...headers },
      })
      assert.equal(answer.status, 401)
      assert.deepEqual(answer.body, { error: 'Invalid token', code: 'INVALID_TOKEN' })
    }
    const admin = await node.call('/instance/all', { headers: { admintoken: token } })
    assert.equal(admin.status, 401)
    assert.equal(admin.body.code, 'INVALID_ADMIN_TOKEN')
  })

  it('does not take a token from the query where headers can be set', async (t) => {
    const node = await startFakeNode(t)
    const answer = await node.call(`/instance/status?token=${token}`, { headers: { token: '' } })
    assert.equal(answer.status, 401)
  })

  it('is refused for a while when an address guesses, but not with a token that was good before', async (t) => {
    const limits = { points: 0, durationMs: 1_000 }
    const node = await startFakeNode(t, {
      limits: {
        perAddress: limits,
        perToken: limits,
        perInstance: limits,
        failedTokensPerAddress: { points: 3, durationMs: 60_000 },
      },
    })
    assert.equal((await node.call('/instance/status')).status, 200)
    for (let guess = 0; guess < 3; guess += 1) {
      assert.equal((await node.call('/instance/status', { headers: { token: `guess${guess}` } })).status, 401)
    }
    const looked = node.lookups.count
    const refused = await node.call('/instance/status', { headers: { token: 'guess4' } })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal(node.lookups.count, looked)
    assert.equal((await node.call('/instance/status')).status, 200)
  })
})

describe('a call to nowhere', () => {
  it('is answered with 404 or 405, as JSON', async (t) => {
    const node = await startFakeNode(t)
    for (const path of [
      '/nothing',
      '/',
      '/instance/status/more',
      '/docs/%ff',
      '/docs/..%2f..%2fpackage.json',
      '/%00',
    ]) {
      const answer = await node.call(path)
      assert.equal(answer.status, 404, path)
      assert.equal(typeof answer.body.error, 'string')
    }
    const answer = await node.call('/send/text')
    assert.equal(answer.status, 405)
    assert.equal(answer.headers.get('allow'), 'POST')
  })
})

describe('an error of ours', () => {
  it('is answered with a plain 500 that the log explains, without a stack trace', async (t) => {
    // An owner that answers without the results.
    const node = await startFakeNode(t, {}, { router: { ask: async () => ({}) as never } })
    const answer = await node.call('/message/markread', { json: { id: ['A'] } })
    assert.equal(answer.status, 500)
    assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'error', 'request_id'])
    const line = node.log.find((one) => one.includes(String(answer.body.request_id)))
    assert.ok(line?.includes('INTERNAL'))
    assert.ok(!node.log.join('').includes(token))
  })
})
