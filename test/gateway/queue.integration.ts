import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const BEN = '15550440002'

describe('the queue of asynchronous sends', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    // Longer delays are stored.
    env: { SEND_ACK_TIMEOUT_MS: '1500' },
    phones: { [BEN]: 'Ben' },
    account: ['15550440001', 'Ana'],
    events: ['messages_update'],
  })

  const queue = async (text: string, more: Json = {}) => (await ana.text(BEN, text, { ...more, async: true })).messageid
  const told = async () => (await ana.call<{ queue: Json }>('GET', '/message/async')).body.queue
  const clear = () => ana.call<{ stats: Json; error?: string }>('DELETE', '/message/async')
  const find = (query: Json) => ana.messages(query)
  const shownToAdministrator = async () =>
    (
      await world.gateway.call<{ instances: Json[] }>('POST', '/instance/find', {
        admin: true,
        body: { filter: { status: ['connected'] } },
      })
    ).body
  const texts = async () =>
    (await world.network<{ text: string; own: boolean }[]>('GET', `/phones/${BEN}/messages?own=false`)).map(
      ({ text }) => text,
    )

  it('is idle when it is empty', async () => {
    assert.deepEqual(await told(), {
      status: 'idle',
      pending: 0,
      processingNow: false,
      acceptingNewMessages: true,
      sessionReady: true,
      resetting: false,
    })
    assert.deepEqual((await clear()).body.stats, { canceled: 0 })
  })

  it('is cleared behind the send under way: the rest is canceled, reported, and never sent', async () => {
    // Its answer takes as long as one is waited for.
    const fault = await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ana.number, times: 1 })
    await world.network('POST', `/phones/${BEN}/offline`)
    const first = await queue('goes out')
    const rest = [await queue('canceled 1'), await queue('canceled 2'), await queue('canceled 3')]
    const { processingNow } = await eventually(told, (now) => now.status === 'processing' && now.pending === 3)
    assert.equal(processingNow, true)
    // The one whose answer is awaited waits too.
    const { instances } = await eventually(shownToAdministrator, (now) => now.instances[0]?.waitingSends === 4)
    assert.ok(Date.parse(String(instances[0]?.since)) <= Date.now(), JSON.stringify(instances[0]))
    const answer = await clear()
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    await world.network('POST', `/phones/${BEN}/online`)
    assert.deepEqual([answer.status, answer.body.stats], [200, { canceled: 3 }], JSON.stringify(answer.body))
    const canceled = await find({ status: 'Canceled' })
    assert.deepEqual(canceled.map(({ messageid }) => messageid).sort(), rest.sort())
    const events = await eventually(
      () =>
        receiver
          .of('messages_update')
          .filter(({ body }) => body.state === 'Canceled')
          .flatMap(({ body }) => (body.event as { MessageIDs: string[] }).MessageIDs),
      (ids) => ids.length === 3,
    )
    assert.deepEqual(events.sort(), rest)
    await queue('afterwards')
    await eventually(texts, (all) => all.includes('afterwards'))
    assert.deepEqual(await texts(), ['goes out', 'afterwards'])
    assert.ok(['sent', 'delivered'].includes(String((await find({ id: first }))[0]?.status)))
  })

  it('holds a send with a delay of up to a day, which a clearing cancels', async () => {
    const send = (text: string, more: Json = {}) => ana.call<Json>('POST', '/send/text', { number: BEN, text, ...more })
    const day = await send('tomorrow', { delay: 86_400_000 })
    assert.deepEqual([day.status, day.body.status], [200, 'queued'], JSON.stringify(day.body))
    const behind = await send('behind it')
    assert.equal(behind.body.status, 'queued')
    assert.equal((await told()).pending, 2)
    assert.deepEqual((await clear()).body.stats, { canceled: 2 })
    const free = await send('free again')
    assert.notEqual(free.body.status, 'queued')
    await eventually(texts, (all) => all.includes('free again'))
    assert.ok(!(await texts()).some((text) => ['tomorrow', 'behind it'].includes(text)))
    const longer = await send('later', { delay: 86_400_001 })
    assert.deepEqual([longer.status, longer.body.code], [400, 'INVALID_REQUEST'])
  })

  it('cancels one delayed or queued send by /message/delete, and the others of its chat continue', async () => {
    const send = (text: string, more: Json = {}) => ana.call<Json>('POST', '/send/text', { number: BEN, text, ...more })
    const cancel = (id: unknown) => ana.call<Json>('POST', '/message/delete', { id })
    const delayed = await send('not after all', { delay: 3_600_000 })
    assert.equal(delayed.body.status, 'queued')
    assert.equal((await find({ id: delayed.body.messageid }))[0]?.status, 'queued')
    const behind = await send('behind the canceled one')
    assert.equal(behind.body.status, 'queued')
    const answer = await cancel(delayed.body.messageid)
    assert.deepEqual([answer.status, answer.body.id], [200, delayed.body.messageid], JSON.stringify(answer.body))
    await eventually(texts, (all) => all.includes('behind the canceled one'))
    assert.equal((await find({ id: delayed.body.messageid }))[0]?.status, 'canceled')
    assert.equal((await cancel(delayed.body.messageid)).status, 200)

    const first = await queue('holds the line', { delay: 1_500 })
    const [second, third] = [await queue('canceled in the line'), await queue('continues in the line')]
    assert.equal((await cancel(second)).status, 200)
    await eventually(texts, (all) => all.includes('continues in the line'))
    assert.deepEqual(
      (await texts()).filter((text) => /canceled in|not after/.test(text)),
      [],
    )
    for (const [id, status] of [
      [first, /sent|delivered/],
      [second, /canceled/],
      [third, /sent|delivered/],
    ] as const)
      await eventually(
        async () => String((await find({ id }))[0]?.status),
        (shown) => status.test(shown),
      )
  })

  it('a delay holds back its chat only, in the queue too: the order of each chat is kept, and it can be canceled meanwhile', async () => {
    const [eve, mia] = ['15550440004', '15550440005']
    for (const phone of [eve, mia]) await world.phone(phone)
    const to = async (number: string, text: string, more: Json = {}) =>
      (await ana.text(number, text, { ...more, async: true })).messageid
    const at = async (phone: string) =>
      (await world.network<{ text: string }[]>('GET', `/phones/${phone}/messages?own=false`)).map(({ text }) => text)
    const first = await to(eve, 'one', { delay: 1_400 })
    await to(eve, 'two')
    const canceled = await to(mia, 'not after all', { delay: 1_400 })
    await to(mia, 'at once, then')
    await queue('another chat')
    await eventually(texts, (all) => all.includes('another chat'))
    assert.deepEqual([await at(eve), await at(mia)], [[], []])
    assert.equal((await find({ id: first }))[0]?.status, 'queued')
    const { status } = await ana.call<Json>('POST', '/message/delete', { id: canceled })
    assert.equal(status, 200)
    await eventually(
      () => at(mia),
      (all) => all.length > 0,
    )
    assert.deepEqual(await at(eve), [])
    // A direct one, and one with a longer delay, stand behind what was queued before them.
    const direct = ana.text(eve, 'three')
    await eventually(
      () => find({ chatid: eve, status: 'queued' }),
      (all) => all.some(({ text }) => text === 'three'),
    )
    await to(eve, 'four', { delay: 1_600 })
    await to(eve, 'five')
    assert.match(String((await direct).status), /queued|pending|sent|delivered/)
    await eventually(
      () => at(eve),
      (all) => all.length >= 5,
    )
    assert.deepEqual(await at(eve), ['one', 'two', 'three', 'four', 'five'])
    assert.deepEqual(await at(mia), ['at once, then'])
  })

  it('a delayed send does not overtake what was queued for its chat before, however long that takes', async () => {
    const kim = '15550440006'
    await world.phone(kim)
    const at = async () =>
      (await world.network<{ text: string }[]>('GET', `/phones/${kim}/messages?own=false`)).map(({ text }) => text)
    const fault = await world.network('POST', '/faults', { kind: 'swallow-acks', phone: ana.number })
    await world.network('POST', `/phones/${kim}/offline`)
    // Each holds the line for as long as its answer is waited for.
    for (const text of ['one', 'two', 'three']) await ana.text(kim, text, { async: true })
    const late = await ana.text(kim, 'four', { delay: 1_600 })
    assert.equal(late.status, 'queued')
    await eventually(
      async () => (await find({ id: late.messageid }))[0],
      (record) => record?.status === 'pending',
    )
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    await world.network('POST', `/phones/${kim}/online`)
    await eventually(at, (all) => all.length >= 4)
    assert.deepEqual(await at(), ['one', 'two', 'three', 'four'])
  })

  it('sends what is delayed once, in its time and in the order of its chat, though the gateway is killed meanwhile', async () => {
    const EVE = '15550440009'
    await world.phone(EVE, 'Eve')
    const atEve = async () =>
      (await world.network<{ text: string }[]>('GET', `/phones/${EVE}/messages?own=false`)).map(({ text }) => text)
    // Typing is shown to those who have their app open.
    await world.network('POST', `/phones/${EVE}/presence`, { available: true })
    const delayMs = 9_000
    const began = performance.now()
    const passed = () => performance.now() - began
    const first = await ana.call<Json>('POST', '/send/text', { number: EVE, text: 'in a while', delay: delayMs })
    assert.deepEqual([first.status, first.body.status], [200, 'queued'])
    assert.ok(passed() < delayMs)
    assert.equal((await find({ id: first.body.messageid }))[0]?.status, 'queued')
    const second = await ana.call<Json>('POST', '/send/text', { number: EVE, text: 'behind it' })
    assert.equal(second.body.status, 'queued')
    const presences = await eventually(
      () => world.network<{ state: string }[]>('GET', `/phones/${EVE}/presences`),
      (all) => all.length > 0,
    )
    assert.equal(presences[0]?.state, 'composing')
    assert.deepEqual(await atEve(), [])
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await ana.connected()
    const fromThenMs = Math.max(passed(), delayMs)
    await eventually(atEve, (all) => all.length > 0)
    assert.ok(passed() >= delayMs, `It was sent after ${passed()} ms.`)
    assert.ok(passed() < fromThenMs + delayMs, `It was sent after ${passed()} ms.`)
    await eventually(atEve, (all) => all.length > 1)
    assert.deepEqual(await atEve(), ['in a while', 'behind it'])
    for (const { messageid } of [first.body, second.body])
      await eventually(
        async () => (await find({ id: messageid }))[0],
        (record) => ['sent', 'delivered'].includes(String(record?.status)),
      )
  })

  it('refuses sends of an instance without a session', async () => {
    const nobody = await world.instance('nobody')
    const refused = await nobody.call<Json>('POST', '/send/text', { number: BEN, text: 'x', async: true })
    assert.deepEqual([refused.status, refused.body.error], [409, 'No session'])
    assert.deepEqual((await nobody.call<{ messages: Json[] }>('POST', '/message/find', {})).body.messages, [])
  })

  it('waits for a connection, and can be cleared without one', async () => {
    const fault = await world.network('POST', '/faults', { kind: 'login-failure', code: 503, phone: ana.number })
    await world.network('POST', '/faults/close', { phone: ana.number, device: 1 })
    await eventually(
      () => ana.status(),
      ({ status }) => !status.connected,
    )
    await queue('never')
    const { status, pending, sessionReady } = await told()
    assert.deepEqual([status, pending, sessionReady], ['waiting_connection', 1, false])
    assert.deepEqual((await clear()).body.stats, { canceled: 1 })
    assert.equal((await told()).status, 'idle')
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    await ana.connected()
    await queue('connected again')
    await eventually(texts, (all) => all.includes('connected again'))
    assert.ok(!(await texts()).includes('never'))
  })

  it('never sends the messages of one account from another that was paired since', async () => {
    const other = '15550440003'
    await world.network('POST', '/faults', { kind: 'login-failure', code: 503, phone: ana.number })
    await world.network('POST', '/faults/close', { phone: ana.number, device: 1 })
    await eventually(
      () => ana.status(),
      ({ status }) => !status.connected,
    )
    const id = await queue('of the first account')
    const planned = await ana.text(BEN, 'planned by the first account', { send_at: Date.now() + 2_300 })
    assert.equal((await ana.call('POST', '/instance/disconnect')).status, 200)
    assert.equal((await ana.call<Json>('POST', '/send/text', { number: BEN, text: 'x', async: true })).status, 409)
    await world.phone(other, 'Other')
    const { body } = await ana.call<{ instance: Json }>('POST', '/instance/connect', { phone: other })
    await world.network('POST', `/phones/${other}/code`, { code: body.instance.paircode })
    await ana.connected()
    for (const one of [id, planned.messageid]) {
      const failed = await eventually(
        async () => (await find({ id: one }))[0],
        (message) => message?.status === 'failed',
      )
      assert.match(String(failed?.error), /15550440001.* no longer paired/)
    }
    await queue('of the second account')
    await eventually(texts, (all) => all.includes('of the second account'))
    assert.ok(!(await texts()).some((text) => text.includes('first account')))
  })
})
