import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { eventually } from '../support/eventually.js'
import { startFileServer } from '../support/file-server.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { wav } from '../support/samples.js'
import { type StandIn, standInFfmpeg } from '../support/stand-in-ffmpeg.js'

type Json = Record<string, unknown>

const BEN = '15550330002'
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('files that are queued', () => {
  let standIn: StandIn
  const {
    world,
    account: ana,
    cleanup,
  } = gatewaySuite({
    env: () => {
      standIn = standInFfmpeg(cleanup)
      return { ALLOW_PRIVATE_ADDRESSES: 'false', RECONNECT_DELAY_MAX_MS: '500', FFMPEG_PATH: standIn.program }
    },
    phones: { [BEN]: 'Ben' },
    account: ['15550330001', 'Ana'],
  })

  const send = (body: Json) =>
    ana.call<Json & { status: string }>('POST', '/send/media', { number: BEN, type: 'document', ...body })
  const queue = async (file: Buffer) => {
    const answer = await send({ file: file.toString('base64'), async: true })
    assert.deepEqual([answer.status, answer.body.status], [200, 'queued'], JSON.stringify(answer.body))
    return String(answer.body.messageid)
  }
  const shown = async () => {
    const messages = await world.network<{ id: string; arrivals: number; media: ShownMedia[] }[]>(
      'GET',
      `/phones/${BEN}/messages?own=false`,
    )
    return messages.flatMap(({ id, arrivals, media }) => media.map(({ sha256: hash }) => ({ id, arrivals, hash })))
  }
  const readStatus = async (id: string) => {
    const { messages } = (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id })).body
    return messages[0]?.status
  }
  const fault = (more: Json) => world.network('POST', '/faults', { kind: 'media-upload', ...more })

  it('survive a kill -9 before their upload: each arrives once, complete and in order', async () => {
    await fault({ code: 500 })
    const files = [randomBytes(300_000), randomBytes(20), randomBytes(70_000)]
    const ids: string[] = []
    for (const file of files) ids.push(await queue(file))
    await world.gateway.kill('SIGKILL')
    await world.network('DELETE', '/faults')
    await world.gateway.start()
    await ana.connected()
    const expected = files.map((file, index) => ({ id: ids[index], arrivals: 1, hash: sha256(file) }))
    await eventually(shown, (now) => now.length === 3)
    assert.deepEqual(await shown(), expected)
    for (const id of ids)
      await eventually(
        () => readStatus(id),
        (status) => status === 'sent' || status === 'delivered',
      )
  })

  it('wait while the storage is away and continue when it returns; new ones are refused meanwhile', async () => {
    await fault({ code: 500 })
    const file = randomBytes(50_000)
    const id = await queue(file)
    const folder = path.join(world.gateway.environment.DATA_DIR ?? '', 'media')
    renameSync(folder, `${folder}-away`)
    // A try that has the file already ends with its connection; the next connections look at the queue.
    for (const isAllowed of [false, true]) {
      if (isAllowed) await world.network('DELETE', '/faults')
      await ana.call('POST', '/instance/reset', {})
      await ana.connected()
    }
    const refused = await send({ file: file.toString('base64'), async: true, track_id: 'refused' })
    assert.deepEqual([refused.status, refused.body.code], [503, 'MEDIA_STORAGE_UNAVAILABLE'])
    assert.ok(refused.headers.has('retry-after'))
    assert.equal(await readStatus(id), 'queued')
    renameSync(`${folder}-away`, folder)
    await ana.call('POST', '/instance/reset', {})
    await eventually(shown, (now) => now.some(({ hash }) => hash === sha256(file)))
    const { messages } = (await ana.call<{ messages: Json[] }>('POST', '/message/find', { track_id: 'refused' })).body
    assert.deepEqual(messages, [])
  })

  it('fail with the reason when the network refuses them for good, and do not delay the others', async () => {
    await fault({ code: 413, times: 1 })
    const first = await queue(randomBytes(1_000))
    const second = randomBytes(1_000)
    await queue(second)
    await eventually(
      () => readStatus(first),
      (status) => status === 'failed',
    )
    await eventually(shown, (now) => now.some(({ hash }) => hash === sha256(second)))
  })

  it('include audio that ffmpeg makes a voice note with a waveform, and that is downloaded as MP3', async () => {
    const answer = await send({ type: 'ptt', file: wav().toString('base64') })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await eventually(shown, (now) => now.some(({ hash }) => hash === sha256(standIn.voiceNote)))
    const { mimetype, waveform } = answer.body.content as Json
    assert.equal(mimetype, 'audio/ogg; codecs=opus')
    assert.equal(Buffer.from(String(waveform), 'base64').length, 64)
    const { body } = await ana.call<Json>('POST', '/message/download', {
      id: answer.body.messageid,
      return_base64: true,
    })
    assert.deepEqual([body.mimetype, body.base64Data], ['audio/mpeg', standIn.mp3.toString('base64')])
    const plain = await ana.call<Json>('POST', '/message/download', { id: answer.body.messageid, generate_mp3: false })
    assert.equal(plain.body.mimetype, 'audio/ogg; codecs=opus')
    const odd = Buffer.concat([wav(), Buffer.from('FAIL')])
    const sent = await send({ type: 'audio', file: odd.toString('base64') })
    const original = await ana.call<Json>('POST', '/message/download', { id: sent.body.messageid, return_base64: true })
    assert.deepEqual([original.status, original.body.base64Data], [200, odd.toString('base64')])
    assert.match(String(original.body.warnings), /generate_mp3: the audio could not be converted.*Invalid data found/)
    const link = await fetch(String(original.body.fileURL))
    assert.equal(sha256(Buffer.from(await link.arrayBuffer())), sha256(odd))
    const broken = await send({ type: 'ptt', file: Buffer.concat([wav(), Buffer.from('FAIL')]).toString('base64') })
    assert.deepEqual([broken.status, broken.body.code], [415, 'MEDIA_TYPE_REFUSED'])
  })

  it('refuse URLs of private addresses, also after a redirect and in every notation', async () => {
    const inside = await startFileServer(cleanup)
    inside.on('/secret', Buffer.alloc(100))
    const { port } = new URL(inside.url)
    const readField = ({ body }: { body: Json }) => (body.details as { field: string }[])[0]?.field
    for (const url of [
      `http://127.0.0.1:${port}/secret`,
      `http://localhost:${port}/secret`,
      `http://2130706433:${port}/secret`,
      `http://0x7f.1:${port}/secret`,
      `http://[::1]:${port}/secret`,
      `http://[::ffff:127.0.0.1]:${port}/secret`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://user@example.com/',
    ]) {
      const answer = await send({ file: url })
      assert.deepEqual([answer.status, answer.body.code, readField(answer)], [400, 'URL_NOT_ALLOWED', 'file'], url)
      const thumbnail = await send({ file: randomBytes(20).toString('base64'), thumbnail: url })
      assert.deepEqual([thumbnail.body.code, readField(thumbnail)], ['URL_NOT_ALLOWED', 'thumbnail'], url)
    }
    for (const url of ['file:///etc/passwd', 'ftp://example.com/a', '//example.com/a', 'not base64 at all'])
      assert.equal((await send({ file: url })).body.code, 'INVALID_REQUEST', url)
    assert.equal(inside.asked('/secret'), 0)
  })
})
