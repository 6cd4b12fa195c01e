import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { adminToken, startFakeNode, token } from '../test/support/fake-node.js'

const page = 'https://app.example'
const none = { points: 0, durationMs: 1_000 }
const limits = { perAddress: none, perToken: none, perInstance: none, failedTokensPerAddress: none }

async function start(t: TestContext, corsOrigins: readonly string[], given: Parameters<typeof startFakeNode>[1] = {}) {
  const node = await startFakeNode(t, { limits, corsOrigins, ...given })
  return async (method: string, path: string, headers: Record<string, string>) => {
    const answer = await fetch(node.url + path, { method, headers })
    await answer.body?.cancel()
    return answer
  }
}

/** The names of a header that lists some. */
function namesIn(answer: Response, header: string): readonly string[] {
  return (answer.headers.get(header) ?? '').split(', ').map((name) => name.toLowerCase())
}

describe('a page in a browser', () => {
  it('of an allowed origin may call with all our headers, and read the answer with its headers', async (t) => {
    const ask = await start(t, ['https://other.example', page])
    const preflight = await ask('OPTIONS', '/send/text', {
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,idempotency-key,token',
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), page)
    assert.equal(preflight.headers.get('vary'), 'Origin')
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
    assert.ok(Number(preflight.headers.get('access-control-max-age')) > 0)
    for (const method of ['get', 'post', 'put', 'delete'])
      assert.ok(namesIn(preflight, 'access-control-allow-methods').includes(method), method)
    for (const name of ['content-type', 'token', 'admintoken', 'idempotency-key', 'last-event-id', 'x-request-id'])
      assert.ok(namesIn(preflight, 'access-control-allow-headers').includes(name), name)

    const answer = await ask('GET', '/instance/status', { origin: page, token })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), page)
    for (const name of ['retry-after', 'warning-fields', 'x-request-id', 'content-disposition'])
      assert.ok(namesIn(answer, 'access-control-expose-headers').includes(name), name)
  })

  it('may follow a stream by fetch, with its token in a header', async (t) => {
    const ask = await start(t, [page])
    for (const headers of [{ token }, { admintoken: adminToken }]) {
      const name = Object.keys(headers)[0] ?? ''
      const preflight = await ask('OPTIONS', '/sse', {
        origin: page,
        'access-control-request-method': 'GET',
        'access-control-request-headers': `last-event-id,${name}`,
      })
      assert.equal(preflight.status, 204)
      const answer = await ask('GET', '/sse', { origin: page, ...(headers as Record<string, string>) })
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
      assert.equal(answer.headers.get('access-control-allow-origin'), page)
    }
  })

  it('reads errors too: a wrong token, a refused method, an unknown path, a call too many, an error of ours', async (t) => {
    const instances = {
      byToken: () => {
        throw new Error('planted')
      },
    }
    const ask = await start(t, [page], { limits: { ...limits, perToken: { points: 1, durationMs: 60_000 } } })
    const expected: [string, string, Record<string, string>, number][] = [
      ['GET', '/instance/status', { token: 'wrong' }, 401],
      ['PUT', '/send/text', { token }, 405],
      ['GET', '/no/such/path', { token }, 404],
      ['GET', '/instance/status', { token }, 200],
      ['GET', '/instance/status', { token }, 429],
    ]
    for (const [method, path, headers, status] of expected) {
      const answer = await ask(method, path, { origin: page, ...headers })
      assert.equal(answer.status, status, path)
      assert.equal(answer.headers.get('access-control-allow-origin'), page, `${status}`)
    }
    const node = await startFakeNode(t, { limits, corsOrigins: [page] }, { instances: instances as never })
    const answer = await fetch(`${node.url}/instance/status`, { headers: { origin: page, token } })
    assert.equal(answer.status, 500)
    assert.equal(answer.headers.get('access-control-allow-origin'), page)
  })

  it('of another origin gets no permission, be it alike or a part of an allowed one', async (t) => {
    const ask = await start(t, [page])
    for (const origin of [
      'http://app.example',
      `${page}:444`,
      `${page}.evil.example`,
      'https://evil-app.example',
      'null',
    ]) {
      for (const [method, headers] of [
        ['GET', { token }],
        ['OPTIONS', { 'access-control-request-method': 'GET' }],
      ] as const) {
        const answer = await ask(method, '/instance/status', { origin, ...headers })
        assert.equal(answer.headers.get('access-control-allow-origin'), null, origin)
        assert.equal(answer.headers.get('access-control-allow-headers'), null, origin)
        assert.equal(answer.headers.get('vary'), 'Origin', 'a cache must not give it to the allowed one')
      }
    }
    assert.equal((await ask('GET', '/instance/status', { token })).headers.get('vary'), 'Origin')
  })

  it('of any origin may call where * is set, and of none where nothing is', async (t) => {
    const all = await start(t, ['*'])
    const answer = await all('GET', '/instance/status', { origin: 'https://any.example', token })
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const ask = await start(t, [])
    const refused = await ask('GET', '/instance/status', { origin: page, token })
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
    assert.equal(refused.headers.get('vary'), null)
  })
})
