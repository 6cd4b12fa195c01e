import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { fileTypeFromBuffer } from 'file-type'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type RealFfmpeg, realFfmpeg } from '../support/ffmpeg-program.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const BEN = '15550320002'
const VIDEO = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=10:duration=3']
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3']

describe('files that the real ffmpeg converts', () => {
  const cleanup = suiteCleanup()
  let ffmpeg: RealFfmpeg | undefined
  let world: World
  let ana: TestInstance

  before(async () => {
    ffmpeg = await realFfmpeg(cleanup)
    if (ffmpeg === undefined) return
    world = await startWorld(cleanup, { FFMPEG_PATH: ffmpeg.program })
    await world.phone(BEN, 'Ben')
    ana = await world.paired('15550320001', 'Ana')
  })

  /** Sends the file and returns what the other phone got. */
  async function arrived(type: string, file: Buffer) {
    const body = { number: BEN, type, file: file.toString('base64') }
    const answer = await ana.call<{ messageid: string; warnings?: string[] }>('POST', '/send/media', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const query = `/phones/${BEN}/messages?own=false&id=${answer.body.messageid}`
    const [message] = await eventually(
      () => world.network<{ media: ShownMedia[] }[]>('GET', query),
      (found) => found.length > 0,
    )
    const [media] = await world.network<{ base64: string }[]>('GET', `/phones/${BEN}/media/${answer.body.messageid}`)
    const found = await fileTypeFromBuffer(Buffer.from(media?.base64 ?? '', 'base64'))
    return { shown: message?.media[0], found: found?.mime, warnings: answer.body.warnings }
  }

  it('makes a voice message of what a browser records, with its length and waveform', async (t) => {
    if (ffmpeg === undefined) return t.skip('There is no ffmpeg.')
    // A browser does not know the length before the end.
    const live = await ffmpeg.make('live.webm', [...SOUND, '-c:a', 'libopus', '-live', '1'])
    const { shown, found } = await arrived('ptt', live)
    assert.deepEqual([shown?.mimetype, shown?.seconds, shown?.ptt], ['audio/ogg; codecs=opus', 3, true])
    assert.equal(found, 'audio/ogg; codecs=opus')
  })

  it('makes MP4 of videos in other forms, with their length and preview', async (t) => {
    if (ffmpeg === undefined) return t.skip('There is no ffmpeg.')
    const forms: Readonly<Record<string, readonly string[]>> = {
      'a.gif': VIDEO,
      'a.webm': [...VIDEO, ...SOUND, '-c:v', 'libvpx', '-c:a', 'libopus'],
      'a.avi': [...VIDEO, ...SOUND, '-c:v', 'mpeg4', '-c:a', 'mp3'],
      'a.mkv': [...VIDEO, '-c:v', 'libx264'],
      'hevc.mp4': [...VIDEO, '-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=none'],
    }
    for (const [name, args] of Object.entries(forms)) {
      const file = await ffmpeg.make(name, args)
      const { shown, found } = await arrived('video', file)
      assert.deepEqual([shown?.mimetype, shown?.seconds, found], ['video/mp4', 3, 'video/mp4'], name)
      assert.deepEqual([shown?.width, shown?.height], [160, 120], name)
      assert.ok((shown?.thumbnailBytes ?? 0) > 100, name)
    }
    const plain = await ffmpeg.make('plain.mp4', [...VIDEO, '-c:v', 'libx264'])
    assert.equal((await arrived('video', plain)).shown?.seconds, 3)
  })

  it('makes MP3 of audio files that few devices play, and leaves the others', async (t) => {
    if (ffmpeg === undefined) return t.skip('There is no ffmpeg.')
    for (const [name, codec] of [
      ['a.wav', 'pcm_s16le'],
      ['a.flac', 'flac'],
      ['a.wma', 'wmav2'],
      ['a.ogg', 'libvorbis'],
    ] as const) {
      const { shown, found } = await arrived('audio', await ffmpeg.make(name, [...SOUND, '-c:a', codec]))
      assert.deepEqual([shown?.mimetype, shown?.seconds, found], ['audio/mpeg', 3, 'audio/mpeg'], name)
    }
    const aac = await ffmpeg.make('a.aac', [...SOUND, '-c:a', 'aac'])
    assert.deepEqual((await arrived('audio', aac)).found, 'audio/aac')
  })

  it('refuses truncated videos and frames of too many pixels with the reason', async (t) => {
    if (ffmpeg === undefined) return t.skip('There is no ffmpeg.')
    const webm = await ffmpeg.make('b.webm', [...VIDEO, '-c:v', 'libvpx'])
    const gif = await ffmpeg.make('b.gif', VIDEO)
    const huge = Buffer.from(gif)
    huge.writeUInt16LE(65_535, 6)
    huge.writeUInt16LE(65_535, 8)
    for (const file of [webm.subarray(0, 400), huge]) {
      const body = { number: BEN, type: 'video', file: file.toString('base64') }
      const { status, body: refusal } = await ana.call<{ code: string; error: string }>('POST', '/send/media', body)
      assert.deepEqual([status, refusal.code], [415, 'MEDIA_TYPE_REFUSED'], JSON.stringify(refusal))
      assert.match(JSON.stringify(refusal), /ffmpeg cannot convert it/)
    }
  })
})
