import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

interface Presence {
  presence: string
  activity: string | null
  lastSeen: string | null
  lastSeenHidden: boolean
  knownAt: string | null
}
interface PresenceEvent {
  Chat: string
  Sender: string
  State: string
  Unavailable: boolean
  LastSeen?: number
}

const [ANA, BEN, KIM] = ['15550560001', '15550560002', '15550560003']

describe('presence', () => {
  let world: World
  let ana: TestInstance
  let receiver: Receiver
  const cleanup = suiteCleanup()
  before(async () => {
    world = await startWorld(cleanup, {})
    for (const phone of [BEN, KIM]) await world.phone(phone)
    ana = await world.paired(ANA)
    receiver = await startReceiver(cleanup)
    await ana.hook(receiver.url, { events: ['presence'] })
  })

  const look = (number: string) => ana.call<Presence & { code?: string }>('GET', `/contact/presence/${number}`)
  const be = (presence: string) => ana.call<{ shown: boolean }>('POST', '/instance/presence', { presence })
  const events = () => receiver.of('presence').map(({ body }) => body.event as PresenceEvent)
  const does = (phone: string, what: string, body: object) => world.network('POST', `/phones/${phone}/${what}`, body)
  const comes = (state: string) => eventually(events, (all) => all.some(({ State }) => State === state))
  /** The receipts that a phone gets for a text to the account. */
  async function receiptOfText(): Promise<string | undefined> {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text: 'hello' })
    const receipts = await eventually(
      () => world.network<{ type: string; fromDevice: number }[]>('GET', `/phones/${BEN}/receipts?id=${id}`),
      (all) => all.some(({ fromDevice }) => fromDevice === 1),
    )
    return receipts.find(({ fromDevice }) => fromDevice === 1)?.type
  }

  it('of others is not told to an account that is unavailable, and the answer says how to change that', async () => {
    const answer = await look(BEN)
    assert.deepEqual([answer.status, answer.body.code], [409, 'ACCOUNT_UNAVAILABLE'])
    assert.equal(await receiptOfText(), 'inactive')
    await does(BEN, 'typing', { to: ANA })
    assert.equal((await ana.status()).instance.current_presence, 'unavailable')
    assert.deepEqual(events(), [])
  })

  it('shows typing, its end, and effective receipts if it is set to available', async () => {
    const answer = await be('available')
    assert.deepEqual([answer.status, answer.body.shown], [200, true], JSON.stringify(answer.body))
    assert.equal((await ana.status()).instance.current_presence, 'available')
    assert.equal(await receiptOfText(), 'delivery')
    await does(BEN, 'typing', { to: ANA, state: 'recording' })
    const recording = (await comes('recording')).find(({ State }) => State === 'recording')
    assert.ok(recording?.Sender === recording?.Chat, JSON.stringify(recording))
    await does(BEN, 'typing', { to: ANA, state: 'paused' })
    await comes('paused')
  })

  it('of a person is returned on request, and emitted from then on, with the last seen', async () => {
    assert.equal((await look(BEN)).body.presence, 'unavailable')
    await does(BEN, 'presence', { available: true })
    await comes('available')
    const online = (await look(BEN)).body
    assert.deepEqual([online.presence, online.activity], ['available', null])
    await does(BEN, 'typing', { to: ANA })
    await eventually(
      () => look(BEN),
      ({ body }) => body.activity === 'composing',
    )
    await does(BEN, 'presence', { available: false })
    const away = await eventually(
      events,
      (all) => all.at(-1)?.State === 'unavailable' && all.at(-1)?.LastSeen !== undefined,
    )
    assert.equal(away.at(-1)?.Unavailable, true)
    const { body } = await look(BEN)
    assert.equal(body.presence, 'unavailable')
    assert.ok(Math.abs(Date.parse(body.lastSeen ?? '') - Date.now()) < 60_000, JSON.stringify(body))
  })

  it('is shown and watched again after a new login, with the token of a person who demands one', async () => {
    await world.network('PATCH', `/phones/${KIM}`, { presenceNeedsToken: true })
    await does(KIM, 'presence', { available: true })
    const silent = (await look(KIM)).body
    assert.deepEqual([silent.presence, silent.knownAt], ['unknown', null])
    await does(KIM, 'token', { to: ANA })
    await ana.call('POST', '/instance/reset', {})
    await ana.connected()
    await eventually(
      () => look(KIM),
      ({ body }) => body.presence === 'available',
    )
    assert.equal(await receiptOfText(), 'delivery')
    // The next owner knows no more than what is stored.
    await world.gateway.kill()
    await world.gateway.start()
    await ana.connected()
    await does(BEN, 'presence', { available: true })
    const before = events().length
    await does(BEN, 'presence', { available: false })
    await eventually(events, (all) => all.slice(before).some(({ State }) => State === 'unavailable'))
  })

  it('of an account whose phone has not sent a name yet is stored, and the answer says that it is not shown', async () => {
    await world.phone('15550560009', 'Nameless', { greetCompanions: false })
    const instance = await world.instance()
    const { body } = await instance.call<{ instance: { paircode: string } }>('POST', '/instance/connect', {
      phone: '15550560009',
    })
    await world.network('POST', '/phones/15550560009/code', { code: body.instance.paircode })
    await instance.connected()
    const answer = await instance.call<{ shown: boolean }>('POST', '/instance/presence', { presence: 'available' })
    assert.deepEqual([answer.status, answer.body.shown], [200, false])
    assert.equal((await instance.status()).instance.current_presence, 'available')
  })

  it('refuses what is not a presence and nobody', async () => {
    for (const presence of ['away', '', 1]) {
      const answer = await ana.call<{ details: { field: string }[] }>('POST', '/instance/presence', { presence })
      assert.deepEqual([answer.status, answer.body.details[0]?.field], [400, 'presence'])
    }
    for (const [number, code] of [
      ['120363000000000000@g.us', 'INVALID_NUMBER'],
      ['abc', 'INVALID_NUMBER'],
      ['15550569999', 'NOT_ON_NETWORK'],
    ] as const)
      assert.equal((await look(number)).body.code, code, number)
  })

  it('stops all of that if it is set back to unavailable', async () => {
    await be('unavailable')
    assert.equal(await receiptOfText(), 'inactive')
    const before = events().length
    await does(BEN, 'typing', { to: ANA })
    assert.equal((await look(BEN)).body.code, 'ACCOUNT_UNAVAILABLE')
    await ana.text(BEN, 'after the typing')
    assert.equal(events().length, before)
  })
})
