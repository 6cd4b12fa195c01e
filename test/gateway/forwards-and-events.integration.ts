import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { startFileServer } from '../support/file-server.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { jpeg } from '../support/samples.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  kind: string
  text: string | null
  quotedId: string | null
  media: { kind: string; sha256: string; caption: string | null; error: string | null }[]
  message: Record<string, { contextInfo?: Json | null } & Json>
}

const ANA = '15550500001'
const BEN = '15550500002'
const EVE = '15550500003'

const {
  world,
  account: ana,
  receiver,
  cleanup,
} = gatewaySuite({
  phones: { [BEN]: 'Ben Silva', [EVE]: 'Eve' },
  account: [ANA, 'Ana'],
  events: ['messages'],
})

const forward = (id: unknown, more: Json = {}) => ana.done('/send/forward', { number: EVE, id, ...more })
const atEve = (id: unknown) => world.shownAt<Shown>(EVE, id)
const findContext = ({ kind, message }: Shown) => message[kind]?.contextInfo ?? {}

describe('messages that are forwarded', () => {
  it('keep their text, and are marked if somebody else wrote them', async () => {
    const theirs = await world.write(BEN, ANA, 'a recipe')
    await receiver.message(theirs)
    const first = await forward(theirs)
    assert.deepEqual([first.messageType, first.text, first.sendFunction], ['text', 'a recipe', 'forward'])
    const shown = await atEve(first.messageid)
    assert.deepEqual([shown.text, shown.quotedId], ['a recipe', null])
    assert.deepEqual(findContext(shown), { isForwarded: true, forwardingScore: 1 })
    assert.equal(findContext(await atEve((await forward(first.messageid)).messageid)).forwardingScore, 1)
    const { messageid: mine } = await ana.text(BEN, 'my own', { replyid: theirs })
    const own = await atEve((await forward(mine)).messageid)
    assert.deepEqual([own.text, own.quotedId, findContext(own)], ['my own', null, {}])
    await ana.done('/message/edit', { id: mine, text: 'my own, edited' })
    assert.equal((await atEve((await forward(mine)).messageid)).text, 'my own, edited')
  })

  it('keep their file, which is not uploaded again', async () => {
    const files = await startFileServer(cleanup)
    const picture = await jpeg(40, 30)
    files.on('/a.jpg', picture)
    const sent = await ana.done('/send/media', { number: BEN, type: 'image', file: `${files.url}/a.jpg`, text: 'Look' })
    const document = await ana.done('/send/media', {
      number: BEN,
      type: 'document',
      file: `${files.url}/a.jpg`,
      text: 'Read',
      docName: 'a.jpg',
    })
    const { sha256 } = await world.network<{ sha256: string; id: string }>('POST', `/phones/${BEN}/media`, {
      to: ANA,
      kind: 'audio',
      id: 'SOUND1',
    })
    await receiver.message('SOUND1')
    const place = await ana.done('/send/location', { number: BEN, latitude: 1, longitude: 2, name: 'here' })
    for (const [id, messageType, kind] of [
      [sent.messageid, 'image', 'image'],
      [document.messageid, 'document', 'document'],
      ['SOUND1', 'audio', 'audio'],
      [place.messageid, 'location', null],
    ] as const) {
      const answer = await forward(id)
      assert.equal(answer.messageType, messageType)
      const { media } = await atEve(answer.messageid)
      assert.deepEqual(
        media.map((one) => [one.kind, one.error]),
        kind === null ? [] : [[kind, null]],
      )
      if (kind === 'audio') assert.equal(media[0]?.sha256, sha256)
      if (kind === 'image') assert.equal(media[0]?.caption, 'Look')
    }
    assert.equal(files.asked('/a.jpg'), 2)
  })

  it('take what every send takes, and are refused with a reason', async () => {
    const theirs = await world.write(BEN, ANA, 'twice')
    await receiver.message(theirs)
    const key = { 'idempotency-key': 'forward-1' }
    const answers = await Promise.all([1, 2].map(() => ana.done('/send/forward', { number: EVE, id: theirs }, key)))
    assert.equal(answers[0]?.messageid, answers[1]?.messageid)
    const queued = await forward(theirs, { async: true, track_id: 'f' })
    assert.deepEqual([queued.status, queued.track_id], ['queued', 'f'])
    await atEve(queued.messageid)
    const reaction = (await ana.done('/message/react', { number: BEN, id: theirs, text: '👍' })).messageid
    const { messageid: gone } = await ana.text(BEN, 'gone')
    await ana.done('/message/delete', { id: gone })
    const { id: once } = await world.network<{ id: string }>('POST', `/phones/${BEN}/media`, {
      to: ANA,
      kind: 'image',
      viewOnce: true,
    })
    await receiver.message(once)
    for (const [body, status, code] of [
      [{ number: EVE }, 400, 'MISSING_ID'],
      [{ number: EVE, id: '3EB0UNKNOWN' }, 404, 'MESSAGE_NOT_FOUND'],
      [{ number: EVE, id: gone }, 404, 'MESSAGE_NOT_FOUND'],
      [{ number: EVE, id: reaction }, 501, 'NOT_SUPPORTED'],
      [{ number: EVE, id: once }, 501, 'NOT_SUPPORTED'],
      [{ number: 'x', id: theirs }, 400, 'INVALID_NUMBER'],
      [{ number: EVE, id: 'a b' }, 400, 'INVALID_REQUEST'],
    ] as const) {
      const answer = await ana.call<Json>('POST', '/send/forward', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
  })
})

describe('events that are sent', () => {
  const event = { number: BEN, name: 'Tasting', startTime: '2027-01-31T19:00:00-03:00' }

  it('arrive with their times and place, under the mark of their kind', async () => {
    const sent = await ana.done('/send/event', {
      ...event,
      ...{
        description: 'Oranges',
        endTime: Date.parse('2027-02-01T00:00:00Z'),
        placeName: 'The shop',
        latitude: 1,
        longitude: 2,
        extraGuests: true,
      },
    })
    assert.deepEqual([sent.messageType, sent.sendFunction], ['event', 'event'])
    const { message } = await world.shownAt<Shown>(BEN, sent.messageid)
    const shown = message.eventMessage as Json
    const { name, description, startTime, endTime, extraGuestsAllowed, location } = shown
    assert.deepEqual(
      [name, description, Number(startTime), Number(endTime), extraGuestsAllowed, (location as Json).name],
      [
        'Tasting',
        'Oranges',
        Date.parse('2027-01-31T22:00:00Z') / 1000,
        Date.parse('2027-02-01T00:00:00Z') / 1000,
        true,
        'The shop',
      ],
    )
    const frames = await world.network<{ id: string; type: string }[]>('GET', '/log/frames?tag=message&direction=in')
    assert.equal(frames.find(({ id }) => id === sent.messageid)?.type, 'event')
    const stored = await eventually(
      async () => (await ana.messages({ id: sent.messageid }))[0],
      (one) => one?.status === 'delivered',
    )
    assert.match(String(stored?.text), /^Event: Tasting/)
  })

  it('are refused with a reason', async () => {
    for (const [more, field] of [
      [{ name: undefined }, 'name'],
      [{ name: '' }, 'name'],
      [{ startTime: undefined }, 'startTime'],
      [{ startTime: 'tomorrow' }, 'startTime'],
      [{ endTime: '2027-01-31T18:00:00-03:00' }, 'endTime'],
      [{ latitude: 1 }, 'longitude'],
      [{ latitude: 91, longitude: 1 }, 'latitude'],
      [{ description: 'x'.repeat(2_049) }, 'description'],
    ] as const) {
      const { status, body } = await ana.call<Json>('POST', '/send/event', { ...event, ...more })
      assert.deepEqual(
        [status, body.code, (body.details as Json[])[0]?.field],
        [400, 'INVALID_REQUEST', field],
        JSON.stringify(body),
      )
    }
  })
})
