import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png } from '../support/samples.js'

type Json = Record<string, unknown>

const BEN = '15550480002'
const EVE = '15550480003'
const MAX = 12

interface Shown {
  readonly id: string
  readonly text: string
  readonly arrivals: number
}

interface Scheduled extends Json {
  readonly id: string
  readonly messageid: string
  readonly status: string
  readonly schedule: { send_at: string; asked: string; timezone: string; expires_at: string; revision: number }
  readonly response: { message: string }
  readonly warnings?: readonly string[]
}

describe('a scheduled message', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: {
      SCHEDULE_MAX: String(MAX),
      SEND_DELAY_MIN_MS: '0',
      SEND_DELAY_MAX_MS: '0',
      // Refused logins would make it wait for longer than the test.
      RECONNECT_DELAY_MAX_MS: '300',
    },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: ['15550480001', 'Ana'],
    events: ['messages_update'],
  })

  const send = (body: Json, path = '/send/text', headers: Record<string, string> = {}) =>
    ana.call<Scheduled>(
      'POST',
      path,
      { number: BEN, ...(path === '/send/text' ? { text: 'later' } : {}), ...body },
      headers,
    )
  const scheduled = async (body: Json, path?: string, headers?: Record<string, string>): Promise<Scheduled> => {
    const { status, body: answer } = await send({ send_at: inMs(3_600_000), ...body }, path, headers)
    assert.deepEqual([status, answer.status], [200, 'scheduled'], JSON.stringify(answer))
    return answer
  }
  const list = async (query = '') =>
    (
      await ana.call<{ messages: Scheduled[]; hasMore: boolean; nextCursor?: string }>(
        'GET',
        `/message/scheduled${query}`,
      )
    ).body
  const edit = (body: Json) => ana.call<Scheduled & { code?: string }>('POST', '/message/scheduled/edit', body)
  const cancel = (query: string) => ana.call<Json>('DELETE', `/message/scheduled?${query}`)
  const shown = (phone = BEN) => world.network<Shown[]>('GET', `/phones/${phone}/messages?own=false`)
  const inMs = (ms: number) => Date.now() + ms
  const states = (id: string) =>
    receiver
      .of('messages_update')
      .filter(({ body }) => (body.event as { MessageIDs: string[] }).MessageIDs.includes(id))
      .map(({ body }) => String(body.state))
  const clear = async () => {
    for (const number of [BEN, EVE]) await cancel(`chat=${number}`)
  }

  it('of each kind leaves at its time, under the id that its answer named, and not before', async () => {
    const quoted = await ana.text(BEN, 'quoted')
    const received = await world.write(BEN, ana.number, 'to react to')
    await eventually(
      () => ana.messages({ id: received }),
      (all) => all.length === 1,
    )
    const file = `data:image/png;base64,${(await png()).toString('base64')}`
    // All have to be accepted two seconds before, also on a busy machine.
    const atMs = inMs(12_000)
    const utc = new Date(atMs).toISOString()
    const inLima = new Date(atMs - 5 * 3_600_000).toISOString().slice(0, -1)
    const pauses = { pauseChatbotMinutes: 90 }
    const made = [
      await scheduled({
        text: 'as a number {{name}}',
        send_at: atMs,
        track_id: 'mine',
        replyid: quoted.messageid,
        ...pauses,
      }),
      await scheduled({ text: 'with an offset', send_at: utc.replace('Z', '+00:00') }),
      await scheduled({ text: 'as a local time', send_at: inLima, timezone: 'America/Lima' }),
      await scheduled(
        {
          type: 'image',
          file,
          text: 'a picture',
          send_at: atMs,
        },
        '/send/media',
      ),
      await scheduled({ fullName: 'Eve', phoneNumber: EVE, send_at: atMs }, '/send/contact'),
      await scheduled({ latitude: 1, longitude: 2, send_at: atMs }, '/send/location'),
      await scheduled({ type: 'button', text: 'a menu', choices: ['Yes|yes', 'No|no'], send_at: atMs }, '/send/menu'),
    ]
    const reaction = await ana.call<Json>('POST', '/message/react', {
      number: BEN,
      id: received,
      text: '👍',
      send_at: atMs,
    })
    assert.deepEqual([reaction.status, reaction.body.status], [200, 'Scheduled'], JSON.stringify(reaction.body))
    const [first, , local] = made
    assert.deepEqual(
      [first?.schedule.send_at, first?.schedule.asked, first?.schedule.timezone, first?.schedule.revision],
      [utc, String(atMs), '', 1],
    )
    assert.deepEqual(
      [local?.schedule.send_at, local?.schedule.asked, local?.schedule.timezone],
      [utc, inLima, 'America/Lima'],
    )
    assert.equal(first?.schedule.expires_at, new Date(atMs + 86_400_000).toISOString())
    assert.match(first?.response.message ?? '', /scheduled for .*Z\. If it has not left by .*Z, it fails as expired/)
    assert.equal((await list()).messages.length, made.length + 1)
    const early = (await shown()).map(({ id }) => id)
    assert.ok(Date.now() > atMs || made.every(({ messageid }) => !early.includes(messageid)))

    for (const { messageid } of made) {
      await world.shownAt(BEN, messageid)
      assert.ok(Date.now() >= atMs)
    }
    await eventually(
      () => list('?status=all'),
      ({ messages }) => messages.length === 0,
    )
    const order = (await shown()).map(({ id }) => id).filter((id) => made.some(({ messageid }) => messageid === id))
    assert.deepEqual(
      order,
      made.map(({ messageid }) => messageid),
    )
    const text = (await shown()).find(({ id }) => id === first?.messageid)
    assert.deepEqual([text?.text, text?.arrivals], ['as a number Ben', 1])
    await eventually(
      () => states(first?.messageid ?? ''),
      (all) => all.includes('Sent') || all.includes('Delivered'),
    )
    assert.deepEqual(states(first?.messageid ?? '').slice(0, 3), ['Scheduled', 'Queued', 'Pending'])
    const [record] = await ana.messages({ id: first?.messageid })
    assert.deepEqual([record?.track_id, record?.schedule], ['mine', undefined])
    // Agents pause in the chat from its time on.
    const { chatbot_disableUntil: until } = await ana.chat(BEN)
    assert.ok(Number(until) >= atMs + 90 * 60_000 - 1_000, String(until))
    const late = await cancel(`id=${first?.messageid}`)
    assert.deepEqual([late.status, late.body.code], [409, 'SCHEDULE_TAKEN'], JSON.stringify(late.body))
    assert.match(String(late.body.status), /sent|delivered|read/)
  })

  it('that is due now or was due is sent now, with a warning', async () => {
    for (const send_at of [inMs(1_000), '2020-01-01T00:00:00Z']) {
      const { status, body } = await send({ send_at })
      assert.equal(status, 200)
      assert.match(body.status, /sent|pending/)
      assert.match(body.warnings?.join() ?? '', /send_at: is less than 2 seconds ahead/)
    }
  })

  it('with a wrong time is refused with the field and the reason, and changes nothing', async () => {
    for (const [body, field] of [
      [{ send_at: 'tomorrow' }, 'send_at'],
      [{ send_at: 1_900_000_000 }, 'send_at'],
      [{ send_at: -1 }, 'send_at'],
      [{ send_at: '2027-01-31T09:00:00' }, 'send_at'],
      [{ send_at: inMs(367 * 86_400_000) }, 'send_at'],
      [{ send_at: '2027-01-31T09:00:00', timezone: 'Mars/Base' }, 'timezone'],
      [{ send_at: inMs(60_000), expire_after: 1 }, 'expire_after'],
    ] as const) {
      const { status, body: answer } = await send(body)
      assert.equal(status, 400, JSON.stringify(answer))
      assert.equal((answer.details as { field: string }[])[0]?.field, field, JSON.stringify(answer))
    }
    const wrong = await ana.call<Json>('POST', '/send/media', {
      number: BEN,
      type: 'image',
      file: 'http://127.0.0.1:1/x',
      send_at: 5,
    })
    assert.equal((wrong.body.details as { field: string }[])[0]?.field, 'send_at', JSON.stringify(wrong.body))
    for (const query of ['?cursor=1', '?from=yesterday', '?chat=x', '?status=sent'])
      assert.equal((await ana.call('GET', `/message/scheduled${query}`)).status, 400, query)
    for (const query of ['', `id=1&chat=${BEN}`]) assert.equal((await cancel(query)).status, 400, query)
    assert.deepEqual((await list('?status=all')).messages, [])
  })

  it('is listed by page, chat, track and time', async () => {
    const at = Math.ceil(inMs(3_600_000) / 1000) * 1000
    const made = []
    for (let index = 0; index < 5; index += 1)
      made.push(
        await scheduled({
          send_at: at + Math.floor(index / 2) * 1000,
          number: index === 3 ? EVE : BEN,
          track_id: index === 4 ? 't' : '',
        }),
      )
    const ids = made.map(({ messageid }) => messageid)
    const pages: string[][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      pages.push(page.messages.map(({ messageid }) => messageid))
      assert.equal(page.hasMore, page.nextCursor !== undefined)
      cursor = page.nextCursor
    }
    assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    const found = async (query: string) => (await list(query)).messages.map(({ messageid }) => messageid)
    assert.deepEqual(await found(`?chat=${EVE}`), ids.slice(3, 4))
    assert.deepEqual(await found('?track_id=t'), ids.slice(4))
    assert.deepEqual(await found(`?id=x:${ids[1]}`), ids.slice(1, 2))
    assert.deepEqual(await found(`?from=${at + 1000}&to=${new Date(at + 1999).toISOString()}`), ids.slice(2, 4))
    await clear()
  })

  it('is changed by whoever has seen its revision, and keeps its id', async () => {
    const { messageid: id } = await scheduled({ text: 'first text' })
    const later = inMs(7_200_000)
    const moved = await edit({ id, revision: 1, send_at: later })
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
    assert.deepEqual(
      [moved.body.messageid, moved.body.schedule.send_at, moved.body.schedule.revision, moved.body.text],
      [id, new Date(later).toISOString(), 2, 'first text'],
    )
    const stale = await edit({ id, revision: 1, text: 'lost' })
    assert.deepEqual([stale.status, stale.body.code, stale.body.revision], [409, 'SCHEDULE_CHANGED', 2])
    const soon = inMs(2_300)
    const worded = await edit({ id, revision: 2, text: 'second text', send_at: soon, track_id: 'new' })
    assert.deepEqual([worded.body.text, worded.body.track_id, worded.body.schedule.revision], ['second text', 'new', 3])
    const wrong = await edit({ id, revision: 3 })
    assert.equal(wrong.status, 400)
    const contact = await scheduled({ fullName: 'Eve', phoneNumber: EVE }, '/send/contact')
    const refused = await edit({ id: contact.messageid, revision: 1, text: 'none' })
    assert.deepEqual([refused.status, (refused.body.details as Json[])[0]?.field], [400, 'text'])
    assert.equal((await edit({ id: 'nothing', revision: 1, text: 'x' })).status, 404)
    const asMessage = await ana.call<Json>('POST', '/message/edit', { id, text: 'third' })
    assert.deepEqual([asMessage.status, asMessage.body.code], [409, 'MESSAGE_NOT_SENT'], JSON.stringify(asMessage.body))
    const message = await world.shownAt<Shown>(BEN, id)
    assert.equal(message.text, 'second text')
    assert.deepEqual(states(id).slice(0, 4), ['Scheduled', 'Rescheduled', 'Rescheduled', 'Queued'])
    await clear()
  })

  it('has its record id at once, and is found, changed and sent under it', async () => {
    const { id, messageid } = await scheduled({ text: 'one id' })
    assert.match(id, /^r[0-9a-f]{7}$/)
    const [listed, ...others] = (await list(`?id=${id}`)).messages
    assert.deepEqual([listed?.id, listed?.messageid, others], [id, messageid, []])
    const soon = await edit({ id, revision: 1, send_at: inMs(2_300) })
    assert.deepEqual([soon.status, soon.body.id], [200, id], JSON.stringify(soon.body))
    await world.shownAt(BEN, messageid)
    const [sent] = await ana.messages({ id })
    assert.deepEqual([sent?.id, sent?.messageid, sent?.text], [id, messageid, 'one id'])
    const never = await scheduled({ text: 'never' })
    for (const canceled of [1, 0]) {
      const { body } = await cancel(`id=${never.id}`)
      assert.deepEqual([body.canceled, body.messageid], [canceled, never.messageid], JSON.stringify(body))
    }
    const deleted = await scheduled({ text: 'never' })
    const answer = await ana.call<Json>('POST', '/message/delete', { id: deleted.id })
    assert.deepEqual([answer.status, answer.body.id], [200, deleted.messageid], JSON.stringify(answer.body))
  })

  it('is canceled by id, chat, track or as a message, once and for all', async () => {
    const { messageid: one } = await scheduled({ text: 'never 1' })
    const { messageid: two } = await scheduled({ text: 'never 2' })
    for (const text of ['never 3', 'never 4']) await scheduled({ text, track_id: 'group' })
    await scheduled({ text: 'never 5', number: EVE })
    for (const canceled of [1, 0]) {
      const { status, body } = await cancel(`id=${one}`)
      assert.deepEqual([status, body.canceled, body.messageid], [200, canceled, one], JSON.stringify(body))
    }
    for (const _ of [1, 2]) {
      const deleted = await ana.call<Json>('POST', '/message/delete', { id: two })
      assert.deepEqual([deleted.status, deleted.body.id], [200, two], JSON.stringify(deleted.body))
    }
    assert.equal((await cancel('track_id=group')).body.canceled, 2)
    assert.equal((await cancel(`chat=${EVE}`)).body.canceled, 1)
    assert.deepEqual([(await cancel('id=nothing')).status, (await list()).messages], [404, []])
    const gone = (await list('?status=canceled')).messages
    assert.ok(gone.length >= 5 && gone.every(({ status }) => status === 'canceled'))
    await eventually(
      () => states(one),
      (all) => all.includes('Canceled'),
    )
    assert.deepEqual(
      [states(one), states(two)],
      [
        ['Scheduled', 'Canceled'],
        ['Scheduled', 'Canceled'],
      ],
    )
    const changed = await edit({ id: one, revision: 1, text: 'again' })
    assert.deepEqual([changed.status, changed.body.code, changed.body.status], [409, 'SCHEDULE_TAKEN', 'canceled'])
  })

  it('is made once under an Idempotency-Key, and as many wait as the instance may have', async () => {
    const send_at = inMs(3_600_000)
    const key = { 'idempotency-key': 'scheduled-1' }
    const { messageid } = await scheduled({ send_at }, undefined, key)
    assert.equal((await scheduled({ send_at }, undefined, key)).messageid, messageid)
    const other = await send({ send_at: send_at + 1 }, undefined, key)
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_CONFLICT'], JSON.stringify(other.body))
    for (let count = 1; count < MAX; count += 1) await scheduled({})
    const full = await send({ send_at })
    assert.deepEqual([full.status, full.body.code], [429, 'SCHEDULE_FULL'], JSON.stringify(full.body))
    assert.equal((await scheduled({ send_at }, undefined, key)).messageid, messageid)
    await clear()
    await scheduled({})
    await clear()
  })

  it('outlasts kill -9 with its file; one that is too late fails as expired, one of an instance that is not connected waits', async () => {
    const file = `data:image/png;base64,${(await png()).toString('base64')}`
    const soon = inMs(2_300)
    const kept = await scheduled({ type: 'image', file, text: 'kept', send_at: soon }, '/send/media')
    const expired = await scheduled({ text: 'too late', send_at: soon, expire_after: 1_000 })
    await world.gateway.kill('SIGKILL')
    await eventually(
      () => Date.now() - soon,
      (late) => late > 1_100,
    )
    await world.gateway.start()
    assert.equal((await world.shownAt<Shown>(BEN, kept.messageid)).arrivals, 1)
    await eventually(
      () => states(expired.messageid),
      (all) => all.includes('Failed'),
    )
    const [record] = await ana.messages({ id: expired.messageid })
    assert.deepEqual([record?.status, (await shown()).some(({ text }) => text === 'too late')], ['failed', false])
    const event = receiver.of('messages_update').find(({ body }) => body.state === 'Failed')
    assert.equal((event?.body.event as Json | undefined)?.reason, 'expired')

    const waits = await scheduled({ text: 'waits', send_at: inMs(2_300) })
    const fault = await world.network('POST', '/faults', { kind: 'login-failure', code: 503, phone: ana.number })
    await world.network('POST', '/faults/close', { phone: ana.number, device: 1 })
    const offline = await scheduled({ text: 'accepted without a connection', send_at: inMs(2_300) })
    await eventually(
      () => ana.messages({ status: 'queued' }),
      (all) => all.length === 2,
    )
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    for (const { messageid } of [waits, offline]) assert.equal((await world.shownAt<Shown>(BEN, messageid)).arrivals, 1)
    const metrics = await world.gateway.call<string>('GET', '/metrics')
    assert.match(metrics.body, /posthorn_scheduled_late_seconds_count [3-9]/)
  })
})
