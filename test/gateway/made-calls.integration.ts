import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  with: string
  direction: string
  video: boolean
  state: string
  reason: string | null
}

const ANA = '15550720001'
const BEN = '15550720002'
const EVE = '15550720003'

describe('calls that an account makes', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { SEND_ACK_TIMEOUT_MS: '700' },
    phones: { [BEN]: 'Ben', [EVE]: { name: 'Eve', addressing: 'lid' } },
    account: [ANA, 'Ana'],
    events: ['call'],
  })

  const make = (body: Json) => ana.call<Json>('POST', '/call/make', body)
  const act = (phone: string, what: string, body: Json) => world.network('POST', `/phones/${phone}/${what}`, body)
  const calls = (phone: string) => world.network<Shown[]>('GET', `/phones/${phone}/calls`)
  const at = async (phone: string, id: unknown, state: string) =>
    await eventually(
      async () => (await calls(phone)).find((one) => one.id === id),
      (one) => one?.state === state,
    )
  const events = (id: unknown) => receiver.of('call').filter(({ body }) => (body.event as Json).CallID === id)
  const eventAt = (id: unknown, index: number) =>
    (events(id)[index]?.body ?? { event: {} }) as unknown as { type: string; event: Json }
  const told = (id: unknown, ...states: string[]) =>
    eventually(
      () => events(id).map(({ body }) => body.state),
      (now) => JSON.stringify(now) === JSON.stringify(states),
    )
  const ring = async (phone: string, more: Json = {}) => {
    const { status, body } = await make({ number: phone, call_duration: 60, ...more })
    assert.equal(status, 200, JSON.stringify(body))
    await at(phone, body.id, 'ringing')
    return body.id
  }
  const isFree = async (id: unknown) => {
    // An end by this account is told when the network has taken it, one by the other side when it came.
    await eventually(() => ['Ended', 'Timeout', 'Rejected'].includes(String(events(id).at(-1)?.body.state)))
  }

  it('ring all phones of a person, with events of the account, and end when it hangs up', async () => {
    for (const [phone, video] of [
      [BEN, false],
      [EVE, true],
    ] as const) {
      const { status, body } = await make({ number: phone, call_duration: 60, video })
      assert.deepEqual([status, body.response, body.call_duration], [200, 'Call started', 60])
      const shown = await at(phone, body.id, 'ringing')
      assert.deepEqual([shown?.direction, shown?.with, shown?.video], ['in', ANA, video])
      await told(body.id, 'Ringing')
      const { type, event } = eventAt(body.id, 0)
      assert.deepEqual(
        [type, event.IsOutgoing, event.From, event.IsVideo, event.To],
        ['CallOffer', true, `${ANA}@s.whatsapp.net`, video, `${phone}@s.whatsapp.net`],
      )
      const rejected = await ana.call<Json>('POST', '/call/reject', { id: body.id })
      assert.deepEqual([rejected.status, rejected.body.id], [200, body.id])
      assert.equal((await at(phone, body.id, 'ended'))?.reason, null)
      await told(body.id, 'Ringing', 'Ended')
    }
  })

  it('end by themselves after their time, as a phone that rang long enough', async () => {
    const { body } = await make({ number: BEN, call_duration: 1 })
    assert.equal((await at(BEN, body.id, 'ended'))?.reason, 'timeout')
    await told(body.id, 'Ringing', 'Timeout')
    assert.equal(eventAt(body.id, 1).event.Reason, 'timeout')
  })

  it('end when they are refused, and at once when they are answered, since there is no sound', async () => {
    const refused = await ring(BEN)
    await act(BEN, 'decline', { id: refused })
    await told(refused, 'Ringing', 'Rejected')
    const { event } = eventAt(refused, 1)
    assert.deepEqual([event.IsOutgoing, event.From], [true, `${BEN}@s.whatsapp.net`])
    const answered = await ring(EVE)
    await act(EVE, 'answer', { id: answered })
    await at(EVE, answered, 'ended')
    await told(answered, 'Ringing', 'Accepted', 'Ended')
  })

  it('are made one at a time, and stand in the answer of a repeated call with the same key', async () => {
    const key = { 'idempotency-key': 'call-1' }
    const ask = () => ana.call<Json>('POST', '/call/make', { number: BEN, call_duration: 60 }, key)
    const first = await ask()
    await at(BEN, first.body.id, 'ringing')
    const before = (await calls(BEN)).length
    assert.deepEqual((await ask()).body, first.body)
    const second = await make({ number: EVE })
    assert.deepEqual([second.status, second.body.code], [409, 'CALL_RUNNING'])
    assert.equal((await calls(BEN)).length, before)
    await act(BEN, 'decline', { id: first.body.id })
    await isFree(first.body.id)
    const next = await ring(EVE)
    await ana.call('POST', '/call/reject', { id: next })
    await told(next, 'Ringing', 'Ended')
  })

  it('do not end by what another person sends about them', async () => {
    const id = await ring(BEN)
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${EVE}`)
    const attrs = { 'call-id': String(id), 'call-creator': lid }
    await world.network('POST', '/faults/stanza', {
      phone: ANA,
      device: 1,
      stanza: { tag: 'call', attrs: { from: lid, id: 'F1', t: '1' }, content: [{ tag: 'reject', attrs }] },
    })
    await told(id, 'Ringing', 'Rejected')
    assert.equal(eventAt(id, 1).event.IsOutgoing, undefined)
    assert.equal((await make({ number: EVE })).body.code, 'CALL_RUNNING')
    await ana.call('POST', '/call/reject', { id })
    await at(BEN, id, 'ended')
  })

  it('do not ring where a person takes calls of known people only, and end all the same', async () => {
    const KIM = '15550720004'
    await world.phone(KIM, 'Kim')
    await world.network('POST', `/phones/${KIM}/privacy`, { category: 'calladd', value: 'known' })
    const { status, body } = await make({ number: KIM, call_duration: 1 })
    assert.equal(status, 200, JSON.stringify(body))
    await told(body.id, 'Ringing', 'Timeout')
    assert.deepEqual(await calls(KIM), [])
    await world.write(KIM, ANA, 'hello')
    await eventually(() => ana.chat(`${KIM}@s.whatsapp.net`))
    await ana.call('POST', '/call/reject', { id: await ring(KIM) })
  })

  it('are refused with a reason, and ring nobody', async () => {
    await world.network('POST', '/faults', { kind: 'ack-error', phone: ANA, device: 1, code: 403, times: 1 })
    const refused = await make({ number: BEN })
    assert.deepEqual([refused.status, refused.body.code, refused.body.provider_code], [502, 'NETWORK_REFUSED', 403])
    const before = [await calls(BEN), await calls(EVE)]
    for (const [body, status, code] of [
      [{}, 400, 'INVALID_REQUEST'],
      [{ number: BEN, call_duration: 0 }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, call_duration: 61 }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, video: 'yes' }, 400, 'INVALID_REQUEST'],
      [{ number: 'abc' }, 400, 'INVALID_NUMBER'],
      [{ number: '120363000000000001@g.us' }, 400, 'INVALID_NUMBER'],
      [{ number: ANA }, 400, 'INVALID_NUMBER'],
      [{ number: '15550729999' }, 404, 'NOT_ON_NETWORK'],
    ] as const) {
      const answer = await make(body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    assert.deepEqual([await calls(BEN), await calls(EVE)], before)
    const idle = await world.instance('idle')
    assert.equal((await idle.call<Json>('POST', '/call/make', { number: BEN })).body.code, 'INSTANCE_NOT_CONNECTED')
  })

  it('end when the network does not answer, so that nobody rings on', async () => {
    const fault = await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ANA, device: 1 })
    const { status, body } = await make({ number: BEN })
    assert.deepEqual([status, body.code], [504, 'OUTCOME_UNKNOWN'])
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    await eventually(async () => (await calls(BEN)).every(({ state }) => state !== 'ringing'))
  })

  it('have links, for voice and for video, at any time or at a certain one', async () => {
    const link = async (body: Json) => (await ana.call<Json>('POST', '/call/link', body)).body
    assert.match(String((await link({})).link), /^https:\/\/call\.whatsapp\.com\/voice\/[\w-]{22}$/)
    const startTime = '2027-01-31T19:00:00-03:00'
    assert.match(
      String((await link({ video: true, startTime })).link),
      /^https:\/\/call\.whatsapp\.com\/video\/[\w-]{22}$/,
    )
    assert.equal((await link({ startTime: 'tomorrow' })).code, 'INVALID_REQUEST')
    await world.network('POST', '/faults', { kind: 'ack-error', phone: ANA, device: 1, code: 500, times: 1 })
    const refused = await link({})
    assert.deepEqual([refused.code, refused.provider_code], ['NETWORK_REFUSED', 500])
  })
})
