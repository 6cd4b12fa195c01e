import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  text: string | null
  pinned: number
  message: { extendedTextMessage?: { contextInfo?: Json }; protocolMessage?: Json }
}

const ANA = '15550470001'
const BEN = '15550470002'
const EVE = '15550470003'
const DAY = 86_400

const {
  world,
  account: ana,
  receiver,
} = gatewaySuite({
  env: { SEND_ACK_TIMEOUT_MS: '700' },
  phones: { [BEN]: 'Ben Silva', [EVE]: 'Eve' },
  account: [ANA, 'Ana'],
  events: ['messages', 'messages_update', 'chats'],
})

const byId = async (id: unknown) => (await ana.messages({ id }))[0] as Json
const onPhone = (by: string, what: string, body: Json) => world.network<Json>('POST', `/phones/${by}/${what}`, body)
const pin = (id: unknown, more: Json = {}) => ana.call<Json>('POST', '/message/pin', { id, ...more })
const updated = (id: unknown, state: string) =>
  eventually(
    () =>
      receiver
        .of('messages_update')
        .find(({ body }) => body.state === state && ((body.event as Json).MessageIDs as unknown[]).includes(id))?.body
        .event as Json | undefined,
  )
const received = async (by: string, to: string, text: string) => {
  const id = await world.write(by, to, text)
  await receiver.message(id)
  return id
}
const isAbout = (until: unknown, days: number) => Math.abs(Number(until) - Date.now() - days * DAY * 1000) < 60_000

describe('pins of messages', () => {
  it('are seen by the other side for a day, a week or a month, of own messages and those of others', async () => {
    const theirs = await received(BEN, ANA, 'an address')
    const { messageid: mine } = await ana.text(BEN, 'a price')
    for (const [id, duration, days] of [
      [theirs, undefined, 7],
      [mine, 1, 1],
      [mine, 30, 30],
    ] as const) {
      const { status, body } = await pin(id, duration === undefined ? {} : { duration })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([body.targetMessageID, body.pinned, body.messageType, body.owner], [id, true, 'pin', ANA])
      assert.notEqual(body.messageid, id)
      assert.ok(isAbout(body.pinnedUntil, days))
      if (id === mine) await world.shownAt<Shown>(BEN, id, ({ pinned }) => pinned === days * DAY)
      assert.ok(isAbout((await byId(id)).pinnedUntil, days))
    }
    const sent = await world.network<Shown[]>('GET', `/phones/${BEN}/sent`)
    assert.equal(sent.find(({ id }) => id === theirs)?.pinned, 7 * DAY)
    const event = await updated(mine, 'Pinned')
    assert.deepEqual([event?.Chat, event?.IsFromMe], [`${BEN}@s.whatsapp.net`, true])
    assert.ok(isAbout(event?.PinnedUntil, 1))
    const { status, body } = await pin(mine, { pin: false })
    assert.deepEqual([status, body.pinned, body.pinnedUntil], [200, false, 0], JSON.stringify(body))
    await world.shownAt<Shown>(BEN, mine, ({ pinned }) => pinned === 0)
    assert.equal((await byId(mine)).pinnedUntil, undefined)
    await updated(mine, 'Unpinned')
  })

  it('are listed by chat, newest first, as long as they last', async () => {
    const pinned = async (body: Json = {}) =>
      (await ana.done<{ messages: Json[] }>('/message/find', { chatid: EVE, pinned: true, ...body })).messages.map(
        ({ messageid }) => messageid,
      )
    assert.deepEqual(await pinned(), [])
    const ids: string[] = []
    for (const text of ['one', 'two', 'three']) ids.push(String((await ana.text(EVE, text)).messageid))
    for (const id of [ids[0], ids[2]]) assert.equal((await pin(id)).status, 200)
    assert.deepEqual(await pinned(), [ids[2], ids[0]])
    assert.deepEqual(await pinned({ text: 'one' }), [ids[0]])
    assert.equal((await pin(ids[2], { pin: false })).status, 200)
    assert.deepEqual(await pinned(), [ids[0]])
    for (const [more, field] of [
      [{ id: ids[0] }, 'pinned'],
      [{ around: ids[0] }, 'around'],
      [{ offset: 1 }, 'offset'],
    ] as const) {
      const { status, body } = await ana.call<Json>('POST', '/message/find', { chatid: EVE, pinned: true, ...more })
      assert.deepEqual([status, (body.details as { field: string }[])[0]?.field], [400, field], JSON.stringify(body))
    }
  })

  it('of others and of the own phone are stored, and end', async () => {
    const { messageid: mine } = await ana.text(BEN, 'an offer')
    await world.shownAt(BEN, mine)
    await onPhone(BEN, 'pin', { id: mine, seconds: DAY })
    const event = await updated(mine, 'Pinned')
    assert.deepEqual([event?.Sender, event?.IsFromMe], [`${BEN}@s.whatsapp.net`, false])
    assert.ok(isAbout((await byId(mine)).pinnedUntil, 1))
    await onPhone(ANA, 'pin', { id: mine, seconds: 0 })
    assert.equal((await updated(mine, 'Unpinned'))?.IsFromMe, true)
    assert.equal((await byId(mine)).pinnedUntil, undefined)
    // A time that no client offers is cut to the longest.
    const key = { id: mine, fromMe: false, remoteJid: `${ANA}@s.whatsapp.net` }
    const message = {
      pinInChatMessage: { key, type: 1 },
      messageContextInfo: { messageAddOnDurationInSecs: 4_294_967_295 },
    }
    await onPhone(BEN, 'message', { to: ANA, message })
    await eventually(
      () => byId(mine),
      ({ pinnedUntil }) => isAbout(pinnedUntil, 30),
    )
  })

  it('in a group name the author, and need an admin where only admins change the group', async () => {
    const group = { owner: BEN, subject: 'Trip', members: [ANA, EVE] }
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', group)
    const theirs = await received(EVE, jid, 'the plan')
    const answer = await pin(theirs, { duration: 1 })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await world.shownAt<Shown>(BEN, theirs, ({ pinned }) => pinned === DAY)
    await world.network('PATCH', `/groups/${jid}`, { by: BEN, locked: true })
    await eventually(
      () => pin(theirs, { pin: false }),
      ({ status, body }) => status === 403 && body.code === 'NOT_GROUP_ADMIN',
    )
    await onPhone(BEN, 'pin', { id: theirs, seconds: 0 })
    await updated(theirs, 'Unpinned')
  })

  it('that cannot be are refused with a reason, and change nothing', async () => {
    const theirs = await received(BEN, ANA, 'hello')
    const reaction = (await ana.done('/message/react', { number: BEN, id: theirs, text: '👍' })).messageid
    const { messageid: gone } = await ana.text(BEN, 'gone')
    await ana.done('/message/delete', { id: gone })
    const { messageid: later } = await ana.text(EVE, 'later', { delay: 60_000 })
    await eventually(
      () => byId(reaction),
      ({ status }) => status === 'delivered',
    )
    const before = await visibleState(world, ana)
    for (const [body, status, code] of [
      [{}, 400, 'MISSING_ID'],
      [{ id: '3EB0UNKNOWN' }, 404, 'MESSAGE_NOT_FOUND'],
      [{ id: gone }, 404, 'MESSAGE_NOT_FOUND'],
      [{ id: later }, 409, 'MESSAGE_NOT_SENT'],
      [{ id: reaction }, 501, 'NOT_SUPPORTED'],
      [{ id: theirs, duration: 2 }, 400, 'INVALID_REQUEST'],
      [{ id: theirs, duration: '8' }, 400, 'INVALID_REQUEST'],
      [{ id: theirs, pin: 'perhaps' }, 400, 'INVALID_REQUEST'],
      [{ id: 'x'.repeat(201) }, 400, 'INVALID_REQUEST'],
      [{ id: 'a b' }, 400, 'INVALID_REQUEST'],
    ] as const) {
      const answer = await ana.call<Json>('POST', '/message/pin', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    const fault = await world.network('POST', '/faults', { kind: 'ack-error', code: 479, phone: ANA })
    const refused = await pin(theirs)
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    assert.deepEqual([refused.status, refused.body.provider_code], [502, 479])
    assert.equal(await visibleState(world, ana), before)
    await ana.done('/message/delete', { id: later })
  })
})

describe('stars of messages', () => {
  const star = (id: unknown, more: Json = {}) => ana.call<Json>('POST', '/message/star', { id, ...more })
  const held = async (id: unknown) =>
    (await world.network<{ index: string[]; value: Json }[]>('GET', `/phones/${ANA}/app-state`)).find(
      ({ index }) => index[0] === 'star' && index[2] === id,
    )

  it('are shared with the devices of the account, for own messages and those of others', async () => {
    const theirs = await received(BEN, ANA, 'keep this')
    const { messageid: mine } = await ana.text(BEN, 'and this')
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: BEN,
      subject: 'Trip',
      members: [ANA],
    })
    const inGroup = await received(BEN, jid, 'a plan')
    for (const [id, fromMe, author] of [
      [theirs, '0', false],
      [mine, '1', false],
      [inGroup, '0', true],
    ] as const) {
      const { status, body } = await star(id)
      assert.deepEqual([status, body.id, body.starred], [200, id, true], JSON.stringify(body))
      const entry = await eventually(() => held(id))
      assert.deepEqual([entry?.index[3], entry?.index[4] !== '0'], [fromMe, author])
      assert.deepEqual(entry?.value.starAction, { starred: true })
      assert.equal((await byId(id)).starred, true)
      await updated(id, 'Starred')
    }
    assert.equal((await star(theirs, { star: false })).body.starred, false)
    assert.equal((await byId(theirs)).starred, undefined)
    await onPhone(ANA, 'star', { id: theirs })
    await eventually(
      () => byId(theirs),
      ({ starred }) => starred === true,
    )
    for (const [body, status, code] of [
      [{}, 400, 'MISSING_ID'],
      [{ id: '3EB0UNKNOWN' }, 404, 'MESSAGE_NOT_FOUND'],
      [{ id: mine, star: 'perhaps' }, 400, 'INVALID_REQUEST'],
    ] as const) {
      const answer = await ana.call<Json>('POST', '/message/star', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code])
    }
  })
})

describe('disappearing messages of a chat', () => {
  const expiration = async (number: string) =>
    (await ana.chat(number.includes('@') ? number : `${number}@s.whatsapp.net`)).wa_ephemeralExpiration

  it('are set for both sides, and each later message carries the time', async () => {
    await received(BEN, ANA, 'hello')
    for (const [duration, seconds, label] of [
      ['1d', DAY, '1d'],
      ['90d', 90 * DAY, '90d'],
      ['7d', 7 * DAY, '7d'],
      [0, 0, 'off'],
      ['7d', 7 * DAY, '7d'],
    ] as const) {
      const { response, chat, ephemeral } = await ana.done('/chat/ephemeral', { number: BEN, duration })
      assert.equal(response, seconds > 0 ? 'Messages disappear now' : 'Messages stay now')
      assert.deepEqual([chat, ephemeral], [`${BEN}@s.whatsapp.net`, { enabled: seconds > 0, seconds, label }])
      assert.equal(await expiration(BEN), seconds)
      const { messageid } = await ana.text(BEN, `after ${label}`)
      const { message } = await world.shownAt<Shown>(BEN, messageid)
      assert.equal(message.extendedTextMessage?.contextInfo?.expiration ?? 0, seconds)
    }
    const settings = (await world.network<Shown[]>('GET', `/phones/${BEN}/messages`)).flatMap(
      ({ message }) => message.protocolMessage?.ephemeralExpiration ?? [],
    )
    assert.deepEqual(settings, [DAY, 90 * DAY, 7 * DAY, 0, 7 * DAY])
    assert.ok(
      receiver.of('chats').some(({ body }) => (body.chat as Json).wa_ephemeralExpiration === 90 * DAY),
      'The event of the chat has the time.',
    )
    await onPhone(BEN, 'disappearing', { to: ANA, seconds: 0 })
    await eventually(
      () => expiration(BEN),
      (seconds) => seconds === 0,
    )
  })

  it('of a group are set as by /group/ephemeral', async () => {
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: BEN,
      subject: 'Trip',
      members: [ANA],
    })
    const { chat, ephemeral } = await ana.done('/chat/ephemeral', { number: jid, duration: '1d' })
    assert.deepEqual([chat, ephemeral], [jid, { enabled: true, seconds: DAY, label: '1d' }])
    assert.equal(await expiration(jid), DAY)
  })

  it('are refused with a reason, and then nothing changes', async () => {
    await received(BEN, ANA, 'hello again')
    const before = await expiration(BEN)
    for (const [body, status, code] of [
      [{ number: BEN }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, duration: '2d' }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, duration: 86_400 }, 400, 'INVALID_REQUEST'],
      [{ number: 'x', duration: '1d' }, 400, 'INVALID_NUMBER'],
      [{ number: '15550479999', duration: '1d' }, 404, 'CHAT_NOT_FOUND'],
      [{ number: '120363000000000009@g.us', duration: '1d' }, 404, 'GROUP_NOT_FOUND'],
    ] as const) {
      const answer = await ana.call<Json>('POST', '/chat/ephemeral', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    const fault = await world.network('POST', '/faults', { kind: 'ack-error', code: 479, phone: ANA })
    const refused = await ana.call<Json>('POST', '/chat/ephemeral', { number: BEN, duration: '1d' })
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    assert.deepEqual([refused.status, refused.body.provider_code], [502, 479], JSON.stringify(refused.body))
    assert.equal(await expiration(BEN), before)
  })
})
