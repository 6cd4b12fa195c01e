import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>

const [BEN, EVE] = ['15550690002', '15550690003']
const HOUR_SECONDS = 3_600

describe("the network's restrictions of an account", () => {
  let world: World
  let receiver: Receiver
  let ana: TestInstance
  let number = 15550690100
  const cleanup = suiteCleanup()
  before(async () => {
    // No look without a cause, so that each test knows who has asked.
    world = await startWorld(cleanup, { LIMITS_CHECK_MS: '0' })
    receiver = await startReceiver(cleanup)
    await world.phone(BEN, 'Ben')
    await world.phone(EVE, 'Eve')
  })
  beforeEach(async () => {
    number += 1
    ana = await world.paired(String(number))
    await ana.hook(receiver.url, { events: ['limits', 'sender'] })
  })

  const restrict = (body: Json) => world.network('POST', `/phones/${ana.number}/limits`, body)
  const lockFor = (seconds: number, enforcement_type = 'DEFAULT') => ({
    is_active: true,
    time_enforcement_ends: String(Math.floor(Date.now() / 1_000) + seconds),
    enforcement_type,
  })
  const limits = async () => (await ana.call<Json>('GET', '/instance/wa_messages_limits')).body
  const events = () =>
    receiver.of('limits').flatMap(({ body }) => (body.owner === ana.number ? [body.event as Json] : []))
  const told = (change: string) =>
    eventually(() => events().find((event) => event.change === change)).then((event) => event as Json)
  const send = (to: string) => ana.call<Json>('POST', '/send/text', { number: to, text: 'hello' })
  const queries = async () =>
    (await world.network<Json[]>('GET', `/log/frames?device=${ana.number}:1&tag=iq&direction=in`)).filter(
      ({ child }) => child === 'query',
    ).length

  it('are explained beside the refusal of a message, with the time at which to try again; known chats continue', async () => {
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'hello' })
    await eventually(async () => (await ana.call<{ chats: Json[] }>('POST', '/chat/find', {})).body.chats.length > 0)
    // The network does not tell of it by itself, and the library does not ask.
    await restrict({ lock: lockFor(HOUR_SECONDS, 'RESTRICT_ALL_COMPANIONS') })
    const { status, body } = await send(BEN)
    assert.deepEqual(
      [status, body.code, body.provider_code, body.error_key, body.error_source, body.diagnostics_endpoint],
      [502, 'SEND_REFUSED', 463, 'WHATSAPP_REACHOUT_TIMELOCK', 'whatsapp_server', '/instance/wa_messages_limits'],
    )
    assert.ok(Math.abs(Number(body.retryAfter) - HOUR_SECONDS) < 60, String(body.retryAfter))
    assert.equal(body.retryAfterSeconds, body.retryAfter)
    const { reachout_timelock: lock } = body.details as { reachout_timelock: Json }
    assert.deepEqual([lock.active, lock.enforcement_type], [true, 'RESTRICT_ALL_COMPANIONS'])
    assert.match(String(body.message_ptbr), /WhatsApp não permite/)
    assert.equal((await told('began')).restriction, 'reachout_timelock')
    // Further refusals ask no more within the minute.
    const asked = await queries()
    assert.equal((await send(BEN)).body.error_key, 'WHATSAPP_REACHOUT_TIMELOCK')
    assert.equal(await queries(), asked)
    assert.equal((await send(EVE)).status, 200)
    const shown = await limits()
    assert.deepEqual([shown.can_send_new_messages, shown.reachable], [false, true])
  })

  it('are events when they begin, change and end, also those of unknown kinds and without an end', async () => {
    const none = await limits()
    assert.deepEqual([none.can_send_new_messages, none.error_key, none.reachable], [true, '', true])
    await restrict({ lock: { is_active: true, enforcement_type: 'A_NEW_KIND' }, tell: true })
    const began = await told('began')
    const lock = began.reachout_timelock as Json
    assert.deepEqual(
      [began.can_send_new_messages, lock.active, lock.until, lock.enforcement_type],
      [false, true, null, 'A_NEW_KIND'],
    )
    const refused = await send(BEN)
    assert.deepEqual([refused.body.error_key, refused.body.retryAfter], ['WHATSAPP_REACHOUT_TIMELOCK', undefined])
    await restrict({ lock: lockFor(HOUR_SECONDS, 'A_NEW_KIND'), tell: true })
    assert.match(String(((await told('changed')).reachout_timelock as Json).until), /^20\d\d-/)
    await restrict({ lock: null, tell: true })
    assert.equal((await told('ended')).can_send_new_messages, true)
    assert.equal((await send(BEN)).status, 200)
    assert.deepEqual(
      events().map(({ change }) => change),
      ['began', 'changed', 'ended'],
    )
  })

  it('of the quota of new chats are emitted with each warning, and their refusals name the end of the cycle', async () => {
    const cycle_end_timestamp = String(Math.floor(Date.now() / 1_000) + HOUR_SECONDS)
    const cap = (capping_status: string, used_quota: string) => ({
      total_quota: '10',
      used_quota,
      cycle_start_timestamp: '1700000000',
      cycle_end_timestamp,
      capping_status,
      ote_status: 'ELIGIBLE',
      mv_status: 'NOT_ELIGIBLE',
    })
    await restrict({ cap: cap('FIRST_WARNING', '8'), tell: true })
    const warned = await told('began')
    assert.deepEqual([warned.restriction, warned.can_send_new_messages], ['new_chat_message_capping', true])
    await restrict({ cap: cap('CAPPED', '10'), tell: true })
    assert.equal((await told('changed')).can_send_new_messages, false)
    const { body } = await send(BEN)
    assert.deepEqual([body.error_key, body.provider_code], ['WHATSAPP_NEW_CHAT_MESSAGE_CAPPING', 463])
    assert.ok(Math.abs(Number(body.retryAfter) - HOUR_SECONDS) < 60)
    const shown = (await limits()).new_chat_message_capping as Json
    assert.deepEqual([shown.status, shown.used_quota, shown.total_quota, shown.active], ['CAPPED', 10, 10, true])
    await restrict({ cap: null, tell: true })
    await told('ended')
  })

  it('of the quota come by themselves as the network counts people who never wrote, until it refuses the next one', async () => {
    const cycle_end_timestamp = String(Math.floor(Date.now() / 1_000) + HOUR_SECONDS)
    const cap = { total_quota: '5', used_quota: '0', capping_status: 'NONE', cycle_end_timestamp }
    await restrict({ cap, count: true })
    const strangers = Array.from({ length: 6 }, (_, index) => `${ana.number}${index + 1}`)
    for (const stranger of strangers) await world.phone(stranger)
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'hello' })
    await eventually(async () => (await ana.call<{ chats: Json[] }>('POST', '/chat/find', {})).body.chats.length > 0)
    const statuses: number[] = []
    for (const stranger of strangers) statuses.push((await send(stranger)).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 502])
    // Somebody who wrote is not a part of the quota.
    assert.equal((await send(EVE)).status, 200)
    const stages = () => events().map((event) => (event.new_chat_message_capping as Json).status)
    assert.deepEqual(await eventually(stages, (all) => all.length >= 3), ['FIRST_WARNING', 'SECOND_WARNING', 'CAPPED'])
    const shown = (await limits()).new_chat_message_capping as Json
    assert.deepEqual([shown.used_quota, shown.active], [5, true])
  })

  it('survive a new connection, and stay as they were while the network refuses the question', async () => {
    await restrict({ lock: lockFor(HOUR_SECONDS), tell: true })
    await told('began')
    await world.network('POST', '/faults', { kind: 'mex-refused', phone: ana.number, code: 429 })
    await ana.call('POST', '/instance/reset')
    await ana.connected()
    const shown = await limits()
    assert.equal(shown.can_send_new_messages, false)
    assert.equal((shown.reachout_timelock as Json).lookup_error, '429')
    await world.network('DELETE', '/faults')
    assert.deepEqual(
      events().map(({ change }) => change),
      ['began'],
    )
  })

  it('are forgotten when the instance is paired with another account', async () => {
    await restrict({ lock: lockFor(HOUR_SECONDS), tell: true })
    await told('began')
    await ana.call('POST', '/instance/disconnect')
    const other = String(15550690900 + (number % 100))
    await world.phone(other)
    await world.network('POST', '/faults', { kind: 'mex-refused', phone: other, code: 429 })
    const { body } = await ana.call<{ instance: { paircode: string } }>('POST', '/instance/connect', { phone: other })
    await world.network('POST', `/phones/${other}/code`, { code: body.instance.paircode })
    await ana.connected()
    const shown = await limits()
    assert.deepEqual([shown.can_send_new_messages, shown.checked_at], [true, null])
    await world.network('DELETE', '/faults')
  })

  const queued = async (to: string, text: string) => String((await ana.text(to, text, { async: true })).messageid)
  const arrived = async (at: string) =>
    (
      await world.network<{ id: string; chat: string; text: string; atMs: number }[]>(
        'GET',
        `/phones/${at}/messages?own=false`,
      )
    )
      .filter(({ chat }) => chat === ana.number)
      .map(({ id, text, atMs }) => ({ id, text, atMs }))
  const texts = async (at: string) => (await arrived(at)).map(({ text }) => text)

  it('park asynchronous sends to people who never wrote until they end; other chats, and those who write, continue', async () => {
    const [ina, leo, nia] = [`${ana.number}1`, `${ana.number}2`, `${ana.number}3`]
    for (const number of [ina, leo, nia]) await world.phone(number)
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'hello' })
    await restrict({ lock: lockFor(HOUR_SECONDS) })
    // The network refuses the first one, and so tells of the lock.
    const first = await queued(ina, 'first')
    await told('began')
    const second = await queued(ina, 'second')
    await queued(leo, 'to Leo')
    await queued(EVE, 'goes on')
    await eventually(
      () => texts(EVE),
      (all) => all.includes('goes on'),
    )
    const shown = await eventually(limits, ({ parked }) => parked === 3)
    assert.deepEqual(
      (shown.holds as Json[]).map(({ kind }) => kind),
      ['reachout_timelock'],
    )
    assert.equal((await ana.messages({ id: first }))[0]?.status, 'queued')
    const { error, body } = { error: 463, body: (await send(leo)).body }
    assert.deepEqual([body.code, body.provider_code], ['SEND_REFUSED', error])
    const campaign = await begun([nia], 'to Nia')
    await eventually(
      () => folder(campaign),
      ({ log_parked: parked }) => parked === 1,
    )
    // A node that is killed forgets none of it, and does not try again.
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await ana.connected()
    await eventually(limits, ({ parked }) => parked === 4)
    await world.network('POST', `/phones/${leo}/text`, { to: ana.number, text: 'write to me' })
    await eventually(
      () => texts(leo),
      (all) => all.includes('to Leo'),
    )
    assert.deepEqual([await texts(ina), await texts(nia)], [[], []])
    await restrict({ lock: null, tell: true })
    await eventually(
      () => texts(nia),
      (all) => all.includes('to Nia'),
    )
    await eventually(
      () => arrived(ina),
      (all) => all.length === 2,
    )
    assert.deepEqual(
      (await arrived(ina)).map(({ id, text }) => [id, text]),
      [
        [first, 'first'],
        [second, 'second'],
      ],
    )
    await eventually(limits, ({ parked }) => parked === 0)
  })

  const begun = async (numbers: readonly string[], text: string) => {
    const body = { numbers, type: 'text', text, dedupe: false, delayMin: 0, delayMax: 0 }
    const answer = await ana.call<Json>('POST', '/sender/simple', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return String(answer.body.folder_id)
  }
  const folder = async (id: string) => (await ana.call<Json>('GET', `/sender/folder?id=${id}`)).body
  const recipients = async (id: string) =>
    (await ana.call<{ messages: Json[] }>('POST', '/sender/listmessages', { folder_id: id })).body.messages.map(
      ({ status, reason = '', provider_code: code = 0, attempts }) => [status, reason, code, attempts],
    )

  it('park recipients of a campaign who never wrote until they end; the others get it, and each once', async () => {
    const [ina, leo, mia] = [`${ana.number}1`, `${ana.number}2`, `${ana.number}4`]
    for (const number of [ina, leo, mia]) await world.phone(number)
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'hello' })
    await restrict({ lock: lockFor(HOUR_SECONDS) })
    const id = await begun([ina, leo, mia, EVE], 'news')
    const held = await eventually(
      () => folder(id),
      ({ log_parked: parked, log_sucess: sent }) => parked === 3 && sent === 1,
    )
    const hold = held.hold as Json
    assert.deepEqual([held.status, held.log_failed, hold.reason], ['sending', 0, 'reachout_timelock'])
    assert.ok(Date.parse(String(hold.until)) > Date.now() + (HOUR_SECONDS - 60) * 1_000, String(hold.until))
    // The receipt of the one that was sent may be stored a moment later.
    const listed = await eventually(
      () => recipients(id),
      (all) => all[3]?.[0] === 'delivered',
    )
    assert.deepEqual(listed, [
      ['parked', 'reachout_timelock', 463, 1],
      ['parked', 'reachout_timelock', 0, 0],
      ['parked', 'reachout_timelock', 0, 0],
      ['delivered', '', 0, 1],
    ])
    await world.network('POST', `/phones/${leo}/text`, { to: ana.number, text: 'hello' })
    await eventually(
      () => texts(leo),
      (all) => all.includes('news'),
    )
    assert.deepEqual(await texts(ina), [])
    await restrict({ lock: null, tell: true })
    const done = (await eventually(
      () => folder(id),
      ({ status }) => status === 'done',
    )) as Json
    assert.deepEqual([done.log_sucess, done.log_failed, done.log_parked, done.hold], [4, 0, 0, null])
    for (const phone of [ina, leo, mia]) assert.deepEqual(await texts(phone), ['news'])
    const reasons = receiver
      .of('sender')
      .filter(({ body }) => body.folder_id === id)
      .map(({ body }) => (body.hold as Json | null)?.reason)
    assert.ok(reasons.includes('reachout_timelock'), String(reasons))
  })

  it('for the rate, or for one person, park that recipient of a campaign; the person gets it once they write', async () => {
    const ina = `${ana.number}1`
    await world.phone(ina)
    const ofPerson = await world.network('POST', '/faults', {
      kind: 'strangers-refused',
      phone: ana.number,
      recipient: ina,
    })
    const id = await begun([ina, EVE, ina], 'for you')
    await eventually(
      () => folder(id),
      ({ log_sucess: sent, log_parked: parked }) => sent === 1 && parked === 2,
    )
    // The second message to Ina waits behind the first.
    const parked = (await recipients(id)).filter(([status]) => status === 'parked')
    assert.deepEqual(parked, [
      ['parked', 'refused', 463, 1],
      ['parked', 'behind', 0, 0],
    ])
    const waiting = await eventually(
      () => folder(id),
      ({ hold }) => hold !== null,
    )
    assert.ok(Number(waiting.next_at) > Date.now() + (24 * HOUR_SECONDS - 60) * 1_000, String(waiting.next_at))
    await world.network('POST', `/phones/${ina}/text`, { to: ana.number, text: 'hello' })
    await eventually(
      () => folder(id),
      ({ status }) => status === 'done',
    )
    assert.deepEqual(await texts(ina), ['for you', 'for you'])
    await world.network('DELETE', `/faults/${String(ofPerson.id)}`)
    const ofRate = await world.network('POST', '/faults', { kind: 'ack-error', phone: ana.number, code: 429, times: 1 })
    const sinceMs = Date.now()
    const second = await begun([EVE, ina], 'too fast')
    const rests = await eventually(
      () => folder(second),
      ({ hold }) => hold !== null,
    )
    assert.deepEqual([(rests.hold as Json).reason, rests.log_failed], ['rate_limit', 0])
    assert.ok(Number(rests.next_at) > sinceMs + 50_000)
    assert.deepEqual(await recipients(second), [
      ['parked', 'rate_limit', 429, 1],
      ['waiting', '', 0, 0],
    ])
    await ana.call('DELETE', '/sender/clearall')
    await world.network('DELETE', `/faults/${String(ofRate.id)}`)
  })

  it('park the message of a single person whom the network refuses, which they get once they have written', async () => {
    const ina = `${ana.number}3`
    await world.phone(ina)
    const rule = await world.network('POST', '/faults', {
      kind: 'strangers-refused',
      phone: ana.number,
      recipient: ina,
    })
    const id = await queued(ina, 'to Ina')
    await queued(BEN, 'to Ben')
    await eventually(
      () => texts(BEN),
      (all) => all.includes('to Ben'),
    )
    await eventually(limits, ({ parked }) => parked === 1)
    await world.network('POST', `/phones/${ina}/text`, { to: ana.number, text: 'hello' })
    await eventually(
      () => texts(ina),
      (all) => all.includes('to Ina'),
    )
    assert.match(String((await ana.messages({ id }))[0]?.status), /sent|delivered|pending/)
    await world.network('DELETE', `/faults/${String(rule.id)}`)
  })

  it('for the rate rest all asynchronous sends, and name the time at which to try again', async () => {
    const rule = await world.network('POST', '/faults', { kind: 'ack-error', phone: ana.number, code: 429, times: 1 })
    const sinceMs = Date.now()
    const { status, body } = await send(EVE)
    assert.deepEqual(
      [status, body.code, body.provider_code, body.error_key],
      [502, 'SEND_REFUSED', 429, 'WHATSAPP_RATE_LIMIT'],
    )
    assert.ok(Number(body.retryAfter) > 50 && Number(body.retryAfter) <= 60, String(body.retryAfter))
    assert.equal((await told('began')).restriction, 'rate_limit')
    const id = await queued(EVE, 'rests')
    assert.equal((await send(EVE)).status, 200)
    const shown = (await ana.call<Json>('GET', '/instance/health')).body
    assert.deepEqual([(shown.holds as Json[])[0]?.kind, (shown.queue as Json).pending], ['rate_limit', 1])
    assert.ok(Date.parse(String(shown.nextSendAt)) > sinceMs + 50_000)
    assert.equal((await ana.messages({ id }))[0]?.status, 'queued')
    const metrics = await (await fetch(`${world.gateway.url}/metrics`)).text()
    assert.match(metrics, /posthorn_limits\{kind="rate_limit"[^}]*\} [1-9]/)
    await ana.call('DELETE', '/message/async')
    await world.network('DELETE', `/faults/${String(rule.id)}`)
  })

  it('and the pause between two asynchronous sends, which its owner chooses, survives a crash: nothing leaves in a burst', async () => {
    const setTo = (body: Json) => ana.call<{ instance: Json }>('POST', '/instance/updateDelaySettings', body)
    const wrong = await setTo({ msg_delay_min: 'soon', msg_delay_max: 1 })
    assert.deepEqual([wrong.status, wrong.body.instance], [400, undefined])
    const { status, body } = await setTo({ msg_delay_min: 5.5, msg_delay_max: -1 })
    assert.deepEqual([status, body.instance.msg_delay_min, body.instance.msg_delay_max], [200, 5.5, 5.5])
    const ids = [await queued(EVE, 'paced 1'), await queued(EVE, 'paced 2')]
    const third = await ana.text(EVE, 'the third', { async: true })
    const { leaving, waiting } = third.today as Json
    // Shortly before midnight fewer leave.
    assert.ok(Number(leaving) + Number(waiting) >= 2 && Number(leaving) >= 1, JSON.stringify(third))
    // Those with a time of their own say the same of themselves.
    const delayed = await ana.text(EVE, 'delayed', { delay: 3_600_000 })
    const dueMs = Date.now() + 3_600_000
    const isToday = new Date(dueMs).getUTCDate() === new Date().getUTCDate()
    const ofDelayed = delayed.today as Json
    assert.deepEqual([ofDelayed.leaving, ofDelayed.waiting], isToday ? [1, 0] : [0, 1], JSON.stringify(delayed))
    const sendAt = new Date(Date.now() + 2 * 86_400_000).toISOString()
    const scheduled = await ana.text(EVE, 'scheduled', { send_at: sendAt })
    const { until, ...ofScheduled } = scheduled.today as Json
    assert.deepEqual(ofScheduled, { leaving: 0, waiting: 1, reason: 'scheduled' })
    assert.ok(Math.abs(Date.parse(String(until)) - Date.parse(sendAt)) < 60_000, String(until))
    const paced = async () => (await arrived(EVE)).filter(({ text }) => text.startsWith('paced'))
    await eventually(paced, (all) => all.length === 1)
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    const [former, latter] = await eventually(paced, (all) => all.length === 2)
    assert.deepEqual([former?.id, latter?.id], ids)
    const gapMs = (latter?.atMs ?? 0) - (former?.atMs ?? 0)
    assert.ok(gapMs >= 4_000, String(gapMs))
    assert.deepEqual((await setTo({ msg_delay_min: -5, msg_delay_max: 0 })).body.instance.msg_delay_min, 0)
    await ana.call('DELETE', '/message/async')
  })

  it('of a new number are told by the answer of a campaign, unless its age is named at the pairing', async () => {
    const strangers = Array.from({ length: 8 }, (_, index) => `551198765101${index}`)
    const campaign = { numbers: strangers, type: 'text', text: 'x', delayMin: 0, delayMax: 0 }
    const paired = (await ana.status()).instance
    assert.ok(Math.abs(Date.parse(String(paired.number_in_use_since)) - Date.now()) < 600_000, JSON.stringify(paired))
    const list = { recipients: Buffer.from(`number\n${strangers.join('\n')}\n`).toString('base64') }
    for (const dryRun of [true, false]) {
      for (const [path, more] of [
        ['simple', {}],
        ['import', list],
      ] as const) {
        const { numbers, ...content } = campaign
        const body = { ...content, ...(path === 'simple' ? { numbers } : more), dryRun, scheduled_for: dryRun ? 0 : 1 }
        const answer = (await ana.call<Json>('POST', `/sender/${path}`, body)).body
        const { until, ends, ...today } = answer.today as Json
        // Three wait for the next day, whose budget they fit into.
        assert.equal(String(ends).slice(0, 10), new Date(Date.now() + 86_400_000).toISOString().slice(0, 10))
        assert.deepEqual(today, { leaving: 5, waiting: 3, reason: 'new_chat_budget' }, JSON.stringify(answer))
        assert.ok(Date.parse(String(until)) > Date.now())
        assert.match(String(answer.warnings), /5 of 8 messages leave today.*number_in_use_since/)
      }
    }
    const old = '15550739901'
    await world.phone(old)
    const made = await world.instance('old', old)
    const wrong = { phone: old, number_in_use_since: new Date(Date.now() + 60_000).toISOString() }
    assert.equal((await made.call('POST', '/instance/connect', wrong)).status, 400)
    const since = '2020-01-02T00:00:00.000Z'
    await made.call('POST', '/instance/connect', { phone: old, number_in_use_since: since })
    await eventually(async () => (await made.status()).instance.paircode)
    // The owner ends before the phone scans.
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await made.call('POST', '/instance/connect', { phone: old })
    const code = await eventually(async () => (await made.status()).instance.paircode)
    await world.network('POST', `/phones/${old}/code`, { code })
    await made.connected()
    await eventually(
      async () => (await made.status()).instance.number_in_use_since,
      (now) => now === since,
    )
    const { ends, ...today } = (await made.call<Json>('POST', '/sender/simple', { ...campaign, scheduled_for: 1 })).body
      .today as Json
    assert.ok(Date.parse(String(ends)) - Date.now() < 600_000, String(ends))
    assert.deepEqual(today, { leaving: 8, waiting: 0, reason: null, until: null })
    const other = '2021-01-02T00:00:00.000Z'
    await made.call('POST', '/instance/connect', { number_in_use_since: other })
    await eventually(
      async () => (await made.status()).instance.number_in_use_since,
      (now) => now === other,
    )
  })

  it('are part of the health of the instance, with its last signs of life', async () => {
    const health = async () => (await ana.call<Json>('GET', '/instance/health')).body
    await world.network('POST', `/phones/${EVE}/text`, { to: ana.number, text: 'hello' })
    await send(EVE)
    const now = (await eventually(health, ({ lastInboundAt }) => lastInboundAt !== null)) as Json
    assert.deepEqual(
      [now.status, now.state, now.desiredState, now.cause, now.reason, now.lastDecryptErrorAt],
      ['connected', 'connected', 'connected', null, null, null],
    )
    for (const time of [now.lastInboundAt, now.lastAckAt, now.lastReceivedAt, now.since])
      assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 60_000, String(time))
    assert.equal((now.queue as Json).pending, 0)
    assert.equal((now.limits as Json).can_send_new_messages, true)
    await world.network('POST', '/faults/stream-error', { code: 401, phone: ana.number })
    const ended = (await eventually(health, ({ desiredState }) => desiredState === 'disconnected')) as Json
    assert.deepEqual([ended.status, ended.cause, ended.lastReceivedAt], ['disconnected', 'loggedOut', null])
    assert.match(String(ended.reason), /^401: logged out/)
    assert.ok(Date.parse(String(ended.since)) >= Date.parse(String(now.since)))
  })
})

describe('with LIMITS_CHECK_MS', () => {
  it('an account that was restricted before the login is known to be so after it', async (t) => {
    const world = await startWorld(t, { LIMITS_CHECK_MS: '300' })
    const receiver = await startReceiver(t)
    const ana = await world.paired('15550690201')
    await ana.hook(receiver.url, { events: ['limits'] })
    await world.network('POST', `/phones/${ana.number}/limits`, {
      lock: { is_active: true, time_enforcement_ends: '0', enforcement_type: 'DEFAULT' },
    })
    await ana.call('POST', '/instance/reset')
    await eventually(() => receiver.of('limits').length > 0)
  })
})
