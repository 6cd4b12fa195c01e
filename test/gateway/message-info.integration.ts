import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface Info extends Json {
  readonly people: readonly { readonly phone: string; readonly delivered: string; readonly read: string }[]
}

const [ANA, BEN, EVE, KIM] = ['15550480001', '15550480002', '15550480003', '15550480004']

describe('a message', () => {
  let group = ''
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [KIM]: { name: 'Kim', autoDelivery: false } },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
    complete: async () => {
      const body = { owner: BEN, subject: 'Trip', members: [ANA, EVE, KIM] }
      group = (await world.network<{ jid: string }>('POST', '/groups', body)).jid
    },
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const info = async (id: string, more: Json = {}) =>
    (await ana.call<Info>('POST', '/message/info', { id, ...more })).body
  const states = (id: string) =>
    receiver
      .of('messages_update')
      .filter(({ body }) => ((body.event as Json).MessageIDs as string[])[0] === id)
      .map(({ body }) => `${body.state} ${body.status}`)
  const read = (phone: string, id: string) => network('POST', `/phones/${phone}/read`, { ids: [id] })

  it('to a group is delivered and read when all members have it so, and says who has', async () => {
    const id = String((await ana.text(group, 'when do we leave?')).messageid)
    for (const phone of [BEN, EVE, KIM]) await world.shownAt(phone, id)
    await read(BEN, id)
    const some = await eventually(
      () => info(id),
      (one) => one.read === 1 && one.delivered === 2,
    )
    assert.deepEqual([some.status, some.members, some.played, some.chatid, some.hasMore], ['sent', 3, 0, group, false])
    assert.deepEqual(
      some.people.map(({ phone, delivered, read: seen }) => [phone, delivered !== '', seen !== '']),
      [
        [BEN, true, true],
        [EVE, true, false],
      ],
    )
    assert.deepEqual((await info(id, { limit: 1 })).hasMore, true)
    assert.deepEqual(
      (await info(id, { limit: 1, offset: 1 })).people.map(({ phone }) => phone),
      [EVE],
    )
    assert.deepEqual(states(id), [])

    // The network gathers receipts of several members, of which the library reads none.
    const lids: string[] = []
    for (const phone of [EVE, KIM]) lids.push((await network<{ lid: string }>('GET', `/phones/${phone}`)).lid)
    const t = String(Math.floor(Date.now() / 1_000))
    const gathered = (type: string) => ({
      tag: 'receipt',
      attrs: { id, from: group, type, t },
      content: [
        { tag: 'participants', attrs: { key: id }, content: lids.map((jid) => ({ tag: 'user', attrs: { jid, t } })) },
      ],
    })
    await network('POST', '/faults/stanza', { phone: ANA, device: 1, stanza: gathered('inactive') })
    await eventually(
      () => states(id),
      (all) => all.length === 1,
    )
    await network('POST', '/faults/stanza', { phone: ANA, device: 1, stanza: gathered('read') })
    await eventually(
      () => states(id),
      (all) => all.length === 2,
    )
    assert.deepEqual(states(id), ['Delivered delivered', 'Read read'])
    const all = await info(id)
    assert.deepEqual([all.status, all.delivered, all.read, all.people.length], ['read', 3, 3, 3])
    assert.equal((await ana.messages({ id }))[0]?.status, 'read')
  })

  it('to a person, of another and unknown has no receipts of members', async () => {
    const { messageid } = await ana.text(BEN, 'hello')
    const { id: theirs } = await network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: group, text: 'hi' })
    await receiver.message(theirs)
    for (const id of [String(messageid), theirs, 'NONE']) {
      const { status, body } = await ana.call<Json>('POST', '/message/info', { id })
      assert.deepEqual([status, body.code], [404, 'MESSAGE_NOT_FOUND'])
    }
  })

  it('lists the last reaction of each person, and votes of a poll by option', async () => {
    const { id } = await network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: group, text: 'at nine?' })
    await receiver.message(id)
    const reactions = async () => (await ana.call<Json>('GET', `/message/reactions/${id}`)).body
    assert.deepEqual([(await reactions()).reactions, (await reactions()).counts], [[], []])
    for (const [phone, text] of [
      [EVE, '👍'],
      [EVE, '🎉'],
      [KIM, '👍'],
      [KIM, ''],
    ] as const)
      await network('POST', `/phones/${phone}/react`, { id, text })
    assert.equal((await ana.call('POST', '/message/react', { number: group, id, text: '🎉' })).status, 200)
    const shown = await eventually(reactions, (one) => (one.counts as Json[])[0]?.count === 2)
    assert.deepEqual(shown.counts, [{ emoji: '🎉', count: 2 }])
    assert.deepEqual(
      (shown.reactions as Json[]).map(({ phone, fromMe, emoji }) => [phone, fromMe, emoji]),
      [
        [ANA, true, '🎉'],
        [EVE, false, '🎉'],
      ],
    )

    const choices = ['Nine', 'Ten']
    const poll = await ana.done('/send/menu', { number: group, type: 'poll', text: 'When?', choices })
    const votes = async () => (await ana.call<Json>('GET', `/message/votes/${poll.messageid}`)).body
    const none = choices.map((option) => ({ option, votes: 0, voters: [] }))
    const { messageid, chatid, ...empty } = await votes()
    assert.deepEqual([messageid, chatid, empty], [poll.messageid, group, { poll: 'When?', voters: 0, options: none }])
    await world.shownAt(EVE, String(poll.messageid))
    await network('POST', `/phones/${EVE}/vote`, { id: poll.messageid, options: ['Ten'] })
    const counted = await eventually(votes, ({ voters }) => voters === 1)
    assert.deepEqual(counted.options, [none[0], { option: 'Ten', votes: 1, voters: [`${EVE}@s.whatsapp.net`] }])
    assert.equal((await ana.call('GET', `/message/votes/${id}`)).status, 404)
  })
})
