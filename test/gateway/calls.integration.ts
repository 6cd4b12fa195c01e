import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  with: string
  direction: string
  video: boolean
  state: string
  reason: string | null
}

const ANA = '15550710001'
const BEN = '15550710002'
const EVE = '15550710003'
const KIM = '15550710004'

describe('calls', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { SEND_ACK_TIMEOUT_MS: '700' },
    phones: { [BEN]: 'Ben', [EVE]: { name: 'Eve', addressing: 'lid' }, [KIM]: { name: 'Kim', addressing: 'lid' } },
    account: [ANA, 'Ana'],
    events: ['call'],
    // Makes the number behind this LID known.
    complete: () => writes(EVE),
  })

  const findChat = (phone: string) => ana.chat(`${phone}@s.whatsapp.net`)
  const writes = async (phone: string) => {
    await world.write(phone, ANA, 'hello')
    await findChat(phone)
  }
  const findLid = async (phone: string) => (await world.network<{ lid: string }>('GET', `/phones/${phone}`)).lid
  /** A call as the caller's client may write it; the network says only whom it is from. */
  const written = (from: string, tag: string, attrs: Record<string, string>) =>
    world.network('POST', '/faults/stanza', {
      phone: ANA,
      device: 1,
      stanza: {
        tag: 'call',
        attrs: { from, id: attrs['call-id'], t: String(Math.floor(Date.now() / 1000)) },
        content: [{ tag, attrs }],
      },
    })

  const reject = (body: Json) => ana.call<Json>('POST', '/call/reject', body)
  const act = (phone: string, what: string, body: Json) => world.network('POST', `/phones/${phone}/${what}`, body)
  const call = (phone: string, id: string) =>
    world.network<Shown[]>('GET', `/phones/${phone}/calls`).then((all) => all.find((one) => one.id === id))
  const shows = (phone: string, id: string, state: string) =>
    eventually(
      () => call(phone, id),
      (one) => one?.state === state,
    )
  const told = (id: string, state: string) =>
    eventually(() =>
      receiver.of('call').find(({ body }) => (body.event as Json).CallID === id && body.state === state),
    ).then((event) => event?.body as unknown as { type: string; state: string; event: Json })
  /** Rings, and is reported as ringing. */
  const ring = async (phone: string, more: Json = {}) => {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${phone}/call`, { to: ANA, ...more })
    const { type, event } = await told(id, 'Ringing')
    return { id, type, event }
  }
  const states = (id: string) =>
    receiver
      .of('call')
      .filter(({ body }) => (body.event as Json).CallID === id)
      .map(({ body }) => body.state)

  it('produce events with the caller, and end for the caller when they are rejected', async () => {
    for (const [phone, video] of [
      [BEN, false],
      [EVE, true],
    ] as const) {
      const { id, type, event } = await ring(phone, { video })
      assert.equal(event.IsLate, false)
      const { lid } = await world.network<{ lid: string }>('GET', `/phones/${phone}`)
      const creator = phone === EVE ? lid : `${phone}@s.whatsapp.net`
      assert.deepEqual(
        [type, event.CallCreator, event.IsVideo, event.IsGroup, event.GroupJID, (event.Data as Json).Tag],
        ['CallOffer', creator, video, false, '', 'offer'],
      )
      if (phone === EVE) assert.deepEqual([event.From, event.sender_lid], [`${EVE}@s.whatsapp.net`, lid])
      assert.ok(Math.abs(Number(event.Timestamp) - Date.now() / 1000) < 60)
      const { status, body } = await reject({ number: phone, id })
      assert.deepEqual([status, body], [200, { response: 'Call rejected', id }])
      await shows(phone, id, 'rejected')
      // The account's own phone stops ringing.
      assert.equal((await shows(ANA, id, 'ended'))?.reason, 'rejected_elsewhere')
      const { type: last, event: end } = await told(id, 'Rejected')
      assert.deepEqual([last, end.From, end.CallCreator], ['CallReject', `${ANA}@s.whatsapp.net`, creator])
    }
  })

  it('of an unknown number are reported by LID, with the number that the caller claims', async () => {
    const lid = await findLid(KIM)
    const { id, event } = await ring(KIM)
    assert.deepEqual(
      [event.From, event.sender_pn, event.CallCreator, event.CallCreatorAlt],
      [lid, '', lid, `${KIM}@s.whatsapp.net`],
    )
    assert.equal((await reject({ number: KIM, id })).status, 200)
    await shows(KIM, id, 'rejected')
    await writes(KIM)
    const again = await ring(KIM)
    assert.deepEqual([again.event.From, again.event.sender_lid], [`${KIM}@s.whatsapp.net`, lid])
    await act(KIM, 'hangup', { id: again.id })
  })

  it("never give a caller the number or the chat of another person, whatever the caller's client writes", async () => {
    await ana.connected()
    await writes(BEN)
    const [ben, eve] = [`${BEN}@s.whatsapp.net`, await findLid(EVE)]
    const before = [await findChat(BEN), await findChat(EVE)].map((chat) => chat?.id)
    const mallory = '990000000000001@lid'
    const claims = { 'call-creator': '990000000000001:3@lid', caller_pn: ben, 'group-jid': ben }
    await written(mallory, 'terminate', { 'call-id': 'PLANTED1', ...claims })
    const { event } = await told('PLANTED1', 'Ended')
    assert.deepEqual(
      [event.From, event.sender_pn, event.CallCreatorAlt, event.IsGroup, event.GroupJID],
      [mallory, '', ben, false, ''],
    )
    await written(mallory, 'terminate', { 'call-id': 'PLANTED3', 'call-creator': `${'x'.repeat(500)}@lid` })
    assert.equal((await told('PLANTED3', 'Ended')).event.CallCreator, mallory)
    // Says to be called by Ben.
    await written(eve, 'offer', { 'call-id': 'PLANTED2', 'call-creator': ben, caller_lid: eve })
    assert.equal((await told('PLANTED2', 'Ringing')).event.From, `${EVE}@s.whatsapp.net`)
    assert.deepEqual(
      [await findChat(BEN), await findChat(EVE)].map((chat) => chat?.id),
      before,
    )
    await ana.text(BEN, 'for Ben alone')
    const heard = await eventually(
      () => world.network<Json[]>('GET', `/phones/${BEN}/messages`),
      (all) => all.some(({ text }) => text === 'for Ben alone'),
    )
    assert.ok(heard)
    // The network knows nothing of this call; only the notified devices count.
    await reject({ id: 'PLANTED2' })
    const frames = await world.network<Json[]>('GET', '/log/frames?tag=call&direction=in')
    assert.equal(frames.at(-1)?.to, eve)
    await written(eve, 'terminate', { 'call-id': 'PLANTED2', 'call-creator': ben })
    await told('PLANTED2', 'Ended')
  })

  it('are not rejected without an id, even when only one rings', async () => {
    const { id } = await ring(BEN)
    for (const body of [{}, { number: BEN }]) {
      const answer = await reject(body)
      assert.deepEqual(
        [answer.status, answer.body.error, answer.body.code],
        [400, 'Missing call id', 'MISSING_CALL_ID'],
      )
    }
    assert.equal((await call(BEN, id))?.state, 'ringing')
    assert.equal((await reject({ id })).body.id, id)
    await shows(BEN, id, 'rejected')
  })

  it('are reported as ended elsewhere when the phone accepts or rejects them', async () => {
    const accepted = await ring(BEN)
    await act(ANA, 'answer', { id: accepted.id })
    assert.equal((await told(accepted.id, 'AcceptedElsewhere')).event.Reason, 'accepted_elsewhere')
    await shows(BEN, accepted.id, 'accepted')
    await act(BEN, 'hangup', { id: accepted.id })
    assert.equal((await told(accepted.id, 'Ended')).type, 'CallTerminate')
    const rejected = await ring(BEN)
    await act(ANA, 'decline', { id: rejected.id })
    await told(rejected.id, 'RejectedElsewhere')
    await shows(BEN, rejected.id, 'rejected')
  })

  it('are reported as timed out or canceled when nobody answers', async () => {
    const long = await ring(BEN)
    await act(BEN, 'hangup', { id: long.id, reason: 'timeout' })
    assert.equal((await told(long.id, 'Timeout')).event.Reason, 'timeout')
    const short = await ring(BEN)
    await act(BEN, 'hangup', { id: short.id })
    await told(short.id, 'Ended')
    assert.deepEqual(states(short.id), ['Ringing', 'Ended'])
  })

  it('to a group are reported as group calls, and can be rejected', async () => {
    const group = await world.network('POST', '/groups', { owner: BEN, subject: 'Trip', members: [ANA, EVE] })
    const jid = String(group.jid)
    const { id, type, event } = await ring(BEN, { to: jid, video: true })
    assert.deepEqual([type, event.IsGroup, event.GroupJID, event.IsVideo], ['CallOfferNotice', true, jid, true])
    assert.equal((await reject({ number: jid, id })).body.id, id)
    await shows(BEN, id, 'rejected')
  })

  it('are reported after the instance returns if they rang while it was away', async () => {
    await world.network('POST', '/faults/close', { phone: ANA, device: 1, abrupt: true })
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/call`, { to: ANA })
    await act(BEN, 'hangup', { id, reason: 'timeout' })
    assert.equal((await told(id, 'Timeout')).event.IsLate, true)
    assert.equal((await told(id, 'Ringing')).event.IsLate, true)
    assert.deepEqual(states(id), ['Ringing', 'Timeout'])
    await ana.connected()
    const now = await ring(BEN)
    assert.equal(now.event.IsLate, false)
    await act(BEN, 'hangup', { id: now.id })
  })

  it('name the LID of a caller who rings by number, if it is known, and are rejected by the number', async () => {
    await ana.connected()
    await writes(BEN)
    const lid = await findLid(BEN)
    await eventually(
      () => findChat(BEN),
      (chat) => chat?.wa_chatlid === lid,
    )
    const { id, event } = await ring(BEN)
    const number = `${BEN}@s.whatsapp.net`
    assert.deepEqual([event.From, event.sender_pn, event.sender_lid, event.AddressingMode], [number, number, lid, 'pn'])
    assert.equal((await reject({ id })).status, 200)
    const frames = await world.network<Json[]>('GET', '/log/frames?tag=call&direction=in')
    assert.equal(frames.at(-1)?.to, number)
    await shows(BEN, id, 'rejected')
  })

  it('are reported once when the network repeats them', async () => {
    await ana.connected()
    const fault = await world.network('POST', '/faults', { kind: 'duplicate', phone: ANA, device: 1 })
    const { id } = await ring(BEN)
    await act(BEN, 'hangup', { id })
    await told(id, 'Ended')
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    // Of another call, so that earlier ones were reported.
    await act(BEN, 'hangup', { id: (await ring(BEN)).id })
    assert.deepEqual(states(id), ['Ringing', 'Ended'])
  })

  it('return an error when the network refuses the rejection or does not answer', async () => {
    await ana.connected()
    const unknown = await reject({ number: BEN, id: 'N0SUCHCA11' })
    assert.deepEqual(
      [unknown.status, unknown.body.error, unknown.body.code, unknown.body.provider_code],
      [500, 'error rejecting call: WhatsApp refused it with 404', 'CALL_REJECT_FAILED', 404],
    )
    const { id } = await ring(BEN)
    const fault = await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ANA, device: 1 })
    const { status, body } = await reject({ number: BEN, id })
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    assert.deepEqual([status, body.error, body.code], [500, 'error rejecting call: timeout', 'CALL_REJECT_FAILED'])
    assert.ok(!states(id).includes('Rejected'))
  })

  it('with a wrong id or number are refused, and change nothing', async () => {
    const { id } = await ring(BEN)
    const before = await visibleState(world, ana)
    for (const [body, error] of [
      [{ number: EVE, id }, 'Invalid number: it is not the one that rings.'],
      [{ id: 'N0SUCHCA11' }, 'Invalid number: it is required, nothing is known of this call.'],
      [{ number: 'abc', id }, 'Invalid number: it is not a phone number with country code (6 to 15 digits).'],
    ] as const) {
      const answer = await reject(body)
      assert.deepEqual([answer.status, answer.body.error], [400, error])
    }
    assert.equal(await visibleState(world, ana), before)
    assert.equal((await call(BEN, id))?.state, 'ringing')
    await act(BEN, 'hangup', { id })
  })

  it('are rejected by the gateway itself when the settings say so, with one text for each caller, people and groups apart', async () => {
    const set = (body: Json) => ana.call<Json>('POST', '/instance/callsettings', body)
    const off = { reject: false, text: '' }
    assert.deepEqual((await ana.call<Json>('GET', '/instance/callsettings')).body, { people: off, groups: off })
    const text = 'No calls here, {{name}}'
    const answer = await set({ people: { reject: true, text } })
    assert.deepEqual([answer.status, answer.body], [200, { people: { reject: true, text }, groups: off }])
    for (const _ of [1, 2]) {
      const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/call`, { to: ANA })
      await shows(BEN, id, 'rejected')
      await told(id, 'Rejected')
    }
    const texts = async () =>
      (await world.network<Json[]>('GET', `/phones/${BEN}/messages`)).filter(({ text }) =>
        /No calls/.test(String(text)),
      )
    await eventually(texts, (all) => all.length > 0)
    // A call to a group rings on.
    const group = await world.network('POST', '/groups', { owner: BEN, subject: 'Calls', members: [ANA] })
    const jid = String(group.jid)
    const rings = await ring(BEN, { to: jid })
    assert.equal((await call(BEN, rings.id))?.state, 'ringing')
    await act(BEN, 'hangup', { id: rings.id })
    assert.deepEqual((await set({ people: off, groups: { reject: true, text: 'Not here' } })).body.people, off)
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/call`, { to: jid })
    await shows(BEN, id, 'rejected')
    await eventually(async () =>
      (await world.network<Json[]>('GET', `/phones/${BEN}/messages`)).some(
        ({ text, chat }) => text === 'Not here' && chat === jid,
      ),
    )
    const direct = await ring(BEN)
    assert.equal((await call(BEN, direct.id))?.state, 'ringing')
    await act(BEN, 'hangup', { id: direct.id })
    assert.equal((await texts()).length, 1)
    assert.equal((await set({ people: { reject: 'often' }, groups: { text: 'x'.repeat(1_001) } })).status, 400)
    await set({ groups: off })
  })

  it('of an instance that is not connected are answered with the words of the specification', async () => {
    const idle = await world.instance('idle')
    const answer = await idle.call<Json>('POST', '/call/reject', { number: BEN, id: 'CA11' })
    assert.deepEqual([answer.status, answer.body.error], [409, 'client not found'])
    const token = await world.gateway.call<Json>('POST', '/call/reject', { token: 'wrong', body: {} })
    assert.deepEqual([token.status, token.body.error], [401, 'Invalid token'])
  })
})
