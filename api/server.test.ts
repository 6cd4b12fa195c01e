import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { adminToken, startFakeNode, token } from '../test/support/fake-node.js'

/** Sends bytes as they are and resolves with all that comes back until the connection ends or `until` is seen. */
async function raw(port: number, text: string, until: RegExp): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').write(text)
  for await (const chunk of socket as AsyncIterable<string>) {
    answer += chunk
    if (until.test(answer)) break
  }
  socket.destroy()
  return answer
}

const head = (more: string): string => `POST /send/text HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`

describe('a body that is announced as too large', () => {
  it('is refused before a byte of it is sent', async (t) => {
    const node = await startFakeNode(t)
    const answer = await raw(node.port, head(`token: ${token}\r\nContent-Length: 100000000`), /\}$/)
    assert.match(answer, /^HTTP\/1.1 413 /)
    assert.match(answer, /"code":"BODY_TOO_LARGE"/)
  })

  it('is refused for its token first', async (t) => {
    const node = await startFakeNode(t)
    const answer = await raw(node.port, head('token: wrong\r\nContent-Length: 100000000'), /\}$/)
    assert.match(answer, /^HTTP\/1.1 401 /)
  })

  it('is not invited when the caller asks first', async (t) => {
    const node = await startFakeNode(t)
    const refused = head('token: wrong\r\nContent-Length: 50\r\nExpect: 100-continue')
    assert.match(await raw(node.port, refused, /\}$/), /^HTTP\/1.1 401 /)
    const invited = head(`token: ${token}\r\nContent-Length: 50\r\nExpect: 100-continue`)
    assert.match(await raw(node.port, invited, /\r\n\r\n/), /^HTTP\/1.1 100 /)
  })
})

describe('a body without a length', () => {
  it('is cut off where it grows too large', async (t) => {
    const node = await startFakeNode(t, { bodyBytesMax: 1_000 })
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`
    const answer = await raw(node.port, head(`token: ${token}\r\nTransfer-Encoding: chunked`) + chunk + chunk, /\}$/)
    assert.match(answer, /^HTTP\/1.1 413 /)
  })

  it('is answered with 408 when it does not come', async (t) => {
    const node = await startFakeNode(t, { requestTimeoutMs: 300, headersTimeoutMs: 300 })
    const answer = await raw(node.port, head(`token: ${token}\r\nContent-Length: 10`), /\}$/)
    assert.match(answer, /^HTTP\/1.1 408 /)
    assert.match(answer, /"code":"REQUEST_TIMEOUT"/)
  })
})

describe('data that is not HTTP', () => {
  it('is answered with 400, as JSON', async (t) => {
    const node = await startFakeNode(t)
    assert.match(await raw(node.port, 'HELLO\r\n\r\n', /\}$/), /^HTTP\/1.1 400 [\s\S]*"code":"MALFORMED_HTTP"/)
  })

  it('is answered with 431 when the headers are too large', async (t) => {
    const node = await startFakeNode(t)
    const answer = await raw(node.port, head(`x: ${'y'.repeat(30_000)}`), /\}$/)
    assert.match(answer, /^HTTP\/1.1 431 [\s\S]*"code":"HEADERS_TOO_LARGE"/)
  })
})

describe('when the API is about to close', () => {
  it('calls are taken still, on connections old and new, and each answer ends its connection', async (t) => {
    const node = await startFakeNode(t)
    const former = (await node.call('/health')).headers.get('connection')
    node.dismiss()
    for (let count = 0; count < 2; count += 1) {
      const { status, headers } = await node.call('/health')
      assert.deepEqual([status, former, headers.get('connection')], [200, 'keep-alive', 'close'])
    }
  })
})

describe('when the API closes', () => {
  it('open event streams end as complete answers, and nothing is left open', async (t) => {
    const node = await startFakeNode(t)
    const answer = await fetch(`${node.url}/sse?token=${token}`)
    const reader = answer.body?.getReader()
    assert.equal(new TextDecoder().decode((await reader?.read())?.value), ': hello\n\n')
    await node.close()
    assert.equal((await reader?.read())?.done, true)
    await assert.rejects(fetch(`${node.url}/health`))
  })

  it('a call under way is finished first', async (t) => {
    const node = await startFakeNode(t)
    const body = JSON.stringify({ number: '5511999990002', text: 'a' })
    const socket = connect(node.port, '127.0.0.1')
    socket.setEncoding('utf8').write(head(`token: ${token}\r\nContent-Length: ${body.length}`))
    while (node.lookups.count === 0) await delay(1)
    const closed = node.close()
    socket.write(body)
    const [answer] = (await once(socket, 'data')) as [string]
    assert.match(answer, /^HTTP\/1.1 200 /)
    await closed
  })
})

describe('when there are as many connections as are held at once', () => {
  it('idle ones of the address that has the most make room, and calls under way continue', async (t) => {
    const node = await startFakeNode(t, { connectionsMax: 20, fairTurn: () => held })
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const body = 'Content-Length: 2'
    const underWay = raw(node.port, `${head(`token: ${token}\r\n${body}`)}{}`, /\}$/)
    // A stranger of another address opens all that it can, and says nothing.
    const idle = Array.from({ length: 30 }, () =>
      connect({ port: node.port, host: '127.0.0.1', localAddress: '127.0.0.2' }),
    )
    t.after(() => idle.forEach((socket) => void socket.destroy()))
    for (const socket of idle) socket.on('error', () => {})
    await Promise.all(idle.map((socket) => new Promise((done) => socket.once('connect', done).once('close', done))))
    for (let times = 0; times < 5; times += 1)
      assert.match(await raw(node.port, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n', /\}$/), /^HTTP\/1.1 200 /)
    go()
    assert.match(await underWay, /^HTTP\/1.1 400 /)
  })
})

describe('the body of a call that is refused before it has come', () => {
  it('is not read: the caller gets its answer, and the connection ends', async (t) => {
    const node = await startFakeNode(t)
    const socket = connect(node.port, '127.0.0.1')
    t.after(() => socket.destroy())
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    const closed = new Promise<void>((done) => socket.on('error', () => {}).once('close', () => done()))
    socket.write(head('token: wrong\r\nContent-Length: 1000000000'))
    const piece = Buffer.alloc(1_000_000, 'x')
    const pump = (): void => {
      while (!socket.destroyed && socket.bytesWritten < 200_000_000) if (!socket.write(piece)) return
    }
    socket.on('drain', pump)
    pump()
    await closed
    assert.match(answer, /^HTTP\/1.1 401 /)
    assert.match(answer, /\r\nConnection: close\r\n/i)
    // Bytes that the buffers of the system take.
    assert.ok(socket.bytesWritten - socket.writableLength < 50_000_000, `${socket.bytesWritten} bytes`)
  })
})

it('answers nothing from a store that is not the present one, but says how the node is', async (t) => {
  let isCurrent = false
  const node = await startFakeNode(t, { isStoreCurrent: () => isCurrent })
  const headers = { admintoken: adminToken }
  for (const [path, more] of [
    ['/message/find', { json: {} }],
    ['/instance/status', {}],
    ['/instance/all', { headers }],
    ['/instance/create', { json: { name: 'one' }, headers }],
  ] as const) {
    const { status, body } = await node.call(path, more)
    assert.deepEqual([status, body.code], [503, 'STORE_UNAVAILABLE'], path)
  }
  assert.deepEqual(node.touched, [])
  assert.equal((await node.call('/admin/nodes', { headers })).status, 200)
  isCurrent = true
  assert.equal((await node.call('/instance/status')).status, 200)
})
