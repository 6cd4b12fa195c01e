import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { TestInstance } from '../support/world.js'

const [ANA, BEN, EVE] = ['15550750001', '15550750002', '15550750003']
let stranger = 15550751000

describe('a message to a person who never wrote shows the token of a first contact', () => {
  const { world } = gatewaySuite({ env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' } })
  const makeStranger = async () => {
    const number = String(stranger++)
    await world.phone(number, `Stranger ${number}`)
    return number
  }
  const requireTokens = (phone: string) => world.network('POST', '/faults', { kind: 'token-required', phone })
  const setSalt = (phone: string, more: Record<string, unknown>) =>
    world.network('POST', `/phones/${phone}/contact-salt`, more)
  const logins = () => world.network<object[]>('GET', `/log/logins?device=${ANA}:1`)
  const write = async (from: TestInstance) => {
    const number = await makeStranger()
    return { number, ...(await from.call<{ messageid: string }>('POST', '/send/text', { number, text: 'hello' })) }
  }
  /** The salt arrives behind the call that tells it. */
  const isTaken = (from: TestInstance, wanted: boolean) =>
    eventually(
      () => write(from),
      ({ status }) => (status === 200) === wanted,
    )

  it('made from the salt in app state, on later connections too, until the salt is taken away', async () => {
    const ana = await world.paired(ANA, 'Ana')
    await requireTokens(ANA)
    assert.notEqual((await write(ana)).status, 200, 'WhatsApp refuses it without a token')

    await setSalt(ANA, { base64: randomBytes(32).toString('base64') })
    const { number, body } = await isTaken(ana, true)
    await world.shownAt(number, body.messageid)
    // The library sends edits.
    await ana.done('/message/edit', { id: body.messageid, text: 'hello again' })
    await world.shownAt(number, body.messageid, ({ text }: { text?: string }) => text === 'hello again')

    const former = (await logins()).length
    await world.network('POST', '/faults/stream-error', { code: 503, phone: ANA })
    await eventually(logins, (all) => all.length > former)
    await ana.connected()
    await isTaken(ana, true)

    await setSalt(ANA, {})
    await isTaken(ana, false)
  })

  it('made from the salt in the history, until app state tells a newer one', async () => {
    const former = randomBytes(32).toString('base64')
    await world.phone(BEN, 'Ben', { saltInHistory: true })
    await setSalt(BEN, { base64: former, isSynced: false })
    await requireTokens(BEN)
    const ben = await world.linked(BEN, 'Ben')
    await isTaken(ben, true)

    const newer = randomBytes(32).toString('base64')
    await setSalt(BEN, { base64: newer })
    await isTaken(ben, true)
    // A history that comes late has an old salt.
    await setSalt(BEN, { base64: former, isSynced: false })
    const late = { chats: [{ id: await makeStranger(), name: 'Late', messages: [{ text: 'late history' }] }] }
    await world.network('PUT', `/phones/${BEN}/history`, late)
    await world.network('POST', `/phones/${BEN}/history`)
    await eventually(async () => (await ben.messages({ limit: 100 })).some(({ text }) => text === 'late history'))
    await setSalt(BEN, { base64: newer, isSynced: false })
    assert.equal((await write(ben)).status, 200)
  })

  it('but not where there is no salt, and nothing is missing then', async () => {
    const eve = await world.paired(EVE, 'Eve')
    assert.equal((await write(eve)).status, 200)
  })
})
