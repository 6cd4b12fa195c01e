import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startWorld, type World } from '../support/world.js'

type Json = Record<string, unknown>
interface Login {
  readonly device: string
}

it('a silent network: the instance soon stops being connected, reconnects, and sends the message under its id', async (t) => {
  const world = await startWorld(t, {
    NETWORK_SILENCE_MAX_MS: '1500',
    RECONNECT_DELAY_MAX_MS: '200',
    SEND_ACK_TIMEOUT_MS: '500',
  })
  const ana = await world.paired('15550800001', 'Ana')
  await world.phone('15550800002')
  await ana.text('15550800002', 'before')
  const { id } = await world.network<{ id: number }>('POST', '/faults', {
    kind: 'silent',
    phone: ana.number,
    device: 1,
  })
  const unanswered = await ana.text('15550800002', 'into the silence')
  assert.equal(unanswered.status, 'pending')
  await eventually(
    () => ana.status(),
    ({ status }) => !status.connected,
    // The library would find it too, later.
  )
  await world.network('DELETE', `/faults/${id}`)
  await ana.connected()
  const heard = await eventually(
    () => world.network<{ id: string; text: string; arrivals: number }[]>('GET', '/phones/15550800002/messages'),
    (all) => all.some(({ text }) => text === 'into the silence'),
  )
  assert.deepEqual(
    heard.map(({ text }) => text),
    ['before', 'into the silence'],
  )
  assert.equal(heard[1]?.id, unanswered.messageid)
})

describe('a connection that is looked after', () => {
  const cleanup = suiteCleanup()
  let world: World
  before(async () => {
    world = await startWorld(cleanup, {
      NETWORK_ANSWER_MAX_MS: '1000',
      RECONNECT_DELAY_MAX_MS: '200',
      SEND_ACK_TIMEOUT_MS: '200',
    })
  })

  it('a network that takes messages without an answer: the connection is opened again once, not for ever', async () => {
    const ana = await world.paired('15550800011', 'Ana')
    await world.phone('15550800012')
    const logins = async () =>
      (await world.network<Login[]>('GET', `/log/logins?phone=${ana.number}`)).filter(({ device }) =>
        device.endsWith(':1'),
      )
    const before = (await logins()).length
    await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ana.number })
    assert.equal((await ana.text('15550800012', 'unanswered')).status, 'pending')
    await eventually(logins, (all) => all.length === before + 1)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    assert.equal((await logins()).length, before + 1, 'once must do')
    await world.network('DELETE', '/faults')
    const [message] = await eventually(
      () => world.network<Json[]>('GET', '/phones/15550800012/messages'),
      (all) => all.length > 0,
    )
    assert.equal(message?.text, 'unanswered')
  })

  it('messages that the library passes over are not waited for', async () => {
    const ana = await world.paired('15550800031', 'Ana')
    const logins = async () => (await world.network<Login[]>('GET', `/log/logins?phone=${ana.number}`)).length
    const before = await logins()
    const bytes = (text: string) => Buffer.from(text).toString('base64')
    const enc = (type: string) => ({ tag: 'enc', attrs: { v: '2', type }, content: bytes(type) })
    const stanza = (id: string, content: Json[]) => ({
      tag: 'message',
      attrs: { id, from: '15550800032@s.whatsapp.net', type: 'text', t: String(Math.floor(Date.now() / 1000)) },
      content,
    })
    for (const made of [
      // It answers at the first, and decrypts neither.
      stanza('PASSED0VER', [enc('msmsg'), enc('skmsg')]),
      // It does not get as far as the ciphertext when the name cannot be decoded.
      stanza('N0NAME', [{ tag: 'verified_name', content: bytes('no certificate') }, enc('msg')]),
    ])
      await world.network('POST', '/faults/stanza', { phone: ana.number, device: 1, stanza: made })
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    assert.equal(await logins(), before)
    // The content behind such a name was checked.
    const retries = await world.network<Json[]>('GET', '/log/retries')
    assert.ok(retries.some(({ id }) => id === 'N0NAME'))
  })

  it('the status shows the traffic of the connection', async () => {
    const ana = await world.paired('15550800021', 'Ana')
    await world.phone('15550800022')
    type Traffic = {
      lastReceivedAt: string
      lastMessageAt: string | null
      lastAckAt: string | null
      unacknowledged: number
    }
    const traffic = async () => (await ana.status()).status as unknown as { traffic: Traffic | null }
    const startedMs = Date.now()
    await ana.text('15550800022', 'out')
    await world.network('POST', '/phones/15550800022/text', { to: ana.number, text: 'in' })
    const seen = await eventually(traffic, ({ traffic: now }) => now?.lastMessageAt != null)
    assert.ok(Date.parse(seen.traffic?.lastAckAt ?? '') >= startedMs - 1_000)
    assert.ok(Date.parse(seen.traffic?.lastReceivedAt ?? '') >= startedMs - 1_000)
    assert.equal(seen.traffic?.unacknowledged, 0)
    await ana.call('POST', '/instance/disconnect')
    assert.equal((await traffic()).traffic, null)
  })
})
