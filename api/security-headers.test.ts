import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { adminToken, startFakeNode, token } from '../test/support/fake-node.js'
import { routes } from './routes.js'

const EXPECTED = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'content-security-policy': /^(sandbox; )?default-src 'none'/,
  // Only the parts of the API page and of the dashboard, which are of the program, may be kept.
  'cache-control': /^(no-store(, no-transform)?|no-cache|public, max-age=(3600|31536000, immutable))$/,
}
/** A browser of another site may read nothing, and nothing tells what we are made of. */
const ABSENT = ['access-control-allow-origin', 'x-powered-by', 'server', 'set-cookie']

describe('every answer', () => {
  it('forbids browsers to run, frame, sniff, keep or share it, whether it is good or not', async (t) => {
    const node = await startFakeNode(t, {
      limits: { perAddress: none, perToken: none, perInstance: none, failedTokensPerAddress: none },
    })
    const asked = [
      ...routes.map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x') })),
      { method: 'GET', path: '/docs/swagger-ui.css' },
      { method: 'GET', path: '/no/such/path' },
      { method: 'PUT', path: '/send/text' },
      { method: 'OPTIONS', path: '/send/text' },
    ]
    for (const { method, path } of asked)
      for (const headers of [{}, { token }, { admintoken: adminToken }, { token, origin: 'https://other.example' }]) {
        const answer = await fetch(node.url + path, { method, headers: headers as Record<string, string> })
        await answer.body?.cancel()
        const what = `${method} ${path} ${answer.status}`
        for (const [name, form] of Object.entries(EXPECTED))
          assert.match(answer.headers.get(name) ?? '', form, `${what} ${name}`)
        for (const name of ABSENT) assert.equal(answer.headers.get(name), null, `${what} ${name}`)
        const isKept = answer.headers.get('cache-control')?.startsWith('public')
        assert.ok(!isKept || path.startsWith('/docs/') || path.startsWith('/dashboard/'), what)
      }
  })

  it('does so too when the request is not even HTTP', async (t) => {
    const node = await startFakeNode(t)
    const socket = connect(node.port, '127.0.0.1').setEncoding('utf8')
    socket.write('NONSENSE\r\n\r\n')
    let answer = ''
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    await once(socket, 'close')
    assert.match(answer, /^HTTP\/1.1 400 /)
    assert.match(answer, /\r\nX-Content-Type-Options: nosniff\r\n/i)
    assert.match(answer, /\r\nCache-Control: no-store\r\n/i)
  })
})

const none = { points: 0, durationMs: 1_000 }
