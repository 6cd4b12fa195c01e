import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { type FileServer, startFileServer } from '../support/file-server.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { jpeg, mp4, png } from '../support/samples.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  text: string | null
  media: { kind: string; caption: string | null; error: string | null }[]
  message: Record<string, Json>
}

const ANA = '15550750001'
const BEN = '15550750002'

let web: FileServer
const {
  world,
  account: ana,
  cleanup,
} = gatewaySuite({
  phones: { [BEN]: 'Ben' },
  account: [ANA, 'Ana'],
  complete: async () => {
    web = await startFileServer(cleanup)
    web.on('/a.jpg', await jpeg(40, 30))
    web.on('/b.png', await png())
    web.on('/c.mp4', mp4())
  },
})

const call = (path: string, body: Json, headers?: Record<string, string>) => ana.call<Json>('POST', path, body, headers)
const atBen = (id: unknown) => world.shownAt<Shown>(BEN, id)

describe('products of a catalogue', () => {
  it('are sent as cards, with the picture of the catalogue or another one', async () => {
    await world.network('PUT', `/phones/${ANA}/business`, { description: 'Bread' })
    await world.write(BEN, ANA, 'hello')
    await eventually(async () => (await ana.chat(`${BEN}@s.whatsapp.net`))?.wa_name === 'Ben')
    const images = [(await png()).toString('base64')]
    const product = { name: 'Rye', description: 'Dark', price: 5_000, currency: 'BRL', images }
    const made = (await call('/business/catalog/create', product)).body.response as Json
    for (const more of [{}, { image: `${web.url}/a.jpg` }]) {
      const sent = await call('/send/product', { number: BEN, id: made.id, text: 'Fresh, {{name}}', ...more })
      assert.equal(sent.status, 200, JSON.stringify(sent.body))
      assert.deepEqual([sent.body.messageType, sent.body.sendFunction], ['product', 'product'])
      const { message } = await atBen(sent.body.messageid)
      const { product: shown, businessOwnerJid, body } = message.productMessage as Json & { product: Json }
      assert.deepEqual(
        [shown.productId, shown.title, shown.description, Number(shown.priceAmount1000), shown.currencyCode],
        [made.id, 'Rye', 'Dark', 5_000, 'BRL'],
      )
      assert.deepEqual([businessOwnerJid, body], [`${ANA}@s.whatsapp.net`, 'Fresh, Ben'])
      assert.ok((shown.productImage as Json).directPath, 'has a picture')
    }
    const before = (await world.network<Shown[]>('GET', `/phones/${BEN}/messages`)).length
    for (const [body, status, code] of [
      [{ number: BEN }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, id: 'none' }, 404, 'PRODUCT_NOT_FOUND'],
      [{ number: BEN, id: made.id, image: '%' }, 400, 'INVALID_REQUEST'],
      [{ number: BEN, id: made.id, jid: '120363000000000001@g.us' }, 400, 'INVALID_NUMBER'],
    ] as const) {
      const answer = await call('/send/product', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    }
    assert.equal((await world.network<Shown[]>('GET', `/phones/${BEN}/messages`)).length, before)
  })
})

describe('albums', () => {
  const files = () => [
    { type: 'image', file: `${web.url}/a.jpg`, text: 'one' },
    { type: 'image', file: `${web.url}/b.png` },
    { type: 'video', file: `${web.url}/c.mp4`, text: 'three' },
  ]

  it('are a frame, and the files that name it, in their order', async () => {
    const { status, body } = await call('/send/album', { number: BEN, files: files(), track_id: 'al' })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.messageType, body.sendFunction, body.track_id, body.failed], ['album', 'album', 'al', []])
    const frame = (await atBen(body.messageid)).message.albumMessage as Json
    assert.deepEqual([frame.expectedImageCount, frame.expectedVideoCount], [2, 1])
    const sent = body.files as Json[]
    assert.deepEqual(
      sent.map(({ messageType }) => messageType),
      ['image', 'image', 'video'],
    )
    for (const [index, { messageid }] of sent.entries()) {
      const { media, message } = await atBen(messageid)
      assert.deepEqual([media[0]?.error, media[0]?.caption], [null, ['one', null, 'three'][index]])
      const association = (message.messageContextInfo?.messageAssociation ?? {}) as Json
      const { associationType, parentMessageKey = {} } = association as Json & { parentMessageKey?: Json }
      assert.deepEqual([parentMessageKey.id, parentMessageKey.fromMe], [body.messageid, true])
      assert.ok(associationType === 1 || associationType === 'MEDIA_ALBUM', String(associationType))
    }
  })

  it('are sent once under a key, also queued', async () => {
    const key = { 'idempotency-key': 'album-1' }
    const send = () => call('/send/album', { number: BEN, files: files(), async: true }, key)
    const [first, again] = [(await send()).body, (await send()).body]
    assert.equal(first.messageid, again.messageid)
    const ids = (body: Json) => (body.files as Json[]).map(({ messageid }) => messageid)
    assert.deepEqual(ids(first), ids(again))
    for (const id of ids(first)) await atBen(id)
    const all = await world.network<Shown[]>('GET', `/phones/${BEN}/messages`)
    assert.equal(all.filter(({ id }) => id === first.messageid).length, 1)
  })

  it('are refused as a whole if a file is wrong, and tell which file was not sent', async () => {
    const count = async () => (await world.network<Shown[]>('GET', `/phones/${BEN}/messages`)).length
    const before = await count()
    const [one, two] = files()
    for (const [body, code] of [
      [{ number: BEN, files: [one] }, 'INVALID_REQUEST'],
      [{ number: BEN, files: Array.from({ length: 31 }, () => one) }, 'INVALID_REQUEST'],
      [{ number: BEN, files: [one, { type: 'sticker', file: `${web.url}/a.jpg` }] }, 'INVALID_REQUEST'],
      [{ number: BEN, files: [one, { type: 'image', file: '%' }] }, 'INVALID_REQUEST'],
      [{ number: BEN, files: [one, { type: 'image', file: `${web.url}/none.jpg` }] }, 'FETCH_FAILED'],
      [{ number: BEN, files: [one, two], send_at: Date.now() + 3_600_000 }, 'INVALID_REQUEST'],
      [{ number: 'x', files: [one, two] }, 'INVALID_NUMBER'],
    ] as const) {
      const answer = await call('/send/album', body)
      assert.equal(answer.body.code, code, JSON.stringify(answer.body))
    }
    assert.equal(await count(), before)
    // The frame is taken, and of what follows nothing.
    const fault = await world.network('POST', '/faults', { kind: 'media-upload', times: 100, code: 500 })
    const partly = await call('/send/album', { number: BEN, files: [one, two] })
    await world.network('DELETE', `/faults/${String(fault.id)}`)
    assert.equal(partly.status, 207, JSON.stringify(partly.body))
    assert.deepEqual(
      (partly.body.failed as Json[]).map(({ index }) => index),
      [0, 1],
    )
    await eventually(() => atBen(partly.body.messageid))
  })
})
