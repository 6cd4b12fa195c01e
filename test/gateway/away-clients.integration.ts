import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { connectDatabase } from '../support/statements.js'

type Json = Record<string, unknown>
interface Page extends Json {
  readonly events: readonly (Json & { readonly sequence: number; readonly EventType: string })[]
  readonly cursor: string
  readonly hasMore: boolean
  readonly reset: Json | null
}

const [ANA, BEN] = ['15550490001', '15550490002']

describe('a client that was away', () => {
  const {
    world,
    account: ana,
    receiver,
    cleanup,
  } = gatewaySuite({ phones: { [BEN]: '=Ben' }, account: [ANA, 'Ana'], events: ['messages'] })
  const events = async (query: string) => {
    const { status, body } = await ana.call<Page>('GET', `/events${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  it('reads the events since its cursor, as webhooks have them, and is told when some are gone', async () => {
    const { cursor } = await events('?since=latest')
    const sent: string[] = []
    for (const text of ['one', 'two', 'three'])
      sent.push((await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text })).id)
    await receiver.message(String(sent[2]))
    const page = await eventually(
      () => events(`?since=${cursor}&events=messages`),
      ({ events: all }) => all.length === 3,
    )
    assert.deepEqual(
      page.events.map(({ message }) => (message as Json).messageid),
      sent,
    )
    assert.deepEqual([page.hasMore, page.reset], [false, null])
    const posted = receiver.of('messages').map(({ body }) => body)
    assert.deepEqual(
      page.events[2],
      posted.find(({ eventId }) => eventId === page.events[2]?.eventId),
    )
    const first = await events(`?since=${cursor}&events=messages&limit=1`)
    assert.deepEqual([first.events.length, first.hasMore], [1, true])
    const rest = await events(`?since=${first.cursor}&events=messages`)
    assert.equal(rest.events.length, 2)
    // Of any kind there may be more: the name of Ben may come a little later.
    assert.deepEqual((await events(`?since=${page.cursor}&events=messages`)).events, [])
    assert.equal((await events('?events=messages&excludeMessages=fromMeNo')).events.length, 0)

    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    await database.query('DELETE FROM event WHERE sequence <= $1', [first.cursor])
    const expired = await events(`?since=${cursor}&events=messages`)
    assert.deepEqual(
      [expired.reset, expired.events.length],
      [{ reason: 'expired', lostFrom: null, lostUntil: null }, 2],
    )
    assert.equal((await events(`?since=${first.cursor}`)).reset, null)

    for (const query of ['?since=x', '?since=-1', '?limit=0', '?limit=501', '?excludeMessages=nothing'])
      assert.equal((await ana.call('GET', `/events${query}`)).status, 400, query)
  })

  it('finds the number of a LID, and the LID of a number', async () => {
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${BEN}`)
    const pair = { lid, pn: `${BEN}@s.whatsapp.net`, phone: BEN }
    const found = await eventually(
      () => ana.call('GET', `/lids/pn/${BEN}`),
      ({ status }) => status === 200,
    )
    assert.deepEqual(found.body, pair)
    for (const path of [lid, lid.replace('@lid', '')])
      assert.deepEqual((await ana.call('GET', `/lids/${path}`)).body, pair)
    assert.deepEqual((await ana.call('GET', '/lids')).body, { lids: [pair], next: null })
    assert.deepEqual((await ana.call('GET', `/lids?after=${lid}`)).body, { lids: [], next: null })
    for (const [path, status, code] of [
      ['/lids/999999999999999', 404, 'LID_NOT_FOUND'],
      ['/lids/pn/15550499999', 404, 'LID_NOT_FOUND'],
      [`/lids/${BEN}@s.whatsapp.net`, 400, 'INVALID_REQUEST'],
      ['/lids/pn/120363000000000001@g.us', 400, 'INVALID_REQUEST'],
      ['/lids/pn/abc', 400, 'INVALID_NUMBER'],
    ] as const) {
      const answer = await ana.call<Json>('GET', path)
      assert.deepEqual([answer.status, answer.body.code], [status, code], path)
    }
  })

  it('lists groups with or without members, and downloads members as CSV', async () => {
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: BEN,
      subject: 'Trip',
      members: [ANA],
    })
    const members = async (method: string, query: string, body?: Json) => {
      const answer = await ana.call<{ groups: { JID: string; Participants: Json[] }[] }>(
        method,
        `/group/list${query}`,
        body,
      )
      return answer.status === 200
        ? answer.body.groups.find(({ JID }) => JID === jid)?.Participants.length
        : answer.status
    }
    await eventually(
      () => members('GET', ''),
      (count) => count === 2,
    )
    for (const [query, count] of [
      ['?getParticipants=true', 2],
      ['?getParticipants=false', 0],
      ['?getParticipants=false&noparticipants=true', 0],
      ['?getParticipants=true&noparticipants=true', 400],
    ] as const)
      assert.equal(await members('GET', query), count, query)
    for (const [body, count] of [
      [{ getParticipants: true }, 2],
      [{ getParticipants: false }, 0],
      [{ getParticipants: true, noParticipants: false }, 2],
      [{ getParticipants: true, noParticipants: true }, 400],
    ] as const)
      assert.equal(await members('POST', '', body), count, JSON.stringify(body))

    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${BEN}`)
    const csv = await ana.call<string>('GET', `/group/participants/export?groupjid=${jid}`)
    const lines = String(csv.body).split('\r\n')
    assert.equal(lines[0], 'jid,lid,phone,role')
    assert.ok(lines.includes(`${lid},${lid},${BEN},superadmin`), String(csv.body))
    assert.equal(lines.length, 4)
    assert.equal((await ana.call('GET', '/group/participants/export?groupjid=1203630000000000019@g.us')).status, 404)
    assert.equal((await ana.call('GET', '/group/participants/export')).status, 400)
  })
})
