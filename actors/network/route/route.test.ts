import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { Agent, request } from 'undici'
import { WebSocket, WebSocketServer } from 'ws'
import { newAuthority } from '../../../sandbox/media/authority.js'
import {
  type ProxyMode,
  type ProxyServer,
  type ProxyServerOptions,
  startProxyServer,
} from '../../../sandbox/proxies/proxy-server.js'
import type { ProxySettings } from '../../../schemas/proxy.js'
import { ProxyFailure } from './proxy-failure.js'
import { createRoutes, type Routes } from './routes.js'
import { failureCode, type Resolvers } from './tunnel.js'

const LOCAL = [{ address: '127.0.0.1', family: 4 }]
const resolvers: Resolvers = { proxy: async () => LOCAL, target: async () => LOCAL }
const authority = newAuthority()

describe('a route through a proxy', () => {
  for (const scheme of ['http', 'socks5', 'socks5h'] as const) {
    it(`carries websockets and requests, over TLS and without, with a password: ${scheme}`, async (t) => {
      const proxy = await startProxy(t, scheme)
      const plain = await network(t, false)
      const secure = await network(t, true)
      for (const { url, isSecure } of [plain, secure]) {
        const route = routes({ websocket: url }).open('owner', settings(scheme, proxy))
        t.after(() => route.close())
        const socket = new WebSocket(url.href, { agent: route.agent as never })
        await once(socket, 'open')
        socket.close()
        assert.deepEqual(route.view(), { via: 'proxy', failure: null, sinceMs: null })
        if (!isSecure) continue
        const { body } = await request(`https://localhost:${url.port}/`, { dispatcher: route.dispatcher })
        assert.equal(await body.text(), 'here')
      }
      assert.equal(plain.beside(proxy) + secure.beside(proxy), 0)
      // A name is resolved at the proxy, except where its user wants it here.
      const named = proxy.targets.at(-1)
      assert.equal(named?.host, scheme === 'socks5' ? '127.0.0.1' : 'localhost')
    })
  }

  it('keeps its TLS certificate apart from that of the network: https', async (t) => {
    // The test process trusts the authorities of Node.js only, so the handshake with the proxy fails, and says so.
    const proxy = await startProxyServer({ scheme: 'https', tls: authority.issue() })
    t.after(() => proxy.close())
    const { url } = await network(t, false)
    await rejects(routes({ websocket: url }).test('', `https://localhost:${proxy.port}`), 'tls', /TLS with the proxy/)
    assert.equal(proxy.targets.length, 0)
  })

  it('opens nothing beside the proxy when it fails, unless its settings say so', async (t) => {
    const proxy = await startProxy(t, 'http')
    const other = await startProxy(t, 'socks5')
    const { url, beside } = await network(t, false)
    await proxy.die()
    const open = async (fallback: string) => {
      const route = routes({ websocket: url }).open('owner', { ...settings('http', proxy), fallback })
      t.after(() => route.close())
      const socket = new WebSocket(url.href, { agent: route.agent as never })
      const outcome = await once(socket, 'open').then(
        () => null,
        (error: unknown) => error,
      )
      socket.terminate()
      return { outcome, view: route.view() }
    }
    const never = await open('never')
    assert.ok(never.outcome instanceof ProxyFailure && never.outcome.stage === 'connect', String(never.outcome))
    assert.equal(beside(proxy), 0)
    const through = await open(settings('socks5h', other).url)
    assert.deepEqual([through.outcome, through.view.via], [null, 'fallback'])
    assert.match(through.view.failure ?? '', /no connection to the proxy \(ECONNREFUSED\)/)
    assert.equal(beside(other), 0)
    const direct = await open('none')
    assert.deepEqual([direct.outcome, direct.view.via], [null, 'none'])
    assert.equal(beside(other), 1)
  })

  it('is not taken when its address is private and that is not allowed', async (t) => {
    const { url } = await network(t, false)
    const refusing: Resolvers = {
      ...resolvers,
      proxy: () => Promise.reject(Object.assign(new Error('private'), { code: 'ADDRESS_REFUSED' })),
    }
    await rejects(routes({ websocket: url, resolvers: refusing }).test('', 'http://10.0.0.1:1'), 'address', /private/)
    const unknown: Resolvers = {
      ...resolvers,
      proxy: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
    }
    await rejects(routes({ websocket: url, resolvers: unknown }).test('', 'http://nowhere:1'), 'dns', /ENOTFOUND/)
  })
})

describe('the test of a proxy', () => {
  it('passes for a good one, with TLS to each host', async (t) => {
    for (const scheme of ['http', 'socks5h'] as const) {
      const proxy = await startProxy(t, scheme)
      const [{ url }, media] = [await network(t, true), await network(t, true)]
      await routes({ websocket: url, media: media.url }).test('', settings(scheme, proxy).url)
      assert.equal(proxy.targets.length, 2)
      assert.equal(media.beside(proxy), 0)
    }
  })

  it('names a wrong password, and shows none', async (t) => {
    for (const scheme of ['http', 'socks5'] as const) {
      const proxy = await startProxy(t, scheme)
      const { url } = await network(t, false)
      for (const credentials of ['user:wrong-secret@', 'wrong-secret@', '']) {
        const error = await rejects(
          routes({ websocket: url }).test('', `${scheme}://${credentials}127.0.0.1:${proxy.port}`),
          'auth',
          /refuses the user or the password/,
        )
        assert.doesNotMatch(`${error.message} ${JSON.stringify(error)} ${error.stack}`, /secret/)
      }
      assert.equal(proxy.targets.length, 0)
    }
  })

  it('names what a broken proxy does wrong, in bounded time and memory', async (t) => {
    const { url } = await network(t, false)
    const wrong: readonly [ProxyMode, 'http' | 'socks5', string][] = [
      ['rubbish', 'http', 'answer'],
      ['rubbish', 'socks5', 'answer'],
      ['endless', 'http', 'answer'],
      ['endless', 'socks5', 'answer'],
      ['hangs-up', 'http', 'answer'],
      ['hangs-up', 'socks5', 'answer'],
      ['refuses', 'http', 'refused'],
      ['refuses', 'socks5', 'refused'],
      ['silent', 'http', 'timeout'],
      ['silent', 'socks5', 'timeout'],
      ['slow', 'http', 'timeout'],
      ['slow', 'socks5', 'timeout'],
      ['swallows', 'http', 'answer'],
    ]
    const before = process.memoryUsage().rss
    await Promise.all(
      wrong.map(async ([mode, scheme, stage]) => {
        const proxy = await startProxy(t, scheme)
        proxy.mode = mode
        const began = performance.now()
        await rejects(routes({ websocket: url }).test('', settings(scheme, proxy).url), stage, /127\.0\.0\.1/)
        assert.ok(performance.now() - began < 60_000, `${mode} ${scheme}`)
      }),
    )
    assert.ok(process.memoryUsage().rss - before < 150 * 2 ** 20)
  })

  it('names a host behind the proxy whose certificate is not right', async (t) => {
    const proxy = await startProxy(t, 'http')
    const { url } = await network(t, true)
    await rejects(
      routes({ websocket: url, authority: newAuthority().ca }).test('', settings('http', proxy).url),
      'tls',
      /TLS with localhost failed through the proxy/,
    )
  })
})

it('a proxy gets a host name of its own length limit, and a longer one is refused before it', async (t) => {
  const proxy = await startProxy(t, 'socks5')
  const long = new URL(
    `ws://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(10)}/`,
  )
  await rejects(routes({ websocket: long }).test('', settings('socks5h', proxy).url), 'refused', /too long/)
})

async function rejects(work: Promise<unknown>, stage: string, message: RegExp): Promise<Error> {
  const error = await work.then(
    () => assert.fail('It was not refused.'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ProxyFailure, failureCode(error))
  assert.equal(error.stage, stage, error.message)
  assert.match(error.message, message)
  return error
}

async function startProxy(t: TestContext, scheme: 'http' | 'socks5' | 'socks5h'): Promise<ProxyServer> {
  const options: ProxyServerOptions = {
    scheme: scheme === 'http' ? 'http' : 'socks5',
    username: 'us er',
    password: 'p@ss:word',
    route: ({ port }) => ({ host: '127.0.0.1', port }),
  }
  const proxy = await startProxyServer(options)
  t.after(() => proxy.close())
  return proxy
}

function settings(scheme: string, { port }: ProxyServer): ProxySettings {
  return { url: `${scheme}://us%20er:p%40ss%3Aword@127.0.0.1:${port}`, fallback: 'never' }
}

function routes({
  websocket,
  media = null,
  resolvers: given = resolvers,
  authority: ca = authority.ca,
}: {
  websocket: URL
  media?: URL | null
  resolvers?: Resolvers
  authority?: string
}): Routes {
  return createRoutes({
    websocketUrl: websocket,
    mediaUrl: media,
    certificateAuthority: ca,
    agent: undefined,
    dispatcher: new Agent(),
    resolvers: given,
  })
}

/** A server that answers requests and websockets, and knows who came beside a proxy. */
async function network(t: TestContext, isSecure: boolean) {
  const ports: number[] = []
  const server = isSecure ? createSecureServer(authority.issue()) : createServer()
  const http = isSecure ? server : (await import('node:http')).createServer()
  http.on('connection', (socket: Socket) => void ports.push(socket.remotePort ?? 0))
  http.on('request', (_request, response) => response.end('here'))
  const sockets = new WebSocketServer({ server: http as never })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.after(() => {
    for (const client of sockets.clients) client.terminate()
    http.close()
    if ('closeAllConnections' in http) (http as { closeAllConnections(): void }).closeAllConnections()
  })
  const { port } = http.address() as AddressInfo
  return {
    url: new URL(`${isSecure ? 'wss' : 'ws'}://localhost:${port}/`),
    isSecure,
    beside: (proxy: ProxyServer) => ports.filter((one) => !proxy.ports.has(one)).length,
  }
}
