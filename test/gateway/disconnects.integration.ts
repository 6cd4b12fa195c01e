import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually, PATIENCE_MS } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

describe('when the network ends a connection', () => {
  let nextNumber = 15550300001
  const { world } = gatewaySuite({
    env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' },
  })
  const logins = async (phone: string) =>
    (await world.network<{ device: string }[]>('GET', `/log/logins?phone=${phone}`)).filter(
      ({ device }) => device === `${phone}:1`,
    ).length

  for (const code of [500, 503, 515, 428, 440]) {
    it(`${code} brings it back without a new pairing`, async () => {
      const phone = String(nextNumber++)
      const instance = await world.paired(phone)
      const before = await logins(phone)
      await world.network('POST', '/faults/stream-error', { code, phone })
      await eventually(
        () => logins(phone),
        (count) => count > before,
      )
      await instance.connected()
      await instance.text(phone, 'to myself')
    })
  }

  it('ends a pairing for which WhatsApp asks for a passkey, and names the setting that takes one', async () => {
    const phone = String(nextNumber++)
    await world.phone(phone, 'Pat', { refreshOnScan: false, passkey: true })
    const instance = await world.instance()
    const { body } = await instance.call<{ instance: { qrcodeText: string } }>('POST', '/instance/connect', {})
    await world.network('POST', `/phones/${phone}/scan`, { qr: body.instance.qrcodeText })
    const ended = await eventually(
      () => instance.status(),
      ({ instance: { status } }) => status === 'disconnected',
    )
    assert.match(String(ended.instance.lastDisconnectReason), /passkey.*WA_PASSKEY_PAIRING=true/)
  })

  for (const [code, keepsCredentials] of [
    [401, false],
    [403, true],
  ] as const) {
    it(`${code} stops it with a reason, and ${keepsCredentials ? 'keeps' : 'forgets'} the credentials`, async (t) => {
      const receiver = await startReceiver(t)
      const phone = String(nextNumber++)
      const instance = await world.paired(phone)
      await instance.call('POST', '/webhook', { url: receiver.url, events: ['connection'], enabled: true })
      await world.network('POST', '/faults/stream-error', { code, phone })
      const stopped = await eventually(
        () => instance.status(),
        ({ instance: { status } }) => status === 'disconnected',
      )
      assert.match(String(stopped.instance.lastDisconnectReason), new RegExp(`^${code}: `))
      await eventually(
        () => receiver.of('connection').map(({ body }) => (body.instance as { status: string }).status),
        (told) => told.at(-1) === 'disconnected',
      )
      const before = await logins(phone)
      await pause(600)
      assert.equal(await logins(phone), before, 'it must not connect again by itself')
      const shown = await instance.call<{ connected: boolean; instance: { qrcodeText: string; status: string } }>(
        'POST',
        '/instance/connect',
        {},
      )
      assert.equal(shown.body.instance.qrcodeText === '', keepsCredentials, JSON.stringify(shown.body))
    })
  }

  it('402 is a ban for a time: the reason says why and until when, and the credentials stay', async () => {
    const phone = String(nextNumber++)
    const instance = await world.paired(phone)
    const attributes = { code: '104', expire: '7200' }
    const rule = { kind: 'login-failure', code: 402, phone, attributes }
    const fault = await world.network('POST', '/faults', rule)
    await world.network('POST', '/faults/stream-error', { code: 503, phone })
    const banned = await eventually(
      () => instance.status(),
      ({ instance: { lastDisconnectReason } }) => /^402: /.test(String(lastDisconnectReason)),
    )
    const { status, lastDisconnectReason } = banned.instance
    assert.equal(status, 'connecting')
    const [, until = ''] =
      /the same message to too many people, until ([\dT:.Z-]+)\)/.exec(String(lastDisconnectReason)) ?? []
    assert.ok(Math.abs(Date.parse(until) - Date.now() - 7_200_000) < 60_000, String(lastDisconnectReason))
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    await instance.call('POST', '/instance/reset', {})
    await instance.connected()
  })

  it('the history of the connection has each change with its cause, reason, code and node, newest first', async () => {
    const phone = String(nextNumber++)
    const instance = await world.paired(phone)
    await world.network('POST', '/faults/stream-error', { code: 503, phone })
    const history = async (limit = 50) =>
      (await instance.call<{ connections: Record<string, unknown>[] }>('GET', `/instance/connections?limit=${limit}`))
        .body.connections
    await eventually(
      history,
      (all) => all[0]?.status === 'connected' && all.some(({ cause }) => cause === 'unavailable'),
    )
    await world.network('POST', '/faults/stream-error', { code: 401, phone })
    const all = await eventually(history, ([newest]) => newest?.status === 'disconnected')
    const [{ id: node } = { id: '' }] = (
      await world.gateway.call<{ nodes: { id: string }[] }>('GET', '/admin/nodes', {
        admin: true,
      })
    ).body.nodes
    assert.deepEqual([all[0]?.cause, all[0]?.code, all[0]?.node], ['loggedOut', 401, node])
    assert.match(String(all[0]?.reason), /logged out/)
    assert.deepEqual(
      all.slice(0, 4).map(({ status, cause }) => [status, cause]),
      [
        ['disconnected', 'loggedOut'],
        ['connected', null],
        ['connecting', 'unavailable'],
        ['connected', null],
      ],
    )
    const times = all.map(({ at }) => Date.parse(String(at)))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    assert.equal((await history(2)).length, 2)
    assert.equal((await instance.call('GET', '/instance/connections?limit=201')).status, 400)
  })

  it('a device that is unlinked on the phone is disconnected and needs a new pairing', async () => {
    const phone = String(nextNumber++)
    const instance = await world.paired(phone)
    await world.network('DELETE', `/phones/${phone}/devices/1`)
    await eventually(
      () => instance.status(),
      ({ instance: { status } }) => status === 'disconnected',
    )
    const send = await instance.call<{ error: string }>('POST', '/send/text', { number: phone, text: 'x' })
    assert.deepEqual([send.status, send.body.error], [409, 'No session'])
  })

  it('disconnect logs the device out at the network; reset brings the same device back; a disconnected one can be deleted', async () => {
    const phone = String(nextNumber++)
    const instance = await world.paired(phone)
    const devices = async () =>
      (await world.network<{ devices: { id: number }[] }>('GET', `/phones/${phone}`)).devices.map(({ id }) => id)
    const before = await logins(phone)
    assert.equal((await instance.call('POST', '/instance/reset')).status, 200)
    await eventually(
      () => logins(phone),
      (count) => count > before,
    )
    await instance.connected()
    assert.deepEqual(await devices(), [0, 1])
    assert.equal((await instance.call('POST', '/instance/disconnect')).status, 200)
    assert.deepEqual(await devices(), [0])
    assert.equal((await instance.status()).instance.status, 'disconnected')
    assert.equal((await instance.call('DELETE', '/instance')).status, 200)
    const gone = await instance.call<{ error: string }>('GET', '/instance/status')
    assert.deepEqual([gone.status, gone.body.error], [401, 'Invalid token'])
  })

  for (const [by, remove] of [
    ['its phone', (phone: string) => void world.network('DELETE', `/phones/${phone}/devices/1`)],
    ['a call', (_phone: string, instance: TestInstance) => void instance.call('POST', '/instance/disconnect')],
  ] as const)
    it(`a connect right after a removal by ${by} begins a new pairing`, async (t) => {
      const phone = String(nextNumber++)
      const instance = await world.paired(phone)
      const before = await logins(phone)
      // Their deletion waits for us: the store takes its time.
      const database = await connectDatabase(t, world.gateway.databaseUrl)
      await database.query(`
        CREATE OR REPLACE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock(8471); RETURN OLD; END';
        CREATE TRIGGER wait_for_test BEFORE DELETE ON instance_credentials FOR EACH ROW EXECUTE FUNCTION wait_for_test();
        SELECT pg_advisory_lock(8471)`)
      remove(phone, instance)
      await eventually(
        () => world.network<{ devices: unknown[] }>('GET', `/phones/${phone}`),
        ({ devices }) => devices.length === 1,
      )
      // We hear of the phone's removal a moment later.
      if (by === 'its phone') await eventually(async () => !(await instance.status()).status.connected)
      const connecting = instance.call<{ instance: { qrcodeText: string; status: string } }>(
        'POST',
        '/instance/connect',
        {},
      )
      const isEarly = (await Promise.race([connecting, pause(500, null)])) !== null
      await database.query('SELECT pg_advisory_unlock(8471)')
      const { body } = await connecting
      await database.query('DROP TRIGGER wait_for_test ON instance_credentials')
      assert.equal(isEarly, false, 'it waits for the deletion')
      assert.deepEqual([body.instance.status, body.instance.qrcodeText !== ''], ['connecting', true])
      assert.equal(await logins(phone), before, 'the removed credentials are not used')
      assert.equal((await instance.status()).instance.status, 'connecting')
    })

  it('deleting a connected instance logs it out', async () => {
    const phone = String(nextNumber++)
    const instance = await world.paired(phone)
    assert.equal((await instance.call('DELETE', '/instance')).status, 200)
    const { devices } = await world.network<{ devices: unknown[] }>('GET', `/phones/${phone}`)
    assert.equal(devices.length, 1)
  })

  it('a status does not wait for logins, neither its own nor others', async (t) => {
    const instances = await Promise.all(Array.from({ length: 2 }, () => world.paired(String(nextNumber++))))
    const fresh = await world.instance('fresh')
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    await database.query('BEGIN; LOCK TABLE instance_credentials')
    // Instances of the tests before log in again as well: more than there are connections for them.
    const { rows } = await database.query<{ id: string }>("SELECT id FROM instance WHERE status = 'connected'")
    assert.ok(rows.length >= 5)
    await world.network('POST', '/faults/stream-error', { code: 503 })
    const resets = instances.map((instance) => instance.call('POST', '/instance/reset'))
    const isWaiting = `SELECT count(*)::int AS count FROM pg_locks
      WHERE NOT granted AND relation = 'instance_credentials'::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    await eventually(
      async () => (await database.query<{ count: number }>(isWaiting)).rows[0]?.count ?? 0,
      (count) => count >= 2,
    )
    for (const instance of [...instances, fresh]) {
      const answered = await Promise.race([instance.status(), pause(PATIENCE_MS, null, { ref: false })])
      assert.notEqual(answered, null, 'a status waits')
    }
    await database.query('ROLLBACK')
    await Promise.all(resets)
    for (const instance of instances) await instance.connected()
  })

  it('a login that is refused with 405 waits with a word about the version, and comes back by itself', async () => {
    const phone = String(nextNumber++)
    const instance = await world.paired(phone)
    const fault = await world.network('POST', '/faults', { kind: 'login-failure', code: 405, phone })
    await instance.call('POST', '/instance/reset')
    const waiting = await eventually(
      () => instance.status(),
      ({ instance: { lastDisconnectReason } }) => /^405: /.test(String(lastDisconnectReason)),
    )
    assert.match(String(waiting.instance.lastDisconnectReason), /version.*WA_VERSION/)
    assert.equal(waiting.instance.status, 'connecting')
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    await instance.connected()
  })
})

describe('a login that the network refuses', () => {
  const { world } = gatewaySuite({})
  type Status = { status: { nextAttemptAt: string | null } }
  const refused = async (phone: string, code: number, attributes = {}) => {
    const instance = await world.paired(phone)
    await world.network('POST', '/faults', { kind: 'login-failure', code, phone, attributes })
    await instance.call('POST', '/instance/reset')
    await eventually(
      () => instance.status(),
      ({ instance: { lastDisconnectReason } }) => String(lastDisconnectReason).startsWith(`${code}: `),
    )
    const { body } = await instance.call<Status & { instance: { status: string; lastDisconnectReason: string } }>(
      'GET',
      '/instance/status',
    )
    const waitsMs = Date.parse(String(body.status.nextAttemptAt)) - Date.now()
    return { ...body.instance, instance, waitsMs }
  }

  for (const [code, cause, reason] of [
    [409, 'clientRefused', /client that this gateway reports/],
    [415, 'loginNotFound', /did not find this login/],
    [413, 'loginRefused', /refused the login/],
  ] as const)
    it(`with ${code} has a reason of its own, and waits`, async () => {
      const { instance, status, lastDisconnectReason, waitsMs } = await refused(`15550301${code}`, code)
      assert.match(lastDisconnectReason, reason)
      assert.equal(status, 'connecting')
      assert.ok(waitsMs > 50_000, `it waits ${waitsMs} ms`)
      // Written after the connection has ended.
      await eventually(
        async () =>
          (await instance.call<{ connections: { cause: string }[] }>('GET', '/instance/connections')).body.connections,
        ([last]) => last?.cause === cause,
      )
    })

  it('by a ban of 20 s waits 20 s', async () => {
    const { waitsMs } = await refused('15550301402', 402, { code: '101', expire: '20' })
    assert.ok(waitsMs > 10_000 && waitsMs <= 22_000, `it waits ${waitsMs} ms`)
  })
})

describe('the limits of instances', () => {
  let world: World
  const cleanup = suiteCleanup()
  before(async () => {
    world = await startWorld(cleanup, { INSTANCES_MAX: '2', QR_INSTANCES_MAX: '2' })
  })
  const connect = (instance: TestInstance) =>
    instance.call<{ error: string; code: string; instance: { qrcodeText: string } }>('POST', '/instance/connect', {})
  const scan = async (phone: string, qr: string) => {
    await world.phone(phone, phone, { refreshOnScan: false })
    return await world.network('POST', `/phones/${phone}/scan`, { qr })
  }

  it('beyond INSTANCES_MAX a connect answers 429, until another one is disconnected', async () => {
    const [first, second] = [await world.paired('15550390001'), await world.paired('15550390002')]
    const third = await world.instance()
    const refused = await connect(third)
    assert.deepEqual([refused.status, refused.body.code], [429, 'INSTANCE_LIMIT'])
    assert.match(refused.body.error, /limit/)
    assert.equal((await first.call('POST', '/instance/disconnect')).status, 200)
    assert.equal((await connect(third)).status, 200)
    for (const instance of [second, third]) await instance.call('POST', '/instance/disconnect')
  })

  it('open QR pages count against QR_INSTANCES_MAX; a scan beyond INSTANCES_MAX links nothing and says why', async (t) => {
    const receiver = await startReceiver(t)
    const [paid, one, other, late] = [
      await world.paired('15550390003'),
      await world.instance('one'),
      await world.instance('other'),
      await world.instance('late'),
    ]
    await other.call('POST', '/webhook', { url: receiver.url, events: ['connection'], enabled: true })
    const [shownOne, shownOther] = [await connect(one), await connect(other)]
    assert.deepEqual([shownOne.status, shownOther.status], [200, 200])
    const refused = await connect(late)
    assert.deepEqual([refused.status, refused.body.code], [429, 'PAIRING_LIMIT'], JSON.stringify(refused.body))
    assert.match(refused.body.error, /QR_INSTANCES_MAX/)
    assert.equal((await late.status()).instance.status, 'disconnected')

    await scan('15550390004', shownOne.body.instance.qrcodeText)
    await one.connected()
    await assert.rejects(scan('15550390005', shownOther.body.instance.qrcodeText))
    const ended = await eventually(
      () => other.status(),
      ({ instance: { status } }) => status === 'disconnected',
    )
    assert.match(String(ended.instance.lastDisconnectReason), /limit of connected instances/)
    const events = await eventually(
      () => receiver.of('connection').map(({ body }) => body.instance as { lastDisconnectReason?: string }),
      (all) => all.some(({ lastDisconnectReason = '' }) => /limit of connected/.test(lastDisconnectReason)),
    )
    assert.ok(events.length > 0)
    const { devices } = await world.network<{ devices: { id: number }[] }>('GET', '/phones/15550390005')
    assert.deepEqual(
      devices.map(({ id }) => id),
      [0],
      'the phone lists no dead device',
    )
    assert.equal((await paid.status()).status.connected, true)
    assert.equal((await connect(other)).status, 429)
    await paid.call('POST', '/instance/disconnect')
    const again = await connect(other)
    await scan('15550390006', again.body.instance.qrcodeText)
    await other.connected()
  })
})
