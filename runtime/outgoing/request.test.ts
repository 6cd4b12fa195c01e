import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createOutgoing, type OutgoingOptions, type RequestOptions } from './client.js'

async function start(t: TestContext, listener: RequestListener, options: Partial<OutgoingOptions> = {}) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test', ...options })
  t.after(async () => {
    await outgoing.close()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const base = { method: 'POST', headers: {}, timeoutMs: 2_000, answerMaxBytes: 10_000 }
  return {
    port,
    seen,
    outgoing,
    send: (path: string, own: Partial<RequestOptions> = {}, host = '127.0.0.1') =>
      outgoing.request({ ...base, url: new URL(`http://${host}:${port}${path}`), ...own }),
  }
}

describe('a request', () => {
  it('has any method, and is answered whatever the status', async (t) => {
    const { send, seen } = await start(t, (request, response) => {
      request.resume().on('end', () => response.writeHead(422, { 'x-word': 'no' }).end('wrong'))
    })
    const answer = await send('/a?b=1', { method: 'PATCH', body: Buffer.from('body') })
    assert.ok(answer.answered)
    assert.deepEqual(
      [answer.statusCode, answer.headers['x-word'], answer.body.toString(), answer.isCut],
      [422, 'no', 'wrong', false],
    )
    await send('/c', { method: 'DELETE' })
    assert.deepEqual(seen, ['PATCH /a?b=1', 'DELETE /c'])
  })

  it('keeps no more of an answer than its limit, compressed or not, and cuts the connection', async (t) => {
    const { send } = await start(t, ({ url }, response) => {
      if (url === '/gzip')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)))
      else response.end(Buffer.alloc(5_000_000))
    })
    for (const path of ['/gzip', '/plain']) {
      const answer = await send(path)
      assert.ok(answer.answered && answer.isCut)
      assert.equal(answer.body.length, 10_000)
    }
  })

  it('follows nothing', async (t) => {
    const { send, seen } = await start(t, (_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    const answer = await send('/here')
    assert.equal(answer.answered && answer.statusCode, 302)
    assert.deepEqual(seen, ['POST /here'])
  })

  it('ends with its connection when it is aborted or too slow', async (t) => {
    let closed = 0
    let come = () => {}
    const arrived = new Promise<void>((done) => {
      come = done
    })
    const { send } = await start(t, (request, response) => {
      response.on('close', () => {
        closed += 1
      })
      if (request.url === '/abort') come()
    })
    assert.deepEqual(await send('/slow', { timeoutMs: 50 }), { answered: false, error: 'TIMEOUT' })
    const abort = new AbortController()
    const sent = send('/abort', { signal: abort.signal })
    await arrived
    abort.abort()
    assert.deepEqual(await sent, { answered: false, error: 'ABORTED' })
    while (closed < 2) await new Promise((done) => setImmediate(done))
    assert.deepEqual(await send('/never', { signal: abort.signal }), { answered: false, error: 'ABORTED' })
  })
})

describe('a host that the operator allows', () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const answer: RequestListener = (request, response) => request.resume().on('end', () => response.end('in'))

  it('is reached by its name and port, whatever its address', async (t) => {
    const { send, outgoing, port } = await start(t, answer, {
      allowPrivateAddresses: false,
      privateHosts: ['Model.internal', '127.0.0.1:1'],
      resolve,
    })
    for (const host of ['model.internal', 'MODEL.internal', 'model.internal.']) {
      const reached = await send('/', {}, host)
      assert.equal(reached.answered && reached.body.toString(), 'in', host)
      await outgoing.assertUrlAllowed(`http://${host}:${port}/v1`)
    }
    for (const host of ['other.internal', '127.0.0.1', 'localhost', 'a.model.internal']) {
      const refused = await send('/', {}, host)
      assert.ok(!refused.answered && /ADDRESS_REFUSED|URL_NOT_ALLOWED/.test(refused.error), host)
      await assert.rejects(outgoing.assertUrlAllowed(`http://${host}:${port}/v1`), { code: 'URL_NOT_ALLOWED' })
    }
  })

  it('is reached on no other port when it has one', async (t) => {
    const other = await start(t, answer)
    const { send, port } = await start(t, answer, { allowPrivateAddresses: false, resolve })
    const outgoing = createOutgoing({
      allowPrivateAddresses: false,
      userAgent: 'posthorn-test',
      privateHosts: [`127.0.0.1:${port}`],
    })
    t.after(() => outgoing.close())
    const get = (to: number) =>
      outgoing.request({
        url: new URL(`http://127.0.0.1:${to}/`),
        method: 'GET',
        headers: {},
        timeoutMs: 2_000,
        answerMaxBytes: 10,
      })
    assert.equal((await get(port)).answered, true)
    assert.equal((await get(other.port)).answered, false)
    assert.equal((await send('/')).answered, false, 'A client without the list does not reach it.')
  })
})
