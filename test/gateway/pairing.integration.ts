import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import type { TestInstance } from '../support/world.js'

interface Shown {
  instance: { qrcode: string; qrcodeText: string; paircode: string; status: string }
  connected: boolean
}

interface Progress {
  state: string
  cause: string | null
  nextAttemptAt: string | null
  qrEndsAt: string | null
  pairingEndsAt: string | null
}

describe('pairing', () => {
  const { world, cleanup } = gatewaySuite({
    env: { QR_WINDOW_MS: '4000', PAIRING_CODE_WINDOW_MS: '4000', CONNECT_WAIT_MS: '5000', WA_PASSKEY_PAIRING: 'true' },
  })

  const readQr = async (instance: TestInstance): Promise<string> =>
    ((await instance.status()).instance as unknown as Shown['instance']).qrcodeText

  it('by a link shows the codes of one instance once, and opens nothing else', async () => {
    const instance = await world.instance('By link')
    const other = await world.instance('Other')
    const link = await instance.done<{ code: string; path: string }>('/instance/pairinglink', {})
    assert.equal(link.path, `/dashboard/#pair=${link.code}`)
    const asCaller = (token: string) => (method: string, path: string, body?: unknown) =>
      world.gateway.call<Record<string, unknown>>(method, path, { token, body })
    assert.equal((await asCaller(link.code)('GET', '/instance/status')).status, 401, 'the code itself opens nothing')
    const { body: made } = await asCaller(link.code)('POST', '/pass', {})
    assert.equal((await asCaller(link.code)('POST', '/pass', {})).status, 401, 'a link works once')
    const guest = asCaller(String(made.token))
    assert.ok(Date.parse(String((made.pass as { ends: string }).ends)) <= Date.now() + 900_000)
    const { body: shown } = await guest('GET', '/pass')
    assert.deepEqual([shown.pairing, (shown.instance as { id: string }).id], [true, instance.id])
    assert.equal((await guest('POST', '/instance/connect', {})).status, 200)
    const { body: status } = await guest('GET', '/instance/status')
    assert.match(String((status.instance as Shown['instance']).qrcode), /^data:image\/png/)
    for (const [method, path, body] of [
      ['POST', '/send/text', { number: '15550100099', text: 'no' }],
      ['POST', '/message/find', {}],
      ['POST', '/chat/find', {}],
      ['POST', '/instance/disconnect', {}],
      ['DELETE', '/instance', undefined],
      ['GET', '/instance/keys', undefined],
      ['GET', '/webhook', undefined],
      ['POST', '/instance/pairinglink', {}],
      ['GET', '/passes', undefined],
    ] as const) {
      const answer = await guest(method, path, body)
      assert.deepEqual([answer.status, answer.body.code], [403, 'KEY_NOT_ENOUGH'], path)
    }
    assert.equal((await guest('POST', '/pass', {})).body.code, 'PASS_NOT_ENOUGH')
    const admin = await world.gateway.call('GET', '/admin/nodes', { headers: { admintoken: String(made.token) } })
    assert.equal(admin.status, 401)
    await other.done('/instance/token/rotate', {})
    await instance.done('/instance/token/rotate', {})
    assert.equal((await guest('GET', '/instance/status')).status, 401, 'it ends with the token that made it')
  })

  it('by QR survives a secret that the network retires after the scan: a new QR is shown, and pairs', async (t) => {
    const receiver = await startReceiver(t)
    await world.phone('15550100001', 'Ana')
    const ana = await world.instance('ana')
    await ana.call('POST', '/webhook', { url: receiver.url, events: ['connection'], enabled: true })
    const { body } = await ana.call<Shown>('POST', '/instance/connect', {})
    assert.match(body.instance.qrcode, /^data:image\/png;base64,/)
    assert.match(body.instance.qrcodeText, /^https:\/\/wa\.me\/settings\/linked_devices#/)
    const { status: progress } = (await ana.status()) as unknown as { status: Progress }
    assert.deepEqual([progress.state, progress.cause, progress.nextAttemptAt], ['pairing', null, null])
    assert.ok(Date.parse(String(progress.pairingEndsAt)) - Date.now() <= 4_000)
    assert.equal(progress.qrEndsAt, progress.pairingEndsAt, 'the QR would last 60 s, and the pairing 4')
    const scanned = await world.network('POST', '/phones/15550100001/scan', { qr: body.instance.qrcodeText })
    assert.equal(scanned.status, 'refresh')
    const next = await eventually(
      () => readQr(ana),
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
    const events = states as unknown as Progress[]
    assert.ok(events.some(({ state, qrEndsAt }) => state === 'pairing' && qrEndsAt !== null))
    assert.deepEqual(
      [events.at(-1)?.state, events.at(-1)?.qrEndsAt, events.at(-1)?.pairingEndsAt],
      ['connected', null, null],
    )
    const again = await ana.call<Shown>('POST', '/instance/connect', {})
    assert.deepEqual([again.status, again.body.connected], [200, true])
  })

  it('by QR works with a lasting secret, and the QR is also an image', async () => {
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
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    // Each once: had the library made its own beside ours, the store would have more than the network. The phone has used a few.
    await eventually(
      async () => {
        const { devices } = await world.network<{ devices: { id: number; preKeys: number }[] }>(
          'GET',
          '/phones/15550100002',
        )
        const { rows } = await database.query<{ count: number }>(
          "SELECT count(*)::int AS count FROM signal_key WHERE instance_id = $1 AND kind = 'pre-key'",
          [ben.id],
        )
        return [devices.find(({ id }) => id > 0)?.preKeys ?? 0, rows[0]?.count ?? 0] as const
      },
      ([uploaded, stored]) => uploaded === stored && uploaded > 800 && uploaded <= 812,
    )
  })

  it('by code shows a code, the same for repeated calls, and an empty notice does not end it', async () => {
    await world.phone('15550100003')
    const instance = await world.instance()
    const { body } = await instance.call<Shown>('POST', '/instance/connect', { phone: '15550100003' })
    assert.match(body.instance.paircode, /^[0-9A-Z]{8}$/)
    const again = await instance.call<Shown>('POST', '/instance/connect', { phone: '15550100003' })
    assert.equal(again.body.instance.paircode, body.instance.paircode)
    await world.network('POST', '/phones/15550100003/code', { code: body.instance.paircode, emptyNoticeFirst: true })
    await instance.connected()
  })

  it('by code for a number without an account is refused with a reason, and the instance is disconnected', async () => {
    const instance = await world.instance()
    const answer = await instance.call<{ error: string; code: string }>('POST', '/instance/connect', {
      phone: '15550109999',
    })
    assert.ok(answer.status >= 400 && answer.status < 600, `${answer.status}`)
    assert.match(answer.body.error, /pairing/i)
    assert.equal((await instance.status()).instance.status, 'disconnected')
  })

  it('ends with its window if nobody finishes it, and can be started again', async () => {
    for (const request of [{}, { phone: '15550100004' }]) {
      await world.network('POST', '/phones', { phone: '15550100004', name: 'x' }).catch(() => {})
      const instance = await world.instance()
      await instance.call('POST', '/instance/connect', request)
      const ended = await eventually(
        () => instance.status(),
        ({ instance: { status } }) => status === 'disconnected',
      )
      assert.match(String(ended.instance.lastDisconnectReason), /Pairing expired/)
      assert.equal((await instance.call('POST', '/instance/connect', request)).status, 200)
    }
  })

  it('is refused for an impossible number', async () => {
    const instance = await world.instance()
    for (const phone of ['123', 'abc', '1'.repeat(16), 123, [15550001111]]) {
      assert.equal((await instance.call('POST', '/instance/connect', { phone })).status, 400, String(phone))
    }
  })

  describe('with a passkey', () => {
    interface Step {
      passkey: {
        state: string
        publicKey: { challenge: string; rpId: string } | null
        code: string | null
        advice: string
      }
    }
    const step = async (instance: TestInstance) => (await instance.call<Step>('GET', '/instance/passkey')).body.passkey
    const reaches = (instance: TestInstance, state: string, withinMs?: number) =>
      eventually(
        () => step(instance),
        (now) => now.state === state,
        withinMs,
      )
    const sign = (phone: string, more: object) => world.network(`POST`, `/phones/${phone}/passkey/sign`, more)

    /** Scans, so that the pairing waits for a signature. */
    async function asked(phone: string, settings: object = {}): Promise<{ instance: TestInstance; challenge: string }> {
      await world.phone(phone, `phone ${phone}`, { refreshOnScan: false, passkey: true, ...settings })
      const instance = await world.instance()
      const { body } = await instance.call<Shown>('POST', '/instance/connect', {})
      const scanned = await world.network('POST', `/phones/${phone}/scan`, { qr: body.instance.qrcodeText })
      assert.equal(scanned.status, 'passkey')
      const { publicKey } = await reaches(instance, 'needs_passkey')
      assert.equal(publicKey?.rpId, 'whatsapp.com')
      return { instance, challenge: publicKey?.challenge ?? '' }
    }

    it('shows the challenge in place of the QR, and links when it is signed', async (t) => {
      const receiver = await startReceiver(t)
      const phone = '15550100011'
      await world.phone(phone, 'Pia', { refreshOnScan: false, passkey: true })
      const pia = await world.instance('pia')
      await pia.call('POST', '/webhook', { url: receiver.url, events: ['connection'], enabled: true })
      const { body } = await pia.call<Shown>('POST', '/instance/connect', {})
      assert.equal((await step(pia)).state, 'none')
      await world.network('POST', `/phones/${phone}/scan`, { qr: body.instance.qrcodeText })
      const { publicKey, advice } = await reaches(pia, 'needs_passkey')
      assert.match(advice, /web\.whatsapp\.com/)
      const now = await pia.status()
      assert.deepEqual([now.instance.status, now.instance.qrcodeText], ['connecting', ''])
      const again = await pia.call<Shown>('POST', '/instance/connect', {})
      assert.deepEqual([again.status, (await step(pia)).state], [200, 'needs_passkey'])
      // A later version of WebAuthn may have more fields.
      const signed = { ...(await sign(phone, publicKey ?? {})), later: { field: [1] } }
      const answer = await pia.call('POST', '/instance/passkey/response', signed)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const { assertion } = await world.network('GET', `/phones/${phone}/passkey`)
      assert.deepEqual(assertion, signed)
      await pia.connected()
      assert.equal((await step(pia)).state, 'none')
      const steps = receiver.of('connection').map((event) => (event.body.instance as Partial<Step>).passkey?.state)
      assert.ok(steps.includes('needs_passkey'), JSON.stringify(steps))
      await pia.text('15550100001', 'linked with a passkey')
      const acks = await world.network<{ type?: string }[]>('GET', '/log/notification-acks')
      for (const type of ['passkey_prologue_request', 'crsc_continuation'])
        assert.ok(
          acks.some((ack) => ack.type === type),
          JSON.stringify(acks),
        )
    })

    it('compares codes when that is wanted: the phone shows the same one', async () => {
      const phone = '15550100012'
      const { instance, challenge } = await asked(phone, { passkeyGarbled: true })
      const early = await instance.call<{ code: string }>('POST', '/instance/passkey/confirm', {})
      assert.deepEqual([early.status, early.body.code], [409, 'PASSKEY_NOT_AWAITED'])
      const signed = { ...(await sign(phone, { challenge })), compareCode: true }
      assert.equal((await instance.call('POST', '/instance/passkey/response', signed)).status, 200)
      const { code } = await reaches(instance, 'passkey_code')
      assert.match(code ?? '', /^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
      const shown = await eventually(
        () => world.network(`GET`, `/phones/${phone}/passkey`),
        ({ state }) => state === 'code',
      )
      assert.equal(shown.code, code)
      const twice = await instance.call<{ code: string }>('POST', '/instance/passkey/response', signed)
      assert.deepEqual([twice.status, twice.body.code], [409, 'PASSKEY_NOT_AWAITED'])
      await world.network('POST', `/phones/${phone}/passkey/confirm`, { code })
      assert.equal((await instance.call('POST', '/instance/passkey/confirm', {})).status, 200)
      await instance.connected()
    })

    it('after a pairing code, too', async () => {
      const phone = '15550100013'
      await world.phone(phone, 'Pam', { passkey: true })
      const instance = await world.instance()
      const { body } = await instance.call<Shown>('POST', '/instance/connect', { phone })
      await world.network('POST', `/phones/${phone}/code`, { code: body.instance.paircode })
      const { publicKey } = await reaches(instance, 'needs_passkey')
      const answer = await instance.call('POST', '/instance/passkey/response', await sign(phone, publicKey ?? {}))
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await instance.connected()
    })

    it('refuses a signature that cannot be right, and the pairing waits for another', async () => {
      const phone = '15550100014'
      const { instance, challenge } = await asked(phone)
      const right = await sign(phone, { challenge })
      const response = right.response as object
      const wrong = [
        [await sign(phone, { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }), 'response.clientDataJSON'],
        [await sign(phone, { challenge, origin: 'https://web.whatsapp.com.example.org' }), 'response.clientDataJSON'],
        [await sign(phone, { challenge, rpId: 'example.org' }), 'response.authenticatorData'],
        [{ ...right, rawId: 'AAAA' }, 'rawId'],
        [{ ...right, later: 'x'.repeat(65_536) }, 'response'],
        [{ ...right, response: { ...response, signature: 'not base64!' } }, 'response.signature'],
      ] as const
      for (const [body, field] of wrong) {
        const answer = await instance.call<{ details: { field: string }[] }>('POST', '/instance/passkey/response', body)
        assert.deepEqual([answer.status, answer.body.details[0]?.field], [400, field], JSON.stringify(answer.body))
      }
      assert.equal((await step(instance)).state, 'needs_passkey')
      assert.equal((await instance.call('POST', '/instance/passkey/response', right)).status, 200)
      await instance.connected()
    })

    it('ends the pairing with the code of the network if the network refuses it, and disturbs no other account', async () => {
      const phone = '15550100015'
      const { instance, challenge } = await asked(phone)
      await world.phone('15550100016', 'Eve', {})
      const foreign = await sign('15550100016', { challenge })
      const answer = await instance.call<{ code: string; provider_code: number }>(
        'POST',
        '/instance/passkey/response',
        foreign,
      )
      assert.deepEqual([answer.body.code, answer.body.provider_code], ['PAIRING_FAILED', 401])
      const { instance: ended } = await instance.status()
      assert.equal(ended.status, 'disconnected')
      assert.match(String(ended.lastDisconnectReason), /passkey failed.*connect again.*did not take the signature/i)
      assert.equal((await instance.call('POST', '/instance/connect', {})).status, 200)
    })

    it('waits in passkey_sent when the phone does not continue, and can be given up', async () => {
      const phone = '15550100017'
      const { instance, challenge } = await asked(phone, { passkeySilent: true })
      assert.equal(
        (await instance.call('POST', '/instance/passkey/response', await sign(phone, { challenge }))).status,
        200,
      )
      const { state, advice } = await step(instance)
      assert.deepEqual([state, advice.includes('WhatsApp open')], ['passkey_sent', true])
      await instance.call('POST', '/instance/disconnect', {})
      assert.deepEqual(
        [(await step(instance)).state, (await instance.status()).instance.status],
        ['none', 'disconnected'],
      )
    })
  })
})
