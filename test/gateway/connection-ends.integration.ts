import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import path from 'node:path'
import { it } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { startSandbox } from '../../sandbox/index.js'
import { newAuthority } from '../../sandbox/media/authority.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startGateway } from '../support/gateway.js'
import { lastingPort, listenOn } from '../support/port.js'
import { startProxy } from '../support/proxy.js'
import { startReceiver } from '../support/receiver.js'
import { createWorld } from '../support/world.js'

it('over TLS, as the real network is reached: accounts pair and send, and a connection that ends is reset', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const { ca, issue } = newAuthority()
  const behind = new URL(sandbox.websocketUrl)
  const ends: string[] = []
  const front = createServer(issue(), (near: TLSSocket) => {
    const far = connect(Number(behind.port), behind.hostname)
    near.pipe(far).pipe(near)
    far.on('error', () => {})
    near.on('error', ({ code }: NodeJS.ErrnoException) => ends.push(code ?? ''))
    near.once('end', () => ends.push('end'))
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  t.after(() => front.close())
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const caFile = path.join(testFolder(t), 'ca.pem')
  writeFileSync(caFile, `${ca}\n${readFileSync(sandbox.mediaCaFile, 'utf8')}`)
  const websocketUrl = `wss://localhost:${(front.address() as AddressInfo).port}${behind.pathname}`
  const gateway = await startGateway(t, { sandbox: { ...sandbox, websocketUrl, mediaCaFile: caFile } })
  const world = createWorld(sandbox, gateway)
  await world.phone('15551850002')
  const ana = await world.paired('15551850001')
  await ana.text('15551850002', 'Hello')

  // Quiet, so that nothing of the account is on its way either.
  await new Promise((resolve) => setTimeout(resolve, 300))
  ends.length = 0
  await ana.call('POST', '/instance/reset')
  await eventually(() => ends.length > 0)
  assert.deepEqual(ends, ['ECONNRESET'])
})

it('reports an unreachable network with its host and the error, and keeps the credentials', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const behind = new URL(sandbox.websocketUrl)
  let answer: 'network' | 'http' = 'network'
  const front = createTcpServer((near) => {
    near.on('error', () => {})
    if (answer === 'http') {
      near.once('data', () => near.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'))
      return
    }
    const far = connect(Number(behind.port), behind.hostname)
    near.pipe(far).pipe(near)
    far.on('error', () => {})
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  t.after(() => front.close())
  const port = await lastingPort()
  await listenOn(front, port)
  const websocketUrl = `ws://127.0.0.1:${port}${behind.pathname}`
  const gateway = await startGateway(t, {
    sandbox: { ...sandbox, websocketUrl },
    env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '200', PARK_TIMEOUT_MS: '1000' },
  })
  const world = createWorld(sandbox, gateway)
  const receiver = await startReceiver(t)
  const [ana, fresh] = [await world.paired('15551850011'), await world.instance('fresh')]
  for (const instance of [ana, fresh])
    await instance.call('POST', '/webhook', { url: receiver.url, events: ['connection'], enabled: true })
  const reasons = (name: string) =>
    receiver
      .of('connection')
      .filter(({ body }) => (body.instance as { name: string }).name === name)
      .map(({ body }) => String((body.instance as { lastDisconnectReason?: string }).lastDisconnectReason))

  for (const [kind, failure] of [
    ['http', `127.0.0.1:${port}: HTTP 401`],
    ['closed', `127.0.0.1:${port}: ECONNREFUSED`],
  ] as const) {
    if (kind === 'http') answer = kind
    else await new Promise((resolve) => front.close(resolve))
    const said = new RegExp(`could not be reached.*\\(${failure.replaceAll('.', '\\.')}\\)`)
    // The network ends what is open.
    if (kind === 'http') await world.network('POST', '/faults/close', { phone: '15551850011', device: 1 })
    const { instance } = await eventually(
      () => ana.status(),
      (now) => said.test(String(now.instance.lastDisconnectReason)),
    )
    assert.equal(instance.status, 'connecting')
    const sent = await ana.call<{ error: string; code: string }>('POST', '/send/text', {
      number: '15551850011',
      text: 'x',
    })
    assert.deepEqual([sent.status, sent.body.code], [503, 'NOT_LOGGED_IN'], JSON.stringify(sent.body))
    assert.match(sent.body.error, said)

    const paired = await fresh.call<{ error: string; code: string }>('POST', '/instance/connect', {})
    assert.deepEqual([paired.status, paired.body.code], [502, 'NETWORK_UNREACHABLE'], JSON.stringify(paired.body))
    assert.match(paired.body.error, said)
    const now = await fresh.status()
    assert.equal(now.instance.status, 'disconnected')
    assert.match(String(now.instance.lastDisconnectReason), said)
    for (const name of ['phone 15551850011', 'fresh'])
      await eventually(
        () => reasons(name),
        (all) => all.some((reason) => said.test(reason)),
      )
  }
  answer = 'network'
  await listenOn(front, port)
  await ana.connected()
  await ana.text('15551850011', 'to myself')

  // Nor is a login that the network refuses a move of the instance.
  await world.network('POST', '/faults', { kind: 'login-failure', code: 503, phone: '15551850011' })
  await world.network('POST', '/faults/close', { phone: '15551850011', device: 1 })
  await eventually(async () => /^503: /.test(String((await ana.status()).instance.lastDisconnectReason)))
  const refused = await ana.call<{ error: string; code: string; provider_code: number }>('POST', '/send/text', {
    number: '15551850011',
    text: 'x',
  })
  assert.deepEqual([refused.status, refused.body.code, refused.body.provider_code], [503, 'NOT_LOGGED_IN', 503])
  assert.match(refused.body.error, /503: WhatsApp is unavailable/)
})

it('a name of the network that cannot be resolved is named', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const gateway = await startGateway(t, {
    sandbox: { ...sandbox, websocketUrl: 'wss://network.invalid/ws/chat' },
  })
  const fresh = await createWorld(sandbox, gateway).instance('fresh')
  const paired = await fresh.call<{ error: string }>('POST', '/instance/connect', {})
  assert.equal(paired.status, 502)
  assert.match(paired.body.error, /could not be reached.*\(network\.invalid: E[A-Z_]+\)/)
})

it('a connection that the network ends says nothing more, not even what was on its way', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const behind = new URL(sandbox.websocketUrl)
  const link = await startProxy(t, () => ({ host: behind.hostname, port: Number(behind.port) }), { forgetsEnded: true })
  const websocketUrl = `ws://127.0.0.1:${link.port}${behind.pathname}`
  const gateway = await startGateway(t, { sandbox: { ...sandbox, websocketUrl } })
  const world = createWorld(sandbox, gateway)
  await world.phone('15551850004')
  const ana = await world.paired('15551850003')
  const logins = () => world.network<{ lateFrames: number }[]>('GET', '/log/logins')
  const before = (await logins()).length
  // The network hears an older connection to its end, and counts what comes of it.
  await world.network('POST', '/faults/kick-old-sessions', { enabled: false })
  link.silence({ way: 'up', isOpen: true })
  const sent = ana.call('POST', '/send/text', { number: '15551850004', text: 'Hello' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await world.network('POST', '/faults/stream-error', { code: 503 })
  await sent
  await eventually(async () => (await logins()).length > before)
  link.mend()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const late = (await logins()).map(({ lateFrames }) => lateFrames)
  assert.deepEqual(
    late.filter((frames) => frames > 0),
    [],
  )
})
