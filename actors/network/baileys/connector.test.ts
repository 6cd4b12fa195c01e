import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { TLSSocket } from 'node:tls'
import { newAuthority } from '../../../sandbox/media/authority.js'
import { lastingPort } from '../../../test/support/port.js'
import { Connector, reset } from './connector.js'

describe('a connection that is reset', () => {
  it('leaves no bytes to the kernel, while a closed one does', async (t) => {
    const closed = await bytesAfter(t, plainPair, (socket) => socket.destroy())
    const dropped = await bytesAfter(t, plainPair, reset)
    assert.ok(dropped < closed / 2, `${dropped} of ${closed} bytes arrived`)
  })

  it('leaves no bytes to the kernel under TLS', async (t) => {
    const closed = await bytesAfter(t, securePair, (socket) => socket.destroy())
    const dropped = await bytesAfter(t, securePair, reset)
    assert.ok(dropped < closed / 2, `${dropped} of ${closed} bytes arrived`)
  })

  it('is closed if it cannot be reset', async (t) => {
    const [near, far] = await plainPair(t)
    const secure = new TLSSocket(near)
    reset(secure)
    far.resume()
    await once(far, 'close')
    reset(undefined)
  })
})

describe('a connection', () => {
  it('fails with the reason if nobody listens, or if nobody has signed the certificate', async (t) => {
    const port = await lastingPort()
    await assert.rejects(opened(port), { code: 'ECONNREFUSED' })
    const { port: strange } = await secureServer(t)
    await assert.rejects(opened(strange), /certificate/)
  })
})

/** How much arrives of what the kernel has taken, when the way was blocked and the sender ends meanwhile. */
async function bytesAfter(
  t: TestContext,
  pair: (t: TestContext) => Promise<[near: Socket, far: Socket]>,
  end: (near: Socket) => void,
): Promise<number> {
  const [near, far] = await pair(t)
  far.pause()
  near.on('error', () => {})
  for (let stands = 0, before = -1; stands < 5; ) {
    if (near.writableLength < 2 ** 20) near.write(Buffer.alloc(2 ** 20))
    await new Promise((resolve) => setTimeout(resolve, 10))
    const taken = near.bytesWritten - near.writableLength
    stands = taken === before ? stands + 1 : 0
    before = taken
  }
  end(near)
  await once(near, 'close')
  let bytes = 0
  far.on('error', () => {})
  far.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  // Since Node.js 24 the far end reads the reset itself as an error, which `once` of node:events would throw.
  const closed = new Promise((resolve) => far.once('close', resolve))
  far.resume()
  await closed
  return bytes
}

async function plainPair(t: TestContext): Promise<[Socket, Socket]> {
  const server = createServer({ pauseOnConnect: true })
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [far] = (await once(server, 'connection')) as [Socket]
  return [near, far]
}

async function securePair(t: TestContext): Promise<[Socket, Socket]> {
  const { server, port, ca } = await secureServer(t)
  const arrives = once(server, 'secureConnection')
  const near = await opened(port, ca)
  const [far] = (await arrives) as [Socket]
  far.removeAllListeners('data')
  return [near, far]
}

async function secureServer(t: TestContext) {
  const { ca, issue } = newAuthority()
  const server = createSecureServer(issue())
  server.removeAllListeners('secureConnection')
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, ca, port: (server.address() as AddressInfo).port }
}

async function opened(port: number, ca?: string): Promise<TLSSocket> {
  const socket = new Connector().createConnection({ host: '127.0.0.1', port, ...(ca === undefined ? {} : { ca }) })
  await once(socket, 'secureConnect')
  return socket
}
