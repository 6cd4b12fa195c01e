import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

interface Shown {
  instance: { qrcode: string; qrcodeText: string; paircode: string; status: string }
  connected: boolean
}

describe('pairing', () => {
  let world: World
  const cleanup = suiteCleanup()
  before(async () => {
    world = await startWorld(cleanup, { QR_WINDOW_MS: '4000', PAIRING_CODE_WINDOW_MS: '4000', CONNECT_WAIT_MS: '5000' })
  })

  const qrOf = async (instance: TestInstance): Promise<string> =>
    ((await instance.status()).instance as unknown as Shown['instance']).qrcodeText

  it('by QR survives that the network retires the secret after the scan: a new QR is shown, and pairs', async (t) => {
    const receiver = await startReceiver(t)
    await world.phone('15550100001', 'Ana')
    const ana = await world.instance('ana')
    await ana.call('POST', '/webhook', { url: receiver.url, events: ['connection'], enabled: true })
    const { body } = await ana.call<Shown>('POST', '/instance/connect', {})
    assert.match(body.instance.qrcode, /^data:image\/png;base64,/)
    assert.match(body.instance.qrcodeText, /^https:\/\/wa\.me\/settings\/linked_devices#/)
    const scanned = await world.network('POST', '/phones/15550100001/scan', { qr: body.instance.qrcodeText })
    assert.equal(scanned.status, 'refresh')
    const next = await eventually(
      () => qrOf(ana),
      (qr) => qr !== '' && qr !== body.instance.qrcodeText,
    )
    assert.equal((await world.network('POST', '/phones/15550100001/scan', { qr: next })).status, 'paired')
    await ana.connected()
    const acks = await world.network<{ type?: string }[]>('GET', '/log/notification-acks')
    assert.ok(
      acks.some(({ type }) => type === 'companion_reg_refresh'),
      JSON.stringify(acks),
    )
    const states = await eventually(
      () => receiver.of('connection').map((event) => event.body.instance as { status: string; name: string }),
      (all) => all.at(-1)?.status === 'connected',
    )
    assert.equal(states[0]?.status, 'connecting')
    assert.equal(states.at(-1)?.name, 'ana')
    const again = await ana.call<Shown>('POST', '/instance/connect', {})
    assert.deepEqual([again.status, again.body.connected], [200, true])
  })

  it('by QR works without that, and the QR is also an image', async () => {
    await world.phone('15550100002', 'Ben', { refreshOnScan: false })
    const ben = await world.instance('ben')
    const { body } = await ben.call<Shown>('POST', '/instance/connect', { browser: 'firefox' })
    const image = await fetch(`${world.gateway.url}/instance/qr.png?token=${ben.token}`)
    assert.equal(image.headers.get('content-type'), 'image/png')
    assert.deepEqual([...new Uint8Array(await image.arrayBuffer()).slice(0, 4)], [0x89, 0x50, 0x4e, 0x47])
    assert.equal(
      (await world.network('POST', '/phones/15550100002/scan', { qr: body.instance.qrcodeText })).status,
      'paired',
    )
    await ben.connected()
  })

  it('by code shows a code, the same when asked again, and an empty notice does not end it', async () => {
    await world.phone('15550100003')
    const instance = await world.instance()
    const { body } = await instance.call<Shown>('POST', '/instance/connect', { phone: '15550100003' })
    assert.match(body.instance.paircode, /^[0-9A-Z]{8}$/)
    const again = await instance.call<Shown>('POST', '/instance/connect', { phone: '15550100003' })
    assert.equal(again.body.instance.paircode, body.instance.paircode)
    await world.network('POST', '/phones/15550100003/code', { code: body.instance.paircode, emptyNoticeFirst: true })
    await instance.connected()
  })

  it('by code for a number without an account is refused with a sentence, and the instance is disconnected', async () => {
    const instance = await world.instance()
    const answer = await instance.call<{ error: string; code: string }>('POST', '/instance/connect', {
      phone: '15550109999',
    })
    assert.ok(answer.status >= 400 && answer.status < 600, `${answer.status}`)
    assert.match(answer.body.error, /pairing/i)
    assert.equal((await instance.status()).instance.status, 'disconnected')
  })

  it('that nobody finishes ends when its window does, and can be started again', async () => {
    for (const request of [{}, { phone: '15550100004' }]) {
      await world.network('POST', '/phones', { phone: '15550100004', name: 'x' }).catch(() => {})
      const instance = await world.instance()
      await instance.call('POST', '/instance/connect', request)
      const ended = await eventually(
        () => instance.status(),
        ({ instance: { status } }) => status === 'disconnected',
        8_000,
      )
      assert.match(String(ended.instance.lastDisconnectReason), /Pairing expired/)
      assert.equal((await instance.call('POST', '/instance/connect', request)).status, 200)
    }
  })

  it('is only started with a number that can be one', async () => {
    const instance = await world.instance()
    for (const phone of ['123', 'abc', '1'.repeat(16), 123, [15550001111]]) {
      assert.equal((await instance.call('POST', '/instance/connect', { phone })).status, 400, String(phone))
    }
  })
})
