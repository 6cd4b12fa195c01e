import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { listen, startFront } from './front.js'

const PHONES = [
  { number: '1', name: 'Ana' },
  { number: '2', name: 'Ben' },
]

async function serve(
  t: TestContext,
  handle: (asked: IncomingMessage, answer: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function start(t: TestContext) {
  const written: string[] = []
  const gatewayUrl = await serve(t, (asked, answer) => {
    if (asked.url === '/sse') {
      answer.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.write('data: first\n\n')
      return
    }
    const isPage = asked.url?.startsWith('/dashboard/') === true
    answer.writeHead(200, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json', etag: '"x"' })
    answer.end(isPage ? '<!doctype html><html lang="en">' : JSON.stringify({ method: asked.method, url: asked.url }))
  })
  const controlUrl = await serve(t, (asked, answer) => {
    if (asked.method === 'POST') written.push(asked.url ?? '')
    answer.end(JSON.stringify(asked.method === 'POST' ? { id: 'M1' } : [{ id: 'A', text: 'Hi', own: false, atMs: 5 }]))
  })
  const front = await startFront({ gatewayUrl, controlUrl, phones: PHONES, port: 0 })
  t.after(front.close)
  return { url: front.url, written }
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } }

describe('the front of the demo', () => {
  it('hands calls on, streams as they come, and marks only the page of the dashboard', async (t) => {
    const { url } = await start(t)
    const passed = await fetch(`${url}/send/text?x=1`, { ...POST, body: '{}' })
    assert.deepEqual(await passed.json(), { method: 'POST', url: '/send/text?x=1' })
    const stream = await fetch(`${url}/sse`)
    const { value } = (await stream.body?.getReader().read()) ?? {}
    assert.equal(new TextDecoder().decode(value), 'data: first\n\n')
    const page = await fetch(`${url}/dashboard/instances/i1`)
    assert.match(await page.text(), /<html data-demo lang="en">/)
    assert.equal(page.headers.get('etag'), null)
    assert.doesNotMatch(await (await fetch(`${url}/docs`)).text(), /data-demo/)
  })

  it('shows the phones of the demo, and writes on them alone', async (t) => {
    const { url, written } = await start(t)
    const write = (body: object) => fetch(`${url}/demo/phones`, { ...POST, body: JSON.stringify(body) })
    assert.equal((await write({ from: '1', to: '2', text: 'Hello' })).status, 200)
    assert.deepEqual(written, ['/phones/1/text'])
    const [ana] = (await (await fetch(`${url}/demo/phones`)).json()) as { messages: { text: string; own: boolean }[] }[]
    assert.deepEqual(
      ana?.messages.map(({ text, own }) => [text, own]),
      [
        ['Hi', false],
        ['Hello', true],
      ],
    )
    for (const body of [{ from: '3', to: '2', text: 'x' }, { from: '1', to: '../faults', text: 'x' }, {}])
      assert.equal((await write(body)).status, 400)
    assert.equal((await fetch(`${url}/demo/faults`)).status, 404)
    assert.equal(written.length, 1)
  })

  it('lets a phone scan the QR of a new instance, or type its code', async (t) => {
    const { url, written } = await start(t)
    const link = (body: object) => fetch(`${url}/demo/scan`, { ...POST, body: JSON.stringify(body) })
    assert.deepEqual(await (await link({ phone: '1', qr: '2@x' })).json(), { status: 'paired' })
    assert.equal((await link({ phone: '2', code: 'ABCD' })).status, 200)
    assert.deepEqual(written, ['/phones/1/scan', '/phones/2/code'])
    assert.equal((await link({ phone: '3', qr: '2@x' })).status, 400)
    assert.equal((await fetch(`${url}/demo/scan`)).status, 404)
    assert.equal(written.length, 2)
  })

  it('has port 3000 or the next free one', async (t) => {
    const [first, second] = [createServer(), createServer()]
    for (const server of [first, second]) {
      await listen(server, undefined)
      t.after(() => server.close())
    }
    const [one, other] = [first, second].map((server) => (server.address() as AddressInfo).port)
    assert.ok(one !== undefined && other !== undefined && one >= 3000 && other > one, `${one}, ${other}`)
    await assert.rejects(listen(createServer(), one), { code: 'EADDRINUSE' })
  })

  it('refuses pages of other sites and other names of this machine', async (t) => {
    const { url, written } = await start(t)
    const readStatus = async (headers: Record<string, string>, method = 'GET') => {
      const call = request(`${url}/demo/phones`, { method, headers })
      call.end(method === 'POST' ? '{"from":"1","to":"2","text":"x"}' : undefined)
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    }
    assert.equal(await readStatus({ host: 'evil.example' }), 403)
    assert.equal(await readStatus({ 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await readStatus({ 'content-type': 'text/plain' }, 'POST'), 403)
    assert.equal(await readStatus({ 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }, 'POST'), 200)
    assert.equal(written.length, 1)
  })
})
