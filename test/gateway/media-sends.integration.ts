import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { eventually } from '../support/eventually.js'
import { type FileServer, startFileServer } from '../support/file-server.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { jpeg, mp4, opus, png, wav } from '../support/samples.js'

type Json = Record<string, unknown>
type Sent = Json & { code?: string; warnings?: string[]; response?: { fileUrl?: string } }

const BEN = '15550310002'
const MAX_BYTES = 6 * 1024 * 1024

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('files that are sent', () => {
  let web: FileServer
  const {
    world,
    account: ana,
    cleanup,
  } = gatewaySuite({
    env: { MEDIA_MAX_BYTES: String(MAX_BYTES), MEDIA_FETCH_TIMEOUT_MS: '1000', FFMPEG_PATH: '/nonexistent/ffmpeg' },
    phones: { [BEN]: 'Ben' },
    account: ['15550310001', 'Ana'],
    complete: async () => {
      web = await startFileServer(cleanup)
    },
  })

  const send = (body: Json, headers?: Record<string, string>) =>
    ana.call<Sent>('POST', '/send/media', { number: BEN, ...body }, headers)
  const atBen = (query = '') =>
    world.network<{ id: string; media: ShownMedia[]; message: Json; text: string | null; quotedId: string | null }[]>(
      'GET',
      `/phones/${BEN}/messages?own=false${query}`,
    )
  const sent = async (body: Json) => {
    const { status, body: record } = await send(body)
    assert.equal(status, 200, JSON.stringify(record))
    const [message] = await eventually(
      () => atBen(`&id=${record.messageid}`),
      (found) => found.length > 0,
    )
    const [shown] = message?.media ?? []
    assert.ok(message && shown, JSON.stringify(message))
    assert.equal(shown.error, null)
    return { record, message, shown }
  }
  const refused = async (body: Json, status: number, code: string, error?: RegExp) => {
    const [before, answer] = [(await atBen()).length, await send(body)]
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    if (error !== undefined) assert.match(String(answer.body.error), error)
    const { messages } = (await ana.call<{ messages: Json[] }>('POST', '/message/find', { track_id: 'refused' })).body
    assert.deepEqual([messages, (await atBen()).length], [[], before])
  }

  it('a picture arrives unchanged, with its caption, its size and a thumbnail', async () => {
    const file = await jpeg()
    const { record, message, shown } = await sent({
      type: 'image',
      file: file.toString('base64'),
      text: 'for {{name}}',
    })
    assert.deepEqual([record.messageType, record.mediaType, record.status], ['image', 'image', 'sent'])
    assert.deepEqual([shown.kind, shown.mimetype, shown.sha256], ['image', 'image/jpeg', sha256(file)])
    assert.deepEqual([shown.width, shown.height], [400, 300])
    assert.ok(shown.thumbnailBytes > 100)
    // There is no name yet, and what is not known stays as it is.
    assert.match(message.text ?? '', /^for /)
    assert.equal(record.text, message.text)
    await ana.call('POST', '/chat/editLead', { id: `${BEN}@s.whatsapp.net`, lead_name: 'Benedict' })
    const named = await sent({ type: 'image', file: file.toString('base64'), text: 'for {{lead_name}}' })
    assert.deepEqual([named.message.text, named.record.text], ['for Benedict', 'for Benedict'])
  })

  it('the link in the answer serves the file', async () => {
    const file = await png()
    const { record } = await sent({ type: 'image', file: `data:image/png;base64,${file.toString('base64')}` })
    assert.equal(record.fileURL, record.response?.fileUrl)
    const given = await fetch(String(record.fileURL))
    assert.deepEqual([given.status, given.headers.get('content-type')], [200, 'image/png'])
    assert.equal(sha256(Buffer.from(await given.arrayBuffer())), sha256(file))
  })

  it('every kind of file is shown as its kind', async () => {
    const [film, note, sound, text] = [mp4(), opus(), wav(3), Buffer.from('name;value\n')]
    const base64 = (bytes: Buffer) => bytes.toString('base64')
    const cases = [
      [{ type: 'video', file: base64(film), text: 'v' }, { kind: 'video', mimetype: 'video/mp4', caption: 'v' }, film],
      [{ type: 'videoplay', file: base64(film) }, { kind: 'video', gif: true }, film],
      [{ type: 'ptv', file: base64(film) }, { kind: 'ptv', mimetype: 'video/mp4' }, film],
      [{ type: 'audio', file: base64(sound) }, { kind: 'audio', ptt: false, seconds: 3 }, sound],
      [{ type: 'ptt', file: base64(note) }, { kind: 'audio', ptt: true, mimetype: 'audio/ogg; codecs=opus' }, note],
      [{ type: 'myaudio', file: base64(note) }, { kind: 'audio', ptt: true }, note],
      [
        { type: 'document', file: base64(text), docName: 'a.csv', text: 'd' },
        { kind: 'document', mimetype: 'text/csv', fileName: 'a.csv', caption: 'd' },
        text,
      ],
      [
        { type: 'document', file: base64(sound), docName: 'b', mimetype: 'application/x-mine' },
        { kind: 'document', mimetype: 'application/x-mine', fileName: 'b' },
        sound,
      ],
      [{ type: 'sticker', file: base64(await png()) }, { kind: 'sticker', mimetype: 'image/webp', width: 512 }, null],
    ] as const
    for (const [body, expected, file] of cases) {
      const { shown } = await sent(body)
      const seen = Object.fromEntries(Object.keys(expected).map((key) => [key, shown[key as keyof ShownMedia]]))
      assert.deepEqual(seen, expected, body.type)
      if (file !== null) assert.equal(shown.sha256, sha256(file), body.type)
    }
  })

  it('formats that clients cannot show are converted: a picture to JPEG, a sticker to WebP of 512 pixels', async () => {
    const gif = await sharp(await png())
      .gif()
      .toBuffer()
    const { shown } = await sent({ type: 'image', file: gif.toString('base64') })
    assert.deepEqual([shown.mimetype, shown.width], ['image/jpeg', 60])
    const { message } = await sent({ type: 'sticker', file: gif.toString('base64') })
    const [plain] = await world.network<{ base64: string }[]>('GET', `/phones/${BEN}/media/${message.id}`)
    const { format, width, height } = await sharp(Buffer.from(plain?.base64 ?? '', 'base64')).metadata()
    assert.deepEqual([format, width, height], ['webp', 512, 512])
  })

  it('the common fields work: reply, view once, forwarded, tracking; unsupported ones are left out with a warning', async () => {
    const first = await ana.text(BEN, 'look')
    const file = (await jpeg(40, 30)).toString('base64')
    const { record, message } = await sent({
      type: 'image',
      file,
      replyid: first.messageid,
      track_id: 't1',
      forward: true,
    })
    assert.deepEqual([message.quotedId, record.quoted, record.track_id], [first.messageid, first.messageid, 't1'])
    const once = await sent({ type: 'image', file, viewOnce: true })
    assert.ok(once.message.message.viewOnceMessageV2, 'wrapped')
    const voice = await sent({ type: 'ptt', file: opus().toString('base64'), viewOnce: true })
    assert.ok(voice.message.message.viewOnceMessageV2Extension, 'wrapped')
    const note = await sent({ type: 'ptt', file: opus().toString('base64'), text: 'no place', docName: 'x' })
    assert.deepEqual(
      note.record.warnings?.map((one) => one.split(':')[0]),
      ['text', 'docName'],
    )
    assert.equal(note.shown.caption, null)
  })

  it('while a voice note waits, recording is shown', async () => {
    await world.network('POST', `/phones/${BEN}/presence`, { available: true })
    await sent({ type: 'ptt', file: opus().toString('base64'), delay: 300 })
    const shown = await world.network<{ state: string }[]>('GET', `/phones/${BEN}/presences`)
    assert.ok(
      shown.some(({ state }) => state === 'recording'),
      JSON.stringify(shown),
    )
    assert.ok(!shown.some(({ state }) => state === 'composing'), JSON.stringify(shown))
  })

  it('base64 is accepted in all common forms: for URLs, with line breaks, with escaped slashes', async () => {
    const file = randomBytes(100_001)
    const plain = file.toString('base64')
    for (const text of [plain, file.toString('base64url'), (plain.match(/.{1,76}/g) ?? []).join('\r\n')]) {
      const { shown } = await sent({ type: 'document', file: text })
      assert.equal(shown.sha256, sha256(file))
    }
    const body = JSON.stringify({ number: BEN, type: 'document', FILE: plain, track_id: 'php' }).replaceAll('/', '\\/')
    const answer = await ana.call<Sent>('POST', '/send/media', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const [shown] = await eventually(
      () => atBen(`&id=${answer.body.messageid}`),
      (found) => found.length > 0,
    )
    assert.equal(shown?.media[0]?.sha256, sha256(file))
  })

  it('a large file arrives complete', async () => {
    const file = randomBytes(MAX_BYTES)
    const { shown } = await sent({ type: 'document', file: file.toString('base64') })
    assert.equal(shown.sha256, sha256(file))
  })

  it('a file by URL is fetched, over redirects, and a document has the name that the URL gives it', async () => {
    const file = await jpeg(50, 50)
    web.on('/a%20picture.jpg', file)
    web.on('/moved', (response) => response.writeHead(302, { location: '/a%20picture.jpg' }).end())
    const { shown } = await sent({ type: 'document', file: `${web.url}/moved` })
    assert.deepEqual([shown.sha256, shown.fileName, shown.mimetype], [sha256(file), 'a picture.jpg', 'image/jpeg'])
    // A name that is too long is cut between two characters.
    const path = `/${encodeURIComponent(`a${'😀'.repeat(150)}`)}`
    web.on(path, file)
    const long = await sent({ type: 'document', file: `${web.url}${path}` })
    assert.equal(long.shown.fileName, `a${'😀'.repeat(99)}.jpg`)
  })

  it('a document has the name that its server gives, in both forms, and the ending of its type', async () => {
    const file = await jpeg(50, 50)
    const names: readonly (readonly [string, string])[] = [
      ['attachment; filename="plain.jpg"', 'plain.jpg'],
      [`attachment; filename="x.jpg"; filename*=UTF-8''relat%C3%B3rio.jpg`, 'relatório.jpg'],
      [Buffer.from('attachment; filename="relatório.jpg"').toString('latin1'), 'relatório.jpg'],
      ['attachment; filename=two words.jpg', 'two words.jpg'],
      ['attachment; filename="../../etc/passwd"', 'passwd.jpg'],
      ['attachment', 'show.jpg'],
      ['inline; filename="Invoice 3.2"', 'Invoice 3.2.jpg'],
    ]
    for (const [disposition, expected] of names) {
      web.on('/show', (response) => response.writeHead(200, { 'content-disposition': disposition }).end(file))
      const { shown } = await sent({ type: 'document', file: `${web.url}/show` })
      assert.equal(shown.fileName, expected, disposition)
    }
    const given = await sent({ type: 'document', file: (await png()).toString('base64'), docName: 'Plan' })
    assert.equal(given.shown.fileName, 'Plan.png')
  })

  it('a file that its server compresses is read; one that grows too large or is broken is refused', async () => {
    const file = await jpeg(50, 50)
    const answer = (path: string, encoding: string, body: Buffer) =>
      web.on(path, (response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
    const by = (path: string) => ({ type: 'document', file: `${web.url}${path}`, track_id: 'refused' })
    answer('/gzip.jpg', 'gzip', gzipSync(file))
    answer('/br.jpg', 'br', brotliCompressSync(file))
    for (const path of ['/gzip.jpg', '/br.jpg'])
      assert.equal((await sent({ ...by(path), track_id: 'read' })).shown.sha256, sha256(file))
    answer('/bomb', 'gzip', gzipSync(Buffer.alloc(10 * MAX_BYTES)))
    answer('/broken', 'gzip', randomBytes(2_000))
    answer('/short', 'gzip', gzipSync(randomBytes(50_000)).subarray(0, 20_000))
    answer('/other', 'compress', file)
    await refused(by('/bomb'), 413, 'MEDIA_TOO_LARGE')
    await refused(by('/broken'), 502, 'FETCH_FAILED')
    await refused(by('/short'), 502, 'FETCH_FAILED')
    await refused(by('/other'), 502, 'FETCH_FAILED')
  })

  it('sounds that few devices play are sent as they are with a warning, where there is no ffmpeg', async () => {
    const { record } = await sent({ type: 'audio', file: wav().toString('base64') })
    assert.match(record.warnings?.join() ?? '', /^file: audio\/wav plays on few devices/)
  })

  it('a URL that fails, is slow, endless, too large, or lies about its length gives a clear error; nothing is sent', async () => {
    const large = { 'content-length': String(MAX_BYTES + 1) }
    web.on('/slow', (response) => void response.writeHead(200).write('a'))
    web.on('/large', (response) => response.writeHead(200, large).end())
    web.on('/endless', (response) => {
      const chunk = Buffer.alloc(256 * 1024)
      // Node.js 24.22.3 calls back with an error when the other side has left, and does not destroy the response.
      const more = (error?: Error | null): void => void (error || response.destroyed || response.write(chunk, more))
      more()
    })
    web.on('/short', (response) => {
      response.writeHead(200, { 'content-length': '5000' }).write(Buffer.alloc(100))
      setTimeout(() => response.destroy(), 50)
    })
    web.on('/round', (response) => response.writeHead(302, { location: '/round' }).end())
    const by = (at: string) => ({ type: 'document', file: `${web.url}${at}`, track_id: 'refused' })
    await refused(by('/missing'), 502, 'FETCH_FAILED')
    await refused(by('/slow'), 502, 'FETCH_FAILED')
    await refused(by('/large'), 413, 'MEDIA_TOO_LARGE')
    await refused(by('/endless'), 413, 'MEDIA_TOO_LARGE')
    await refused(by('/short'), 502, 'FETCH_FAILED')
    await refused(by('/round'), 502, 'FETCH_FAILED')
    await refused({ type: 'image', file: 'http://user:pass@example.com/', track_id: 'refused' }, 400, 'URL_NOT_ALLOWED')
  })

  it('a file of another type, too large, empty or damaged is refused with the reason; nothing is sent', async () => {
    const base64 = (bytes: Buffer) => bytes.toString('base64')
    const track_id = 'refused'
    await refused({ type: 'image', file: base64(wav()), track_id }, 415, 'MEDIA_TYPE_REFUSED', /it is audio\/wav/)
    await refused({ type: 'video', file: base64(await png()), track_id }, 415, 'MEDIA_TYPE_REFUSED', /MP4/)
    await refused({ type: 'sticker', file: base64(mp4()), track_id }, 415, 'MEDIA_TYPE_REFUSED')
    await refused({ type: 'ptt', file: base64(await png()), track_id }, 415, 'MEDIA_TYPE_REFUSED')
    await refused({ type: 'ptt', file: base64(wav()), track_id }, 501, 'CONVERSION_UNAVAILABLE', /no ffmpeg/)
    await refused({ type: 'image', file: base64((await jpeg()).subarray(0, 600)), track_id }, 415, 'MEDIA_TYPE_REFUSED')
    await refused({ type: 'document', file: base64(randomBytes(MAX_BYTES + 1)), track_id }, 413, 'MEDIA_TOO_LARGE')
    await refused(
      { type: 'document', file: `${base64(randomBytes(90_000))}!`, track_id },
      400,
      'INVALID_REQUEST',
      /file must be a URL or base64/,
    )
    await refused({ type: 'document', file: `data:text/plain,${'a'.repeat(50)}`, track_id }, 400, 'INVALID_REQUEST')
    const file = base64(await png())
    const thumbnail = base64(wav())
    await refused({ type: 'document', file, thumbnail, track_id }, 400, 'INVALID_REQUEST', /thumbnail/)
  })

  it('a repeat under the same Idempotency-Key gives the first answer, and its URL is not fetched again', async () => {
    web.on('/once', await jpeg(30, 30))
    const byUrl = { type: 'image', file: `${web.url}/once` }
    const key = { 'idempotency-key': 'url-1' }
    const first = await send(byUrl, key)
    web.on('/once', Buffer.from('gone'))
    assert.equal((await send(byUrl, key)).body.messageid, first.body.messageid)
    assert.equal(web.asked('/once'), 1)

    const bytes = randomBytes(50_000)
    const asked = (file: Buffer) =>
      send({ type: 'document', file: file.toString('base64') }, { 'idempotency-key': 'b-1' })
    const [one, other] = await Promise.all([asked(bytes), asked(bytes)])
    assert.deepEqual([one.status, other.status], [200, 200])
    assert.equal(one.body.messageid, other.body.messageid)
    assert.equal((await asked(randomBytes(50_000))).body.code, 'IDEMPOTENCY_CONFLICT')
  })

  it('a refusal by the media host gives an error and sends nothing; an expired permission is renewed', async () => {
    const body = { type: 'document', file: randomBytes(100).toString('base64'), track_id: 'refused' }
    const fault = (more: Json) => world.network('POST', '/faults', { kind: 'media-upload', ...more })
    await fault({ code: 500, times: 1 })
    await refused(body, 502, 'MEDIA_UPLOAD_FAILED')
    await fault({ code: 413, times: 1 })
    await refused(body, 502, 'MEDIA_REFUSED')
    await fault({ code: 401, times: 1 })
    await sent({ ...body, track_id: 'renewed' })
  })

  it('a file keeps its place in its chat during its upload: later sends arrive after it', async () => {
    await world.network('DELETE', '/faults')
    await world.network('POST', '/faults', { kind: 'media-upload', code: 401, delayMs: 500, times: 1 })
    const large = send({ type: 'document', file: randomBytes(500_000).toString('base64') })
    await eventually(
      () => world.network<{ rules: { kind: string; applied: number }[] }>('GET', '/faults'),
      ({ rules }) => rules.some(({ kind, applied }) => kind === 'media-upload' && applied > 0),
    )
    const text = await ana.text(BEN, 'after it')
    const { body } = await large
    const ids = (await atBen()).map(({ id }) => id)
    assert.deepEqual(ids.slice(-2), [body.messageid, text.messageid])
  })

  it('no file is left on the disk, neither received nor stored for sending', async () => {
    const dataDir = world.gateway.environment.DATA_DIR ?? ''
    const left = () =>
      ['tmp', 'media/outgoing'].flatMap((folder) =>
        readdirSync(path.join(dataDir, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
          entry.isFile() ? [entry.name] : [],
        ),
      )
    await eventually(left, (files) => files.length === 0)
  })
})
