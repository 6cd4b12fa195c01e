import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from '../../sandbox/index.js'
import { newAuthority } from '../../sandbox/media/authority.js'
import { type ProxyServer, type ProxyServerOptions, startProxyServer } from '../../sandbox/proxies/proxy-server.js'
import { writeCertificates } from '../support/certificates.js'
import { suiteCleanup } from '../support/cleanup.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { type Gateway, startGateway } from '../support/gateway.js'
import { startReceiver } from '../support/receiver.js'
import { jpeg } from '../support/samples.js'
import { createWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>
interface Shown extends Json {
  mode: string
  effective_mode: string
  proxy_url: string
  proxy_fallback: string
  fallback: { active: boolean; reason: string; code: string; since: number }
  validation_error: boolean
}

/** The gateway trusts it by NODE_EXTRA_CA_CERTS. */
const trusted = newAuthority()

const BEN = '15550770009'
const SECRET = 'a-very:secret@word'

describe('an instance with a proxy', () => {
  const cleanup = suiteCleanup()
  let sandbox: Sandbox
  let gateway: Gateway
  let world: World
  const all: ProxyServer[] = []
  before(async () => {
    sandbox = await startSandbox()
    cleanup.after(() => sandbox.close())
    const { caFile } = writeCertificates(testFolder(cleanup), trusted)
    gateway = await startGateway(cleanup, {
      sandbox,
      env: {
        NODE_EXTRA_CA_CERTS: caFile,
        WA_MEDIA_HOST: sandbox.network.media.connection.hostname,
        RECONNECT_DELAY_MAX_MS: '300',
        PARK_TIMEOUT_MS: '500',
      },
    })
    world = createWorld(sandbox, gateway)
    await world.phone(BEN, 'Ben')
  })

  const startProxyFor = async (options: Partial<ProxyServerOptions> = {}) => {
    const proxy = await startProxyServer({ scheme: 'http', username: 'ana', password: SECRET, ...options })
    cleanup.after(() => proxy.close())
    all.push(proxy)
    return proxy
  }
  const formatUrl = ({ port }: ProxyServer, scheme = 'http', password = SECRET) =>
    `${scheme}://ana:${encodeURIComponent(password)}@127.0.0.1:${port}`
  const set = async (instance: TestInstance, body: Json) => {
    const answer = await instance.call<{ proxy: Shown; restart_requested: boolean }>('POST', '/instance/proxy', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const shown = async (instance: TestInstance) => (await instance.call<Shown>('GET', '/instance/proxy')).body
  /** Connections to the network since a moment that came through no proxy. */
  const beside = (since: number) =>
    sandbox.network.log.arrivals
      .slice(since)
      .filter(({ port }) => !all.some(({ ports }) => ports.has(port)))
      .map(({ to }) => to)
  const reason = async (instance: TestInstance) => String((await instance.status()).instance.lastDisconnectReason)
  /** Pairs an instance that has its proxy from the start. */
  const pairedThrough = async (number: string, body: Json) => {
    await world.phone(number, `phone ${number}`)
    const made = await world.instance('with a proxy', number)
    await set(made, body)
    await pair(made, number)
    return made
  }
  const pair = async (made: TestInstance, number: string) => {
    const code = await made.call<{ instance: { paircode: string } }>('POST', '/instance/connect', { phone: number })
    assert.equal(code.status, 200, JSON.stringify(code.body))
    await world.network('POST', `/phones/${number}/code`, { code: code.body.instance.paircode })
    await made.connected()
  }

  it('sends and fetches everything through it: pairing, messages, files, parts of the history, app state', async () => {
    const proxy = await startProxyFor()
    const receiver = await startReceiver(cleanup)
    sandbox.network.blobsOnMediaHost = true
    const [ANA, since] = ['15550770001', sandbox.network.log.arrivals.length]
    await world.phone(ANA, 'Ana')
    const chat = { id: BEN, name: 'Ben', messages: [{ text: 'from the history', timestamp: 1_700_000_000 }] }
    await world.network('PUT', `/phones/${ANA}/history`, { chats: [chat] })
    const ana = await world.instance('ana', ANA)
    await ana.hook(receiver.url)
    assert.equal((await set(ana, { enable: true, proxy_url: formatUrl(proxy) })).restart_requested, false)
    await pair(ana, ANA)

    await eventually(
      () => ana.call<{ messages: Json[] }>('POST', '/message/find', { chatid: BEN }),
      ({ body }) => body.messages.some(({ text }) => text === 'from the history'),
    )
    await world.network('POST', `/phones/${ANA}/chats`, { chat: BEN, archived: true })
    await eventually(
      () => ana.call<{ chats: Json[] }>('POST', '/chat/find', { phone: BEN }),
      ({ body }) => body.chats[0]?.wa_archived === true,
    )
    const image = (await jpeg()).toString('base64')
    const sent = await ana.call('POST', '/send/media', { number: BEN, type: 'image', file: image })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/media`, { to: ANA, kind: 'image' })
    await eventually(
      () => ana.call<{ messages: Json[] }>('POST', '/message/find', { id }),
      ({ body }) => body.messages.length === 1,
    )
    const file = await ana.call<{ base64Data: string }>('POST', '/message/download', { id, return_base64: true })
    assert.equal(file.status, 200, JSON.stringify(file.body))
    await eventually(() => receiver.of('messages').length > 0)
    sandbox.network.blobsOnMediaHost = false

    assert.deepEqual(beside(since), [])
    const kinds = new Set(sandbox.network.log.arrivals.slice(since).map(({ to }) => to))
    assert.deepEqual(kinds, new Set(['websocket', 'media']))
    // Webhooks are the gateway's own traffic.
    const ports = new Set(proxy.targets.map(({ port }) => port))
    assert.ok(!ports.has(Number(new URL(receiver.url).port)))
    const now = await shown(ana)
    assert.deepEqual([now.mode, now.effective_mode, now.validation_error], ['custom', 'custom', false])
    assert.equal(now.proxy_url, `http://ana:***@127.0.0.1:${proxy.port}`)
    assert.doesNotMatch(`${JSON.stringify(now)}${gateway.output()}`, /a-very/)
  })

  it('takes a new proxy, and none, by a new connection, without losing a message', async () => {
    const [first, second] = [await startProxyFor(), await startProxyFor({ scheme: 'socks5' })]
    const ana = await pairedThrough('15550770002', { mode: 'custom', proxy_url: formatUrl(first) })
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
    const sending = Promise.all(
      texts.map((text) => world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text })),
    )
    const since = sandbox.network.log.arrivals.length
    const changed = await set(ana, { mode: 'custom', proxy_url: formatUrl(second, 'socks5h') })
    assert.equal(changed.restart_requested, true)
    await sending
    await ana.connected()
    await eventually(
      () => ana.call<{ messages: Json[] }>('POST', '/message/find', { chatid: BEN, limit: 100 }),
      ({ body }) => texts.every((text) => body.messages.filter((one) => one.text === text).length === 1),
    )
    assert.ok(second.targets.length >= 2)
    assert.deepEqual(beside(since), [])
    // The shown settings may be sent back: the password stays.
    await set(ana, { mode: 'custom', proxy_url: (await shown(ana)).proxy_url })
    await ana.connected()

    const removed = await ana.call<{ proxy: Shown }>('DELETE', '/instance/proxy')
    assert.deepEqual([removed.status, removed.body.proxy.mode, removed.body.proxy.proxy_url], [200, 'none', ''])
    await ana.connected()
    assert.deepEqual(beside(since), ['websocket'])
    assert.equal((await shown(ana)).effective_mode, 'none')
    await ana.text(BEN, 'without a proxy')
    const again = await ana.call('POST', '/instance/proxy', { mode: 'none', confirm_no_proxy: true })
    assert.deepEqual([again.status, again.body.restart_requested], [200, false])
  })

  it('reaches everything through a proxy with TLS whose certificate is trusted, and nothing through one for another host', async () => {
    const proxy = await startProxyFor({ scheme: 'https', tls: trusted.issue('127.0.0.1') })
    const since = sandbox.network.log.arrivals.length
    const ana = await pairedThrough('15550770010', { mode: 'custom', proxy_url: formatUrl(proxy, 'https') })
    // Files are TLS within TLS.
    await ana.done('/send/media', { number: BEN, type: 'image', file: (await jpeg()).toString('base64') })
    assert.deepEqual(beside(since), [])
    const hosts = new Set(sandbox.network.log.arrivals.slice(since).map(({ to }) => to))
    assert.deepEqual(hosts, new Set(['websocket', 'media']))
    const other = await startProxyFor({ scheme: 'https', tls: trusted.issue('proxy.example') })
    const body = { mode: 'custom', proxy_url: formatUrl(other, 'https') }
    const refused = await ana.call('POST', '/instance/proxy', body)
    assert.deepEqual([refused.status, refused.body.stage], [502, 'tls'], JSON.stringify(refused.body))
    assert.match(String(refused.body.error), /ALTNAME/)
    assert.equal((await shown(ana)).proxy_url, `https://ana:***@127.0.0.1:${proxy.port}`)
    await ana.call('POST', '/instance/disconnect')
  })

  it('waits with the reason while its proxy is dead, alone, and comes back by itself', async () => {
    const proxy = await startProxyFor()
    const ana = await pairedThrough('15550770003', { mode: 'custom', proxy_url: formatUrl(proxy) })
    const eve = await world.paired('15550770004', 'Eve')
    const since = sandbox.network.log.arrivals.length
    await proxy.die()
    await eventually(
      () => reason(ana),
      (text) => text.includes(`127.0.0.1:${proxy.port}: no connection to the proxy (ECONNREFUSED)`),
    )
    const { status } = (await ana.status()).instance
    assert.equal(status, 'connecting')
    const now = await shown(ana)
    assert.deepEqual([now.effective_mode, now.validation_error, now.fallback.active], ['disconnected', true, false])
    assert.ok(now.fallback.since > 0)
    const refused = await ana.call('POST', '/send/text', { number: BEN, text: 'x' })
    assert.equal(refused.status, 503)
    assert.match(String(refused.body.error), /no connection to the proxy/)
    await eve.text(BEN, 'others continue')
    // A restarted node uses the proxy too.
    await gateway.kill('SIGKILL')
    await gateway.start()
    await eve.connected()
    await eventually(
      () => reason(ana),
      (text) => text.includes('no connection to the proxy'),
    )
    await proxy.revive()
    await ana.connected()
    await ana.text(BEN, 'back')
    // The others connected without a proxy: this one, and that of the test before.
    assert.deepEqual(beside(since), ['websocket', 'websocket'])
    assert.equal((await shown(ana)).validation_error, false)
    await eve.call('POST', '/instance/disconnect')
  })

  it('goes another way while its proxy fails only if its owner has said so', async () => {
    const [proxy, spare] = [await startProxyFor(), await startProxyFor({ scheme: 'socks5' })]
    const body = { mode: 'custom', proxy_url: formatUrl(proxy) }
    const ana = await pairedThrough('15550770005', { ...body, proxy_fallback: formatUrl(spare, 'socks5') })
    const since = sandbox.network.log.arrivals.length
    await proxy.die()
    await eventually(
      () => shown(ana),
      ({ fallback }) => fallback.active && fallback.reason.includes('ECONNREFUSED'),
    )
    await ana.connected()
    assert.deepEqual(beside(since), [])
    const now = await shown(ana)
    assert.equal(now.fallback.code, 'connect')
    assert.equal(now.proxy_fallback, `socks5://ana:***@127.0.0.1:${spare.port}`)
    await proxy.revive()
    const unsure = await ana.call('POST', '/instance/proxy', { ...body, proxy_fallback: 'none' })
    assert.deepEqual([unsure.status, unsure.body.code], [400, 'INVALID_REQUEST'])
    await set(ana, { ...body, proxy_fallback: 'none', confirm_no_proxy: true })
    await ana.connected()
    await proxy.die()
    await eventually(
      () => shown(ana),
      ({ effective_mode, fallback }) => effective_mode === 'none' && fallback.active,
    )
    assert.deepEqual(beside(since), ['websocket'])
  })

  it('keeps its proxy when a new one fails its test, and reports the failed step', async () => {
    const proxy = await startProxyFor()
    const ana = await pairedThrough('15550770006', { mode: 'custom', proxy_url: formatUrl(proxy) })
    const dead = await startProxyFor()
    await dead.die()
    const refuses = await startProxyFor()
    refuses.mode = 'refuses'
    const rubbish = await startProxyFor({ scheme: 'socks5' })
    rubbish.mode = 'rubbish'
    const unsigned = await startProxyFor({ scheme: 'https', tls: newAuthority().issue('127.0.0.1') })
    const before = await shown(ana)
    const logins = () => sandbox.network.log.logins.length
    const loginsBefore = logins()
    const cases: readonly [Json, number, string, string?][] = [
      [{ mode: 'custom', proxy_url: formatUrl(proxy, 'http', 'wrong') }, 502, 'PROXY_FAILED', 'auth'],
      [{ mode: 'custom', proxy_url: formatUrl(dead) }, 502, 'PROXY_FAILED', 'connect'],
      [{ mode: 'custom', proxy_url: formatUrl(refuses) }, 502, 'PROXY_FAILED', 'refused'],
      [{ mode: 'custom', proxy_url: formatUrl(rubbish, 'socks5h') }, 502, 'PROXY_FAILED', 'answer'],
      [{ mode: 'custom', proxy_url: formatUrl(unsigned, 'https') }, 502, 'PROXY_FAILED', 'tls'],
      [{ mode: 'custom', proxy_url: 'http://no-such-host.invalid:1' }, 502, 'PROXY_FAILED', 'dns'],
      [
        { mode: 'custom', proxy_url: formatUrl(proxy), proxy_fallback: formatUrl(dead) },
        502,
        'PROXY_FAILED',
        'connect',
      ],
      [{ mode: 'custom', proxy_url: 'socks://h:1' }, 400, 'INVALID_REQUEST'],
      [{ mode: 'custom', proxy_url: 'http://ana:***@evil.example:1' }, 400, 'INVALID_REQUEST'],
      [{ mode: 'custom' }, 400, 'INVALID_REQUEST'],
      [{}, 400, 'INVALID_REQUEST'],
      [{ mode: 'none' }, 400, 'INVALID_REQUEST'],
      [{ mode: 'custom', enable: false, proxy_url: formatUrl(proxy) }, 400, 'INVALID_REQUEST'],
      [{ mode: 'internal' }, 501, 'NOT_SUPPORTED'],
      [{ mode: 'custom', proxy_url: formatUrl(proxy), proxy_fallback: 'internal_proxy' }, 501, 'NOT_SUPPORTED'],
      [{ mode: 'custom', proxy_url: formatUrl(proxy), rotate_now: true }, 501, 'NOT_SUPPORTED'],
    ]
    for (const [body, status, code, stage] of cases) {
      const answer = await ana.call('POST', '/instance/proxy', body)
      const text = JSON.stringify(answer.body)
      assert.deepEqual([answer.status, answer.body.code, answer.body.stage], [status, code, stage], text)
      assert.doesNotMatch(text, /a-very|wrong/)
    }
    assert.deepEqual(await shown(ana), before)
    assert.equal(logins(), loginsBefore)
    assert.equal((await ana.status()).status.connected, true)
    assert.doesNotMatch(gateway.output(), /a-very/)
  })

  it('is not connected at all when its proxy fails during a pairing, and reports the reason', async () => {
    const proxy = await startProxyFor()
    const made = await world.instance('unpaired')
    await set(made, { mode: 'custom', proxy_url: formatUrl(proxy) })
    await proxy.die()
    const since = sandbox.network.log.arrivals.length
    const answer = await made.call('POST', '/instance/connect', {})
    assert.deepEqual([answer.status, answer.body.code], [502, 'PROXY_FAILED'])
    assert.match(
      String(answer.body.error),
      /no connection to the proxy \(ECONNREFUSED\).*; connect again|connect again/,
    )
    assert.deepEqual(beside(since), [])
  })

  it('begins a pairing again when its proxy is set in the middle of it', async () => {
    const proxy = await startProxyFor()
    const made = await world.instance('pairing')
    await made.call('POST', '/instance/connect', {})
    const since = sandbox.network.log.arrivals.length
    assert.equal((await set(made, { mode: 'custom', proxy_url: formatUrl(proxy) })).restart_requested, true)
    await eventually(
      () => made.status(),
      ({ instance }) => String(instance.qrcodeText ?? '') !== '',
    )
    await eventually(() => proxy.targets.length >= 2)
    assert.deepEqual(beside(since), [])
  })
})

it('a proxy with a private address is refused unless ALLOW_PRIVATE_ADDRESSES is set', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const proxy = await startProxyServer({ scheme: 'http' })
  t.after(() => proxy.close())
  const world = createWorld(sandbox, await startGateway(t, { sandbox, env: { ALLOW_PRIVATE_ADDRESSES: 'false' } }))
  const made = await world.instance()
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '[::ffff:127.0.0.1]']) {
    const proxy_url = `http://${host}:${proxy.port}`
    const answer = await made.call('POST', '/instance/proxy', { mode: 'custom', proxy_url })
    const { code, stage } = answer.body
    assert.deepEqual([answer.status, code, stage], [502, 'PROXY_FAILED', 'address'], host)
  }
  assert.equal(proxy.accepted, 0)
})
