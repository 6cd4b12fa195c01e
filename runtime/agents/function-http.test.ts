import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import type { FunctionRequest } from '../../schemas/agents/tools.js'
import type { InstanceId } from '../../schemas/ids.js'
import { createOutgoing, type OutgoingOptions } from '../outgoing/client.js'
import { createFunctionHttp, type FunctionHttpOptions } from './function-http.js'

const ONE = 'one' as InstanceId
const TWO = 'two' as InstanceId

async function serve(t: TestContext, listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function functions(
  t: TestContext,
  options: Partial<OutgoingOptions> = {},
  limits: Omit<FunctionHttpOptions, 'outgoing'> = {},
) {
  const outgoing = createOutgoing({
    allowPrivateAddresses: false,
    userAgent: 'posthorn-test',
    isPublic: (address) => address === '127.0.0.1',
    ...options,
  })
  t.after(() => outgoing.close())
  const http = createFunctionHttp({ outgoing, ...limits })
  return (url: string, more: Partial<FunctionRequest> = {}, instance = ONE, signal = new AbortController().signal) =>
    http.call(instance, { method: 'GET', url: new URL(url), headers: {}, body: null, ...more }, signal)
}

describe('an HTTP call of a function', () => {
  it('sends method, headers and body, and gives status and text of any answer', async (t) => {
    const port = await serve(t, async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      response.writeHead(422, { 'content-type': 'text/plain; charset=iso-8859-1' })
      response.end(Buffer.from(`${request.method} ${request.headers['x-a']} ${body} é`, 'latin1'))
    })
    const answer = await functions(t)(`http://127.0.0.1:${port}/`, {
      method: 'PUT',
      headers: { 'x-a': '1' },
      body: '{}',
    })
    assert.deepEqual(answer, {
      isAnswered: true,
      statusCode: 422,
      contentType: 'text/plain; charset=iso-8859-1',
      text: 'PUT 1 {} é',
      isCut: false,
    })
  })

  it('never reaches an address that is not public, also when a name changes its mind', async (t) => {
    let hits = 0
    const port = await serve(t, (_, response) => {
      hits += 1
      response.end()
    })
    const refused = { isAnswered: false, isNotSent: true, reason: 'address' }
    const inside = functions(t, { isPublic: () => false, resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    for (const host of ['127.0.0.1', '2130706433', 'localhost', 'inside.example', '[::ffff:127.0.0.1]'])
      assert.deepEqual(await inside(`http://${host}:${port}/`), refused, host)
    // The name is public when the function is edited, and leads inside when it is called.
    let address = '127.0.0.1'
    const outgoing = createOutgoing({
      allowPrivateAddresses: false,
      userAgent: 'posthorn-test',
      isPublic: (one) => one === '127.0.0.1',
      resolve: async () => [{ address, family: 4 }],
    })
    t.after(() => outgoing.close())
    await outgoing.assertUrlAllowed(`http://changes.example:${port}/`)
    address = '127.0.0.2'
    const signal = new AbortController().signal
    const request = { method: 'GET', url: new URL(`http://changes.example:${port}/`), headers: {}, body: null }
    assert.deepEqual(await createFunctionHttp({ outgoing }).call(ONE, request, signal), refused)
    assert.equal(hits, 0)
  })

  it('follows no redirect', async (t) => {
    let hits = 0
    const port = await serve(t, (_, response) => {
      hits += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const answer = await functions(t)(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    assert.deepEqual([answer.isAnswered && answer.statusCode, hits], [307, 1])
  })

  it('ends in time when the body never does, and says that the outcome is open', async (t) => {
    const port = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.write('a')
    })
    const answer = await functions(t, {}, { timeoutMs: 100 })(`http://127.0.0.1:${port}/`)
    assert.deepEqual(answer, { isAnswered: false, isNotSent: false, reason: 'timeout' })
  })

  it('reads 64 KiB of an endless answer and cuts the connection', async (t) => {
    let isClosed = false
    const port = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const part = 'é'.repeat(8_192)
      const more = () => {
        if (!isClosed && response.write(part)) setImmediate(more)
      }
      response.on('drain', more).on('close', () => {
        isClosed = true
      })
      more()
    })
    const answer = await functions(t)(`http://127.0.0.1:${port}/`)
    assert.deepEqual(
      [answer.isAnswered && answer.isCut, answer.isAnswered && answer.text],
      [true, 'é'.repeat(65_536 / 2)],
    )
    while (!isClosed) await new Promise((resolve) => setImmediate(resolve))
  })

  it('knows whether a request has left: a server that is away from one that broke off', async (t) => {
    const port = await serve(t, (request) => request.socket.destroy())
    const call = functions(t)
    assert.deepEqual(await call(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }), {
      isAnswered: false,
      isNotSent: false,
      reason: 'broken',
    })
    assert.deepEqual(await call('http://127.0.0.1:1/'), { isAnswered: false, isNotSent: true, reason: 'unreachable' })
  })

  it('ends with the signal, and lets an instance wait only for itself', async (t) => {
    let underWay = 0
    const port = await serve(t, (request, response) => {
      if (request.url === '/fast') return void response.end()
      underWay += 1
      response.on('close', () => {
        underWay -= 1
      })
    })
    const call = functions(t, {}, { perInstanceMax: 1 })
    const stop = new AbortController()
    const slow = call(`http://127.0.0.1:${port}/slow`, {}, ONE, stop.signal)
    const behind = call(`http://127.0.0.1:${port}/fast`)
    const other = await call(`http://127.0.0.1:${port}/fast`, {}, TWO)
    assert.equal(other.isAnswered, true)
    while (underWay === 0) await new Promise((resolve) => setImmediate(resolve))
    stop.abort(new Error('The turn was cancelled.'))
    await assert.rejects(slow, /The turn was cancelled/)
    assert.equal((await behind).isAnswered, true)
    while (underWay > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})
