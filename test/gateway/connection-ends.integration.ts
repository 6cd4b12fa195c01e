import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { it } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { startSandbox } from '../../sandbox/index.js'
import { newAuthority } from '../../sandbox/media/authority.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startGateway } from '../support/gateway.js'
import { startProxy } from '../support/proxy.js'
import { worldOf } from '../support/world.js'

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
  const world = worldOf(sandbox, gateway)
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

it('a connection that the network ends says nothing more, not even what was on its way', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const behind = new URL(sandbox.websocketUrl)
  const link = await startProxy(t, () => ({ host: behind.hostname, port: Number(behind.port) }), { forgetsEnded: true })
  const websocketUrl = `ws://127.0.0.1:${link.port}${behind.pathname}`
  const gateway = await startGateway(t, { sandbox: { ...sandbox, websocketUrl } })
  const world = worldOf(sandbox, gateway)
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
