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
import { worldOf } from '../support/world.js'

it('over TLS, as the real network is reached: accounts pair and send, and what ends is reset', async (t) => {
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
