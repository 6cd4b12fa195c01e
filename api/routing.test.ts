import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { startFakeNode } from '../test/support/fake-node.js'
import { routes } from './routes.js'

const NOWHERE = [
  '/',
  '/nothing',
  '/constructor',
  '/send',
  '/send/menu/more',
  '//send/menu',
  '/%73end/menu',
  '/docs/a/b',
]

describe('the way from a request to its route', () => {
  it('is found for every route: in any case, with a slash behind it, with a query, and in a whole URL', async (t) => {
    const { port } = await startFakeNode(t)
    for (const { path, method } of routes) {
      const given = path.replace(/:\w+/g, 'x')
      // No route takes both, so that the refusal names the methods of the path and nothing is done.
      for (const target of [given, `${given}/`, given.toUpperCase(), `${given}?a=/b`, `http://host${given}`]) {
        const { status, allow } = await askRaw(port, 'PATCH', target)
        assert.equal(status, 405, target)
        assert.ok(allow.includes(method), `${target}: ${allow}`)
        assert.equal(allow.includes('HEAD'), allow.includes('GET'), target)
      }
    }
  })

  it('leads nowhere for other paths, and for targets without a path', async (t) => {
    const { port } = await startFakeNode(t)
    for (const target of [...NOWHERE, '*', 'x://host']) {
      for (const method of ['GET', 'POST', 'OPTIONS'])
        assert.equal((await askRaw(port, method, target)).status, 404, `${method} ${target}`)
    }
  })

  it('lists the methods of a path for OPTIONS', async (t) => {
    const { port } = await startFakeNode(t)
    assert.deepEqual(await askRaw(port, 'OPTIONS', '/Send/Menu/'), { status: 204, allow: ['POST'] })
    assert.deepEqual(await askRaw(port, 'OPTIONS', '/message/async'), { status: 204, allow: ['HEAD', 'GET', 'DELETE'] })
  })
})

/** With a target that `fetch` would put in order first. */
async function askRaw(port: number, method: string, target: string): Promise<{ status: number; allow: string[] }> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
  const [, allow = ''] = /^Allow: (.*)\r$/m.exec(answer) ?? []
  return { status: Number(status), allow: allow === '' ? [] : allow.split(', ') }
}
