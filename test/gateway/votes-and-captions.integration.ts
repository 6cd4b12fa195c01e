import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { jpeg, opus } from '../support/samples.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  text: string | null
  edited: boolean
  kept?: boolean
  media: { sha256: string }[]
  poll: { options: { text: string; voters: string[] }[] } | null
  reactions: { from: string; text: string }[]
  message: Record<string, Json>
}

const ANA = '15550740001'
const BEN = '15550740002'
const EVE = '15550740003'

const {
  world,
  account: ana,
  receiver,
} = gatewaySuite({
  env: { REACT_TO_OWN_MESSAGES: 'true' },
  phones: { [BEN]: 'Ben', [EVE]: { name: 'Eve', addressing: 'lid' } },
  account: [ANA, 'Ana'],
  events: ['messages', 'messages_update'],
})

const call = (path: string, body: Json, headers?: Record<string, string>) => ana.call<Json>('POST', path, body, headers)
const by = <T>(phone: string, what: string, body: Json) => world.network<T>('POST', `/phones/${phone}/${what}`, body)
const stored = async (id: unknown) => (await ana.messages({ id }))[0] as Json
const sentBy = async (phone: string, id: unknown) =>
  (await world.network<Shown[]>('GET', `/phones/${phone}/sent`)).find((one) => one.id === id)
const votersAt = (one: Shown | undefined) => one?.poll?.options.map(({ voters }) => voters)

describe('votes of the account', () => {
  const vote = (id: unknown, options: readonly string[], headers?: Record<string, string>) =>
    call('/message/vote', { id, options }, headers)
  const counted = (id: unknown, counts: readonly number[]) =>
    eventually(
      async () => JSON.parse(String((await stored(id))?.vote || '[]')) as { votes: number }[],
      (tally) => JSON.stringify(tally.map(({ votes }) => votes)) === JSON.stringify(counts),
    )

  it('count at the other phone and here, are replaced, and are taken back', async () => {
    for (const phone of [BEN, EVE]) {
      const poll = { to: ANA, question: 'Colour?', options: ['Red', 'Blue', 'Green'], selectableCount: 2 }
      const { id } = await by<{ id: string }>(phone, 'poll', poll)
      await receiver.message(id)
      for (const options of [['Blue'], ['Red', 'Green'], []]) {
        const answer = await vote(id, options)
        assert.deepEqual([answer.status, answer.body.vote], [200, options.join(', ')], JSON.stringify(answer.body))
        const expected = poll.options.map((option) => (options.includes(option) ? [ANA] : []))
        await eventually(
          async () => votersAt(await sentBy(phone, id)),
          (voters) => JSON.stringify(voters) === JSON.stringify(expected),
        )
        await counted(
          id,
          expected.map(({ length }) => length),
        )
      }
      await by(phone, 'vote', { id, options: ['Red'] })
      await counted(id, [1, 0, 0])
    }
  })

  it('count in own polls, in groups of both kinds, beside those of others', async () => {
    for (const addressing of ['pn', 'lid']) {
      const group = { owner: BEN, subject: 'Trip', members: [ANA, EVE], addressing }
      const { jid } = await world.network<{ jid: string }>('POST', '/groups', group)
      await eventually(() => ana.chat(jid))
      const { id } = await by<{ id: string }>(BEN, 'poll', {
        to: jid,
        question: 'When?',
        options: ['Now', 'Later'],
        selectableCount: 2,
      })
      await receiver.message(id)
      await by(EVE, 'vote', { id, options: ['Now'] })
      await counted(id, [1, 0])
      assert.equal((await vote(id, ['Now', 'Later'])).status, 200)
      await counted(id, [2, 1])
      await eventually(
        async () => votersAt(await sentBy(BEN, id)),
        (voters) => voters?.[0]?.length === 2 && voters[1]?.[0] === ANA,
      )
    }
    const poll = { number: BEN, type: 'poll', text: 'Own?', choices: ['Yes', 'No'] }
    const { messageid } = (await call('/send/menu', poll)).body
    await vote(messageid, ['Yes'])
    await counted(messageid, [1, 0])
    await world.shownAt<Shown>(BEN, messageid, (one) => votersAt(one)?.[0]?.[0] === ANA)
  })

  it('are sent once under a key, and refused with a reason', async () => {
    const { id } = await by<{ id: string }>(BEN, 'poll', {
      to: ANA,
      question: 'One?',
      options: ['A', 'B'],
      selectableCount: 1,
    })
    await receiver.message(id)
    const key = { 'idempotency-key': 'vote-1' }
    const [first, again] = [await vote(id, ['A'], key), await vote(id, ['A'], key)]
    assert.equal(first.body.messageid, again.body.messageid)
    const text = await world.write(BEN, ANA, 'no poll')
    await receiver.message(text)
    for (const [body, status, code] of [
      [{ options: ['A'] }, 400, 'MISSING_ID'],
      [{ id }, 400, 'INVALID_REQUEST'],
      [{ id, options: ['C'] }, 400, 'INVALID_REQUEST'],
      [{ id, options: ['A', 'B'] }, 400, 'INVALID_REQUEST'],
      [{ id, options: Array.from({ length: 101 }, String) }, 400, 'INVALID_REQUEST'],
      [{ id: '3EB0UNKNOWN', options: ['A'] }, 404, 'MESSAGE_NOT_FOUND'],
      [{ id: text, options: ['A'] }, 501, 'NOT_SUPPORTED'],
    ] as const) {
      const answer = await call('/message/vote', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    assert.deepEqual(votersAt(await sentBy(BEN, id)), [[ANA], []])
  })
})

describe('captions', () => {
  it('are edited without another upload, and the file stays', async () => {
    const file = (await jpeg(40, 30)).toString('base64')
    for (const type of ['image', 'document']) {
      const { messageid } = (await call('/send/media', { number: BEN, type, file, text: 'Lok', docName: 'a.jpg' })).body
      const before = await world.shownAt<Shown>(BEN, messageid)
      const edited = await call('/message/edit', { id: messageid, text: 'Look' })
      assert.equal(edited.status, 200, JSON.stringify(edited.body))
      const after = await world.shownAt<Shown>(BEN, messageid, (one) => one.edited)
      assert.deepEqual([after.text, after.media], ['Look', before.media])
      assert.match(String((await stored(messageid)).edited), /Look/)
      const downloaded = await call('/message/download', { id: messageid, return_base64: true, return_link: false })
      assert.equal(downloaded.status, 200, JSON.stringify(downloaded.body))
    }
  })

  it('are refused for kinds without one, and for what is viewed once', async () => {
    const file = (await jpeg(40, 30)).toString('base64')
    const once = (await call('/send/media', { number: BEN, type: 'image', file, viewOnce: true })).body.messageid
    const voice = (await call('/send/media', { number: BEN, type: 'ptt', file: opus().toString('base64') })).body
      .messageid
    for (const id of [once, voice]) {
      const answer = await call('/message/edit', { id, text: 'x' })
      assert.deepEqual([answer.status, answer.body.code], [400, 'NOT_EDITABLE'])
    }
  })
})

describe('messages of chats whose messages disappear', () => {
  it('are kept, and no longer', async () => {
    const theirs = await world.write(BEN, ANA, 'their address')
    await receiver.message(theirs)
    const refused = await call('/message/keep', { id: theirs })
    assert.deepEqual([refused.status, refused.body.code], [501, 'NOT_SUPPORTED'])
    await call('/chat/ephemeral', { number: BEN, duration: '7d' })
    const { messageid: ours } = await ana.text(BEN, 'our address')
    const kept = async (id: unknown) =>
      (id === ours ? await world.shownAt<Shown>(BEN, id) : await sentBy(BEN, id))?.kept
    for (const id of [theirs, ours])
      for (const keep of [true, false]) {
        const { status, body } = await call('/message/keep', { id, keep })
        assert.deepEqual([status, body.id, body.kept], [200, id, keep], JSON.stringify(body))
        await eventually(
          () => kept(id),
          (now) => now === keep,
        )
      }
    await call('/chat/ephemeral', { number: BEN, duration: 'off' })
    assert.equal((await call('/message/keep', {})).body.code, 'MISSING_ID')
  })
})

describe('messages of the account itself', () => {
  it('take its reactions where the setting says so', async () => {
    const { messageid } = await ana.text(BEN, 'well done')
    const { status, body } = await call('/message/react', { number: BEN, id: messageid, text: '🎉' })
    assert.equal(status, 200, JSON.stringify(body))
    await world.shownAt<Shown>(BEN, messageid, ({ reactions }) => reactions[0]?.text === '🎉')
  })

  it('have the id that the caller chose, unless it was used', async () => {
    const messageid = 'AB0123456789ABCDEF01'
    const send = (text: string, more: Json = {}, headers?: Record<string, string>) =>
      call('/send/text', { number: BEN, text, messageid, ...more }, headers)
    const key = { 'idempotency-key': 'chosen-1' }
    const answers = await Promise.all([send('mine', {}, key), send('mine', {}, key)])
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.messageid]),
      answers.map(() => [200, messageid]),
    )
    assert.equal((await world.shownAt<Shown>(BEN, messageid)).text, 'mine')
    for (const answer of [
      await send('other'),
      await send('other', { async: true }),
      await send('later', { delay: 20_000 }),
    ])
      assert.deepEqual([answer.status, answer.body.code], [409, 'MESSAGE_ID_USED'], JSON.stringify(answer.body))
    const theirs = await world.write(BEN, ANA, 'theirs')
    await receiver.message(theirs)
    if (/^[0-9A-F]{10,40}$/.test(theirs))
      assert.equal((await send('x', { messageid: theirs })).body.code, 'MESSAGE_ID_USED')
    const twice = await Promise.all([1, 2].map(() => send('twice', { messageid: 'AB0123456789ABCDEF02' })))
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 409])
    const later = { messageid: 'AB0123456789ABCDEF03', send_at: Date.now() + 3_600_000 }
    assert.deepEqual(
      [(await send('plan', later)).status, (await send('plan', later)).body.code],
      [200, 'MESSAGE_ID_USED'],
    )
    for (const wrong of ['short', 'ab0123456789abcdef01', 'A'.repeat(41), '']) {
      const answer = await send('x', { messageid: wrong })
      assert.equal(answer.body.code, 'INVALID_REQUEST', wrong)
    }
  })
})

describe('invitations of groups', () => {
  it('are sent as the link of the group, by its admins', async () => {
    const own = await world.network<{ jid: string; inviteCode: string }>('POST', '/groups', {
      owner: ANA,
      subject: 'Garden',
      members: [EVE],
    })
    await eventually(() => ana.chat(own.jid))
    const { status, body } = await call('/send/group-invite', { number: BEN, groupjid: own.jid, text: 'Join us' })
    assert.equal(status, 200, JSON.stringify(body))
    const { text, message } = await world.shownAt<Shown>(BEN, body.messageid)
    assert.equal(text, `Join us\n\nhttps://chat.whatsapp.com/${own.inviteCode}`)
    assert.equal(message.extendedTextMessage?.title, 'Garden')
    const other = await world.network<{ jid: string }>('POST', '/groups', { owner: BEN, subject: 'B', members: [ANA] })
    await eventually(() => ana.chat(other.jid))
    const refused = await call('/send/group-invite', { number: BEN, groupjid: other.jid })
    assert.deepEqual([refused.status, refused.body.code], [403, 'NOT_GROUP_ADMIN'])
    assert.equal((await call('/send/group-invite', { number: BEN, groupjid: 'x' })).status, 400)
  })
})
