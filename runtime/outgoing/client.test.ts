import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { GatewayError } from '../../schemas/errors.js'
import { createOutgoing, type OutgoingOptions } from './client.js'

const accept = '*/*'

async function serve(t: TestContext, listener: RequestListener, host = '127.0.0.1') {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, host, done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, requests, url: `http://${host}:${port}` }
}

function client(t: TestContext, options: Partial<OutgoingOptions> = {}) {
  const outgoing = createOutgoing({ allowPrivateAddresses: false, userAgent: 'posthorn-test', ...options })
  t.after(() => outgoing.close())
  return outgoing
}

const get = { accept, sizeMaxBytes: 10_000, timeoutMs: 1500 }
const refusedBy = (code: string) => (error: unknown) => error instanceof GatewayError && error.code === code

describe('a URL that leads inside', () => {
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0',
    '127.0.0.1.',
    '１２７.0.0.1',
    'localhost',
    'LOCALHOST.',
    'api.localhost',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '169.254.169.254',
    '100.64.0.1',
    '10.0.0.1',
  ]
  for (const host of hosts) {
    it(`is refused when it is configured and when it is fetched: ${host}`, async (t) => {
      const receiver = await serve(t, (_, response) => response.end())
      const outgoing = client(t)
      const url = `http://${host}:${receiver.port}/`
      await assert.rejects(outgoing.assertUrlAllowed(url), refusedBy('URL_NOT_ALLOWED'))
      await assert.rejects(outgoing.get(url, get), refusedBy('URL_NOT_ALLOWED'))
      const posted = await outgoing.post({ url: new URL(url), headers: {}, body: '{}', timeoutMs: 1500 })
      assert.deepEqual(posted, { answered: false, error: 'ADDRESS_REFUSED' })
      assert.deepEqual(receiver.requests, [])
    })
  }

  it('is refused when it is a name that resolves to an inner address, even beside a public one', async (t) => {
    const receiver = await serve(t, (_, response) => response.end())
    for (const address of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1']) {
      const outgoing = client(t, {
        resolve: async () => [
          { address: '8.8.8.8', family: 4 },
          { address, family: address.includes(':') ? 6 : 4 },
        ],
      })
      const url = `http://inside.example:${receiver.port}/`
      await assert.rejects(outgoing.assertUrlAllowed(url), refusedBy('URL_NOT_ALLOWED'))
      await assert.rejects(outgoing.get(url, get), refusedBy('URL_NOT_ALLOWED'))
      const posted = await outgoing.post({ url: new URL(url), headers: {}, body: '{}', timeoutMs: 1500 })
      assert.deepEqual(posted, { answered: false, error: 'ADDRESS_REFUSED' })
    }
    assert.deepEqual(receiver.requests, [])
  })

  it('is refused when a name was public when it was configured and leads inside afterwards', async (t) => {
    const receiver = await serve(t, (_, response) => response.end())
    let address = '8.8.8.8'
    const outgoing = client(t, { resolve: async () => [{ address, family: 4 }] })
    const url = await outgoing.assertUrlAllowed(`http://moving.example:${receiver.port}/`)
    address = '127.0.0.1'
    const posted = await outgoing.post({ url, headers: {}, body: '{}', timeoutMs: 1500 })
    assert.deepEqual(posted, { answered: false, error: 'ADDRESS_REFUSED' })
    assert.deepEqual(receiver.requests, [])
  })

  it('is refused even if its name was resolved a moment ago', async (t) => {
    let lookups = 0
    const outgoing = client(t, {
      resolve: async () => {
        lookups += 1
        return [{ address: '10.0.0.1', family: 4 }]
      },
    })
    for (let count = 0; count < 5; count += 1) {
      await assert.rejects(outgoing.get('http://inside.example/', get), refusedBy('URL_NOT_ALLOWED'))
    }
    assert.equal(lookups, 1)
  })

  it('is refused when a public page redirects to it', async (t) => {
    const inside = await serve(t, (_, response) => response.end('secret'), '127.0.0.2')
    const isPublic = (address: string) => address === '127.0.0.1'
    for (const target of [
      `http://127.0.0.2:${inside.port}/`,
      `http://2130706434:${inside.port}/`,
      `http://inside.example:${inside.port}/`,
      `//127.0.0.2:${inside.port}/`,
      'file:///etc/passwd',
      'http://user:secret@127.0.0.1/',
    ]) {
      const outside = await serve(t, (_, response) => response.writeHead(302, { location: target }).end())
      const outgoing = client(t, { isPublic, resolve: async () => [{ address: '127.0.0.2', family: 4 }] })
      await assert.rejects(outgoing.get(outside.url, get), refusedBy('URL_NOT_ALLOWED'), target)
      assert.equal(outside.requests.length, 1)
    }
    assert.deepEqual(inside.requests, [])
  })

  it('is reached when private addresses are allowed', async (t) => {
    const receiver = await serve(t, (_, response) => response.end('ok'))
    const outgoing = client(t, { allowPrivateAddresses: true })
    for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
      const url = `http://${host}:${receiver.port}/`
      await outgoing.assertUrlAllowed(url)
      assert.equal((await outgoing.get(url, get)).body.toString(), 'ok')
    }
  })
})

describe('a URL that is none of ours to call', () => {
  for (const url of [
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '',
    'http://',
    'no url',
    'http://a:b@8.8.8.8/',
  ]) {
    it(`is refused whatever is allowed: ${url || '(empty)'}`, async (t) => {
      for (const allowPrivateAddresses of [true, false]) {
        const outgoing = client(t, { allowPrivateAddresses })
        await assert.rejects(outgoing.assertUrlAllowed(url), refusedBy('URL_NOT_ALLOWED'))
        await assert.rejects(outgoing.get(url, get), refusedBy('URL_NOT_ALLOWED'))
      }
    })
  }
})

describe('a fetch', () => {
  it('follows three redirects and no fourth', async (t) => {
    const site = await serve(t, (request, response) => {
      const left = Number(request.url!.slice(1))
      if (left === 0) response.end('there')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    const outgoing = client(t, { allowPrivateAddresses: true })
    assert.equal((await outgoing.get(`${site.url}/3`, get)).body.toString(), 'there')
    await assert.rejects(outgoing.get(`${site.url}/4`, get), refusedBy('FETCH_FAILED'))
  })

  it('does not take more than its size, compressed or not', async (t) => {
    const large = Buffer.alloc(50_000_000)
    const bodies: Record<string, [Buffer, Record<string, string>]> = {
      '/plain': [large.subarray(0, 1_000_000), {}],
      '/gzip': [gzipSync(large), { 'content-encoding': 'gzip' }],
      '/br': [brotliCompressSync(large.subarray(0, 5_000_000)), { 'content-encoding': 'br' }],
    }
    const site = await serve(t, (request, response) => {
      const [body, headers] = bodies[request.url!]!
      response.writeHead(200, headers).end(body)
    })
    const outgoing = client(t, { allowPrivateAddresses: true })
    for (const path of Object.keys(bodies)) {
      await assert.rejects(outgoing.get(site.url + path, { ...get, sizeMaxBytes: 60_000 }), refusedBy('FETCH_FAILED'))
      const cut = await outgoing.get(site.url + path, { ...get, sizeMaxBytes: 60_000, truncate: true })
      assert.equal(cut.body.length, 60_000)
    }
  })

  it('gives up on time when nothing or no end comes', async (t) => {
    const site = await serve(t, (request, response) => {
      if (request.url === '/drip') setInterval(() => response.write('.'), 20).unref()
    })
    const outgoing = client(t, { allowPrivateAddresses: true })
    for (const path of ['/silent', '/drip']) {
      await assert.rejects(outgoing.get(site.url + path, { ...get, timeoutMs: 200 }), refusedBy('FETCH_FAILED'))
    }
  })
})

describe('a post', () => {
  const sent = { headers: { 'x-key': 'a key' }, body: '{"a":1}', timeoutMs: 30_000, keepBytes: 100 }

  it('follows 307 and 308 to the same origin once, with its method, headers and body', async (t) => {
    const site = await serve(t, (request, response) => {
      const { url, headers } = request
      if (url === '/307') response.writeHead(307, { location: '/end?a=1' }).end('moved')
      else if (url === '/308') response.writeHead(308, { location: `http://${headers.host}/end` }).end()
      else request.pipe(response.writeHead(200, { 'x-had': String(headers['x-key']) }))
    })
    const outgoing = client(t, { allowPrivateAddresses: true })
    for (const path of ['/307', '/308']) {
      const posted = await outgoing.post({ ...sent, url: new URL(site.url + path) })
      assert.ok(posted.answered)
      const { statusCode, headers, body, redirectError } = posted
      assert.deepEqual([statusCode, headers['x-had'], body, redirectError], [200, 'a key', '{"a":1}', undefined])
    }
    assert.deepEqual(site.requests, ['POST /307', 'POST /end?a=1', 'POST /308', 'POST /end'])
  })

  it('follows no other redirect, and says why', async (t) => {
    const other = await serve(t, (_, response) => response.end())
    const answers: Record<string, { status: number; location?: string; why: RegExp }> = {
      '/twice': { status: 307, location: '/twice', why: /redirects twice/ },
      '/see': {
        status: 302,
        location: '/login',
        why: /\(302\) to http:\/\/127\.0\.0\.1:\d+\/login\. Only 307 and 308/,
      },
      '/post': { status: 303, location: '/login', why: /Only 307 and 308/ },
      '/port': { status: 307, location: other.url, why: /Only redirects to the same scheme, host and port/ },
      '/scheme': { status: 308, location: 'https://127.0.0.1/', why: /Only redirects to the same scheme/ },
      '/name': { status: 308, location: 'http://localhost/', why: /Only redirects to the same scheme/ },
      '/file': { status: 308, location: 'file:///etc/passwd', why: /Only redirects to the same scheme/ },
      '/nowhere': { status: 307, why: /\(307\) to no address/ },
      '/wrong': { status: 307, location: 'http://[', why: /\(307\) to no address/ },
      '/user': { status: 307, location: 'http://me:secret@HOST/', why: /is not allowed/ },
      '/long': { status: 307, location: `/${'x'.repeat(3_000)}`, why: /is not allowed/ },
    }
    const site = await serve(t, ({ url = '', headers }, response) => {
      const { status = 200, location } = answers[url] ?? {}
      const to = location?.replace('HOST', String(headers.host))
      response.writeHead(status, to === undefined ? {} : { location: to }).end()
    })
    const outgoing = client(t, { allowPrivateAddresses: true })
    for (const [path, { status, why }] of Object.entries(answers)) {
      const posted = await outgoing.post({ ...sent, url: new URL(site.url + path) })
      assert.ok(posted.answered, path)
      assert.equal(posted.statusCode, status)
      assert.match(String(posted.redirectError), why)
      assert.ok(!String(posted.redirectError).includes('secret') && String(posted.redirectError).length < 500)
    }
    assert.deepEqual(other.requests, [])
    assert.equal(site.requests.length, Object.keys(answers).length + 1)
  })

  it('keeps its connections for the next ones', async (t) => {
    const sockets = new Set<unknown>()
    const site = await serve(t, (request, response) => {
      sockets.add(request.socket)
      request.resume().on('end', () => response.end('thanks'))
    })
    const outgoing = client(t, { allowPrivateAddresses: true })
    for (let count = 0; count < 20; count += 1) {
      const posted = await outgoing.post({
        url: new URL(site.url),
        headers: {},
        body: '{}',
        timeoutMs: 1500,
        keepBytes: 3,
      })
      assert.equal(posted.answered && posted.body, 'tha')
    }
    // undici takes up a connection again one turn of the event loop after its answer, hence two.
    assert.ok(sockets.size <= 2)
  })

  it('is answered by the status when the receiver never stops talking, and cuts it off', async (t) => {
    const chunk = Buffer.alloc(65_536)
    let closed = false
    const site = await serve(t, (_, response) => {
      const talk = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', talk).on('close', () => {
        closed = true
      })
      talk()
    })
    const outgoing = client(t, { allowPrivateAddresses: true })
    const posted = await outgoing.post({ url: new URL(site.url), headers: {}, body: '{}', timeoutMs: 1500 })
    assert.equal(posted.answered && posted.statusCode, 200)
    while (!closed) await new Promise((done) => setImmediate(done))
  })

  it('names a refused connection and a silence', async (t) => {
    const site = await serve(t, () => {})
    const outgoing = client(t, { allowPrivateAddresses: true })
    const post = (url: string) => outgoing.post({ url: new URL(url), headers: {}, body: '{}', timeoutMs: 200 })
    assert.deepEqual(await post(site.url), { answered: false, error: 'TIMEOUT' })
    assert.deepEqual(await post('http://127.0.0.1:1/'), { answered: false, error: 'ECONNREFUSED' })
  })
})

describe('a download', () => {
  const options = { accept, sizeMaxBytes: 100_000, timeoutMs: 1_000 }
  const isOutside = { isPublic: (address: string) => address === '127.0.0.1' }
  const read = async (outgoing: ReturnType<typeof createOutgoing>, url: string) => {
    const parts: Uint8Array[] = []
    for await (const part of (await outgoing.download(url, options)).body) parts.push(part)
    return Buffer.concat(parts)
  }

  it('comes as a stream, over redirects', async (t) => {
    const bytes = Buffer.alloc(90_000, 1)
    const { url } = await serve(t, (request, response) =>
      request.url === '/a' ? response.writeHead(301, { location: '/b' }).end() : response.end(bytes),
    )
    assert.ok((await read(client(t, isOutside), `${url}/a`)).equals(bytes))
  })

  it('does not follow a redirect that leads inside', async (t) => {
    const inside = await serve(t, (_, response) => response.end('secret'), '127.0.0.2')
    const { url } = await serve(t, (_, response) => response.writeHead(302, { location: `${inside.url}/` }).end())
    await assert.rejects(read(client(t, isOutside), url), refusedBy('URL_NOT_ALLOWED'))
    assert.deepEqual(inside.requests, [])
  })

  it('ends where it is larger than allowed, announced or not, when it is cut short, and when it takes too long', async (t) => {
    const { url } = await serve(t, ({ url: path }, response) => {
      if (path === '/announced') response.writeHead(200, { 'content-length': '100001' }).write('a')
      else if (path === '/hidden') response.end(Buffer.alloc(100_001))
      else if (path === '/cut') {
        response.writeHead(200, { 'content-length': '1000' }).write('a')
        setTimeout(() => response.destroy(), 20)
      } else response.write('a')
    })
    const outgoing = client(t, isOutside)
    await assert.rejects(read(outgoing, `${url}/announced`), refusedBy('MEDIA_TOO_LARGE'))
    await assert.rejects(read(outgoing, `${url}/hidden`), refusedBy('MEDIA_TOO_LARGE'))
    await assert.rejects(read(outgoing, `${url}/cut`), refusedBy('FETCH_FAILED'))
    await assert.rejects(read(outgoing, `${url}/late`), refusedBy('FETCH_FAILED'))
  })
})
