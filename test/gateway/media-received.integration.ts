import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { jpeg, wav } from '../support/samples.js'

type Json = Record<string, unknown>
interface Downloaded extends Json {
  fileURL?: string
  mimetype?: string
  base64Data?: string
  warnings?: string[]
  code?: string
  details?: unknown
}

const ANA = '15550320001'
const BEN = '15550320002'
const EVE = '15550320003'
const CAT = '15550320004'
const MAX_BYTES = 1024 * 1024

describe('files of received messages', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { MEDIA_MAX_BYTES: String(MAX_BYTES), FFMPEG_PATH: '/nonexistent/ffmpeg', PARK_TIMEOUT_MS: '1000' },
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
    events: ['messages'],
  })

  type Told = Json & { id: string; messageid: string; fileURL: string; content: Json; sender_pn: string }
  /** This phone sends a file; resolves with what the webhook says of it. */
  const from = async (phone: string, body: Json) => {
    const { id } = await world.network<{ id: string }>('POST', `/phones/${phone}/media`, { to: ANA, ...body })
    const isOfIt = ({ messageid, sender_pn }: Told) => messageid === id && sender_pn === `${phone}@s.whatsapp.net`
    const told = await eventually(
      () => receiver.of('messages').map(({ body: { message } }) => message as Told),
      (messages) => messages.some(isOfIt),
    )
    return told.find(isOfIt) as Told
  }
  const fromBen = (body: Json) => from(BEN, body)
  const document = (bytes: Buffer, more: Json = {}) =>
    fromBen({
      kind: 'document',
      base64: bytes.toString('base64'),
      fileName: 'ä b.pdf',
      mimetype: 'application/pdf',
      ...more,
    })
  const given = async (url: unknown) => {
    const response = await fetch(String(url))
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, code: codeIn(response, bytes) }
  }
  const codeIn = (response: Response, bytes: Buffer) =>
    response.headers.get('content-type')?.includes('json') ? (JSON.parse(bytes.toString()) as Json).code : undefined
  const download = async (body: Json) => {
    const answer = await ana.call<Downloaded>('POST', '/message/download', body)
    return { ...answer.body, status: answer.status }
  }
  const fault = (more: Json) => world.network('POST', '/faults', more)

  it('of every kind have a link in the event and in the record, which serves the original file', async () => {
    const kinds = [
      [{ kind: 'image', caption: 'a' }, 'image', 'image', 'image/jpeg'],
      [{ kind: 'image', viewOnce: true }, 'image', 'image', 'image/jpeg'],
      [{ kind: 'video' }, 'video', 'video', 'video/mp4'],
      [{ kind: 'video', gif: true }, 'video', 'gif', 'video/mp4'],
      [{ kind: 'ptv' }, 'video', 'ptv', 'video/mp4'],
      [{ kind: 'audio' }, 'audio', 'audio', 'audio/ogg; codecs=opus'],
      [{ kind: 'audio', ptt: true }, 'audio', 'ptt', 'audio/ogg; codecs=opus'],
      [{ kind: 'document' }, 'document', 'document', 'application/octet-stream'],
      [{ kind: 'sticker' }, 'sticker', 'sticker', 'image/webp'],
    ] as const
    for (const [body, messageType, mediaType, mimetype] of kinds) {
      const bytes = randomBytes(70_001)
      const message = await fromBen({ ...body, base64: bytes.toString('base64') })
      const what = JSON.stringify(body)
      assert.deepEqual(
        [message.messageType, message.mediaType, message.content.mimetype],
        [messageType, mediaType, mimetype],
        what,
      )
      const file = await given(message.fileURL)
      assert.deepEqual([file.status, file.headers.get('content-type')], [200, mimetype], what)
      assert.ok(file.bytes.equals(bytes), what)
      const { messages } = (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id: message.messageid }))
        .body
      assert.ok((await given(messages[0]?.fileURL)).bytes.equals(bytes), what)
    }
    const text = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text: 'no file' })
    const [event] = await eventually(
      () => receiver.of('messages').filter(({ body: { message } }) => (message as Json).messageid === text.id),
      (found) => found.length > 0,
    )
    const told = event?.body.message as Json | undefined
    assert.equal(told?.fileURL, '')
  })

  it('are fetched from the network once, for any number of requests and callers', async () => {
    const message = await document(randomBytes(50_000))
    const answers = await Promise.all(Array.from({ length: 6 }, () => given(message.fileURL)))
    assert.ok(answers.every(({ status }) => status === 200))
    await given((await download({ id: message.id })).fileURL)
    const directPath = message.content.directPath
    const lying = await world.network<{ directPath: string; fetched: number }[]>('GET', '/media')
    assert.equal(lying.find((file) => file.directPath === directPath)?.fetched, 1)
  })

  it('are served if the network has them unencrypted, unless their hash is wrong', async () => {
    const bytes = await jpeg(40, 30)
    const message = await fromBen({ kind: 'image', base64: bytes.toString('base64'), plain: true })
    const answer = await given(message.fileURL)
    assert.deepEqual([answer.status, answer.bytes.equals(bytes)], [200, true])
    await fault({ kind: 'media-damage', times: 1 })
    const damaged = await fromBen({ kind: 'image', base64: (await jpeg(40, 31)).toString('base64'), plain: true })
    const refused = await download({ id: damaged.messageid })
    assert.deepEqual([refused.status, refused.code], [502, 'MEDIA_UNAVAILABLE'])
  })

  it('are served with their name, and never as an executable page', async () => {
    const page = await document(Buffer.from('<script>alert(1)</script>'), {
      fileName: 'ä b.html',
      mimetype: 'text/html',
    })
    const { headers } = await given(page.fileURL)
    assert.equal(headers.get('content-disposition'), "attachment; filename*=UTF-8''%C3%A4%20b.html")
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    // The cut leaves no half of a character.
    const faces = await document(Buffer.from('a'), { fileName: `ab${'😀'.repeat(200)}` })
    const { status, headers: ofFaces } = await given(faces.fileURL)
    assert.equal(status, 200)
    assert.ok(ofFaces.get('content-disposition')?.endsWith(`ab${encodeURIComponent('😀'.repeat(126))}`))
    // Headers of such lengths are taken by nobody.
    const long = await document(Buffer.from('a'), {
      fileName: `\u0000\r\nSet-Cookie: a=b${'ä'.repeat(50_000)}`,
      mimetype: `text/${'x'.repeat(50_000)}`,
    })
    const answer = await given(long.fileURL)
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type'), answer.headers.get('set-cookie')],
      [200, 'application/octet-stream', null],
    )
  })

  it('refuse a changed or forged link', async () => {
    const [one, other] = [await document(randomBytes(100)), await document(randomBytes(100))]
    const parts = one.fileURL.split('/')
    const [ends = '', proof = ''] = (parts.at(-1) ?? '').split('.')
    const later = (Number.parseInt(ends, 36) + 3600).toString(36)
    for (const [at, part] of [
      [-1, `${later}.${proof}`],
      [-1, `${ends}.${proof.slice(0, -2)}AA`],
      [-1, ends],
      [-2, other.id],
      [-2, `${one.id}.quoted`],
      [-3, 'i00000000000000'],
    ] as const) {
      const forged = parts.with(at, part).join('/')
      assert.equal((await given(forged)).code, 'MEDIA_LINK_ENDED', forged)
    }
  })

  it('are requested from the phone when the network no longer has them', async () => {
    const bytes = randomBytes(40_000)
    const [byLink, byCall] = [await document(bytes), await document(bytes)]
    await world.network('POST', '/media/expire', {})
    assert.ok((await given(byLink.fileURL)).bytes.equals(bytes))
    assert.equal((await download({ id: byCall.messageid, return_base64: true })).base64Data, bytes.toString('base64'))
  })

  it('give an error when the phone has lost them or they are damaged; another try may succeed', async () => {
    const bytes = randomBytes(30_000)
    const message = await document(bytes)
    await fault({ kind: 'media-damage', times: 1 })
    assert.deepEqual(await codes(message), [502, 'MEDIA_UNAVAILABLE'])
    await fault({ kind: 'media-download', code: 500, times: 1 })
    assert.deepEqual(await codes(message), [502, 'MEDIA_UNAVAILABLE'])
    await world.network('POST', '/media/expire', {})
    await fault({ kind: 'media-retry', code: 2, times: 1 })
    assert.deepEqual(await codes(message), [502, 'MEDIA_UNAVAILABLE'])
    assert.ok((await given(message.fileURL)).bytes.equals(bytes))
  })

  const codes = async (message: Json) => {
    const { status, code } = await given(message.fileURL)
    return [status, code]
  }

  it('above the size limit are not fetched', async () => {
    const message = await fromBen({ kind: 'document', sizeBytes: MAX_BYTES + 1 })
    assert.deepEqual(await codes(message), [413, 'MEDIA_TOO_LARGE'])
    assert.equal((await download({ id: message.id })).code, 'MEDIA_TOO_LARGE')
  })

  it('are served by /message/download as link, as base64 or both, by every id of the message', async () => {
    const bytes = randomBytes(200_002)
    const { id, messageid } = await document(bytes)
    for (const one of [id, messageid, `${ANA}:${messageid}`]) {
      const answer = await download({ id: one })
      assert.deepEqual([answer.mimetype, answer.base64Data], ['application/pdf', undefined])
      assert.ok((await given(answer.fileURL)).bytes.equals(bytes))
    }
    const both = await download({ id, return_base64: true })
    assert.ok(both.fileURL)
    assert.equal(both.base64Data, bytes.toString('base64'))
    assert.equal((await download({ id, return_base64: true, return_link: false })).fileURL, undefined)
  })

  it('stay those of the first message when another person reuses its id, also for a message without a file', async () => {
    await world.phone(CAT, 'Cat')
    const [bytes, others] = [randomBytes(9_000), randomBytes(8_000)]
    const { messageid, content } = await document(bytes)
    const forged = await from(CAT, { kind: 'document', base64: others.toString('base64'), id: messageid })
    // What the phone puts there again for the one is nothing of the other.
    await world.network('POST', '/media/expire', { directPath: content.directPath })
    for (const id of [messageid, `${ANA}:${messageid}`])
      assert.equal((await download({ id, return_base64: true })).base64Data, bytes.toString('base64'))
    assert.equal((await download({ id: forged.id, return_base64: true })).base64Data, others.toString('base64'))
    const text = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text: 'no file' })
    await eventually(() => receiver.of('messages').some(({ body }) => (body.message as Json).messageid === text.id))
    await from(CAT, { kind: 'document', base64: others.toString('base64'), id: text.id })
    assert.equal((await download({ id: text.id })).code, 'MEDIA_NOT_FOUND')
  })

  it('of deleted messages and chats are no longer served, although the storage has them', async () => {
    const [taken, kept] = [await document(randomBytes(7_000)), await document(randomBytes(7_000))]
    for (const { fileURL } of [taken, kept]) assert.equal((await given(fileURL)).status, 200)
    await world.network('POST', `/phones/${BEN}/delete`, { id: taken.messageid })
    const isGone = async (message: Json) => {
      await eventually(
        async () => (await codes(message))[0],
        (status) => status === 404,
      )
      assert.deepEqual(await codes(message), [404, 'MEDIA_NOT_FOUND'])
    }
    await isGone(taken)
    assert.equal((await download({ id: taken.id })).code, 'MEDIA_NOT_FOUND')
    assert.equal((await given(kept.fileURL)).status, 200)
    assert.equal((await ana.call('POST', '/chat/delete', { number: BEN, deleteMessagesDB: true })).status, 200)
    await isGone(kept)
    assert.equal((await download({ id: kept.id })).code, 'MESSAGE_NOT_FOUND')
  })

  it('of a quoted message are served on request', async () => {
    const bytes = randomBytes(5_000)
    const quoted = await document(bytes)
    const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, {
      to: ANA,
      text: 'about that',
      quotedId: quoted.messageid,
    })
    await eventually(
      () => receiver.of('messages').some(({ body: { message } }) => (message as Json).messageid === id),
      (isTold) => isTold,
    )
    assert.equal((await download({ id })).code, 'MEDIA_NOT_FOUND')
    const answer = await download({ id, download_quoted: true })
    assert.ok((await given(answer.fileURL)).bytes.equals(bytes), JSON.stringify(answer))
  })

  it("in menus are served too: the header's, and a card's by its number", async () => {
    const eve = await world.paired(EVE, 'Eve')
    const [picture, other, paper] = [
      await jpeg(40, 30),
      await jpeg(50, 40),
      Buffer.from('%PDF-1.4\nnothing on it\n%%EOF\n'),
    ]
    const fromEve = async (path: string, body: Json) => {
      const { status, body: sent } = await eve.call<Json>('POST', path, { number: ANA, text: 'Look', ...body })
      assert.equal(status, 200, JSON.stringify(sent))
      const [event] = await eventually(
        () => receiver.of('messages').filter(({ body: { message } }) => (message as Json).messageid === sent.messageid),
        (found) => found.length > 0,
      )
      assert.ok((await given(sent.fileURL)).status === 200)
      return event?.body.message as Json
    }
    const above = await fromEve('/send/menu', {
      type: 'button',
      choices: ['Yes'],
      imageButton: picture.toString('base64'),
    })
    assert.ok((await given(above.fileURL)).bytes.equals(picture))
    const byCall = await download({ id: above.id, return_base64: true })
    assert.deepEqual([byCall.mimetype, byCall.base64Data], ['image/jpeg', picture.toString('base64')])
    // Those that were sent are given as well.
    const own = await eve.call<Downloaded>('POST', '/message/download', { id: above.messageid, return_base64: true })
    assert.equal(own.body.base64Data, picture.toString('base64'))

    const buttons = [{ text: 'Take', id: 'a', type: 'REPLY' }]
    const carousel = [
      { text: 'A', buttons },
      { text: 'B', buttons, image: other.toString('base64') },
      { text: 'C', buttons, document: paper.toString('base64'), filename: 'c.pdf' },
    ]
    const cards = await fromEve('/send/carousel', { carousel })
    assert.ok((await given(cards.fileURL)).bytes.equals(other))
    const first = await download({ id: cards.id })
    assert.ok((await given(first.fileURL)).bytes.equals(other))
    assert.deepEqual(first.warnings, ['card: the cards 2, 3 have files, this is that of card 2'])
    const third = await download({ id: cards.id, card: 3 })
    const file = await given(third.fileURL)
    assert.ok(file.bytes.equals(paper))
    assert.match(file.headers.get('content-disposition') ?? '', /c\.pdf/)
    assert.deepEqual([third.mimetype, third.warnings], ['application/pdf', undefined])
    for (const card of [1, 4]) assert.equal((await download({ id: cards.id, card })).code, 'MEDIA_NOT_FOUND')
    assert.deepEqual((await download({ id: above.id, card: 1 })).warnings, [
      'card: the message has no cards with files, ignored',
    ])
  })

  it('refuse conversion without ffmpeg, and transcription without a key or a sound', async () => {
    const sound = await fromBen({ kind: 'audio', base64: wav().toString('base64') })
    const transcribed = await download({ id: sound.id, transcribe: true })
    assert.deepEqual([transcribed.status, transcribed.code], [422, 'TRANSCRIPTION_REFUSED'])
    assert.match(String((transcribed.details as Json[] | undefined)?.[0]?.why), /no OpenAI key/)
    const paper = await document(Buffer.from('paper'))
    const silent = await download({ id: paper.id, transcribe: true, openai_apikey: 'k' })
    assert.deepEqual([silent.status, (silent.details as Json[] | undefined)?.[0]?.field], [400, 'transcribe'])
    const answer = await download({ id: sound.id, generate_mp3: true, transcribe: false, openai_apikey: 'k' })
    assert.equal(answer.mimetype, 'audio/ogg; codecs=opus')
    assert.deepEqual(
      answer.warnings?.map((one) => one.split(':')[0]),
      ['generate_mp3'],
    )
  })

  it('refuse an invalid call', async () => {
    for (const [body, status, code] of [
      [{}, 400, 'INVALID_REQUEST'],
      [{ id: '' }, 400, 'MISSING_ID'],
      [{ id: 5 }, 400, 'INVALID_REQUEST'],
      [{ id: 'x'.repeat(201) }, 400, 'INVALID_REQUEST'],
      [{ id: 'unknown' }, 404, 'MESSAGE_NOT_FOUND'],
      [{ id: 'a', return_base64: 'yes' }, 400, 'INVALID_REQUEST'],
      [{ id: 'a', return_link: 1 }, 400, 'INVALID_REQUEST'],
      [{ id: 'a', generate_mp3: 1 }, 400, 'INVALID_REQUEST'],
      [{ id: 'a', download_quoted: {} }, 400, 'INVALID_REQUEST'],
      [{ id: 'a', card: 0 }, 400, 'INVALID_REQUEST'],
      [{ id: 'a', card: 'one' }, 400, 'INVALID_REQUEST'],
    ] as const) {
      const answer = await download(body)
      assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(body))
    }
  })
})
