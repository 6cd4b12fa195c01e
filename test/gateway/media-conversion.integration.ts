import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { fileTypeFromBuffer } from 'file-type'
import { createFfmpeg } from '../../runtime/media/ffmpeg.js'
import { createWork } from '../../runtime/work/work.js'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { GatewayError } from '../../schemas/errors.js'
import { suiteCleanup } from '../support/cleanup.js'
import { testFolder } from '../support/embedded.js'
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

  it('makes a voice message of any sound, and of the sound of a video, each with its waveform', async (t) => {
    if (ffmpeg === undefined) return t.skip('There is no ffmpeg.')
    // Silence, then a tone: the waveform rises in the middle.
    const rising = [
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=440:duration=4',
      '-af',
      "volume='if(lt(t,2),0.01,1)':eval=frame",
    ]
    for (const [name, args] of [
      ['a.wav', [...rising, '-c:a', 'pcm_s16le']],
      ['a.mp3', [...rising, '-c:a', 'libmp3lame']],
      ['a.flac', [...rising, '-c:a', 'flac']],
      ['a.m4a', [...rising, '-c:a', 'aac']],
      ['a.wma', [...rising, '-c:a', 'wmav2']],
      ['vorbis.ogg', [...rising, '-c:a', 'libvorbis']],
      ['sound.mp4', [...VIDEO, ...rising, '-c:v', 'libx264', '-c:a', 'aac', '-shortest']],
    ] as const) {
      const { shown, found } = await arrived('ptt', await ffmpeg.make(name, args))
      assert.deepEqual([shown?.mimetype, shown?.ptt, found], ['audio/ogg; codecs=opus', true, shown?.mimetype], name)
      const steps = Buffer.from(shown?.waveform ?? '', 'base64')
      assert.equal(steps.length, 64, name)
      const mean = (from: number, to: number) =>
        steps.subarray(from, to).reduce((sum, one) => sum + one, 0) / (to - from)
      assert.ok(mean(2, 20) < 10 && Math.max(...steps) === 100, `${name}: ${[...steps].join(' ')}`)
      assert.ok(Math.abs((shown?.seconds ?? 0) - (name === 'sound.mp4' ? 3 : 4)) <= 1, name)
    }
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

  it('refuses hostile sounds as voice messages with the reason, and then makes the next one', async (t) => {
    if (ffmpeg === undefined) return t.skip('There is no ffmpeg.')
    const sound = await ffmpeg.make('c.wav', [...SOUND, '-c:a', 'pcm_s16le'])
    const noise = Buffer.from(sound.subarray(0, 44))
    // A header that promises four billion channels' worth of bytes at a rate that nothing has.
    noise.writeUInt32LE(0xffffffff, 4)
    noise.writeUInt16LE(65_535, 22)
    noise.writeUInt32LE(0xffffffff, 24)
    const playlist = Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')
    const concat = Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")
    for (const file of [noise, playlist, concat, Buffer.alloc(1_000, 0xff)]) {
      const body = { number: BEN, type: 'ptt', file: file.toString('base64') }
      const { status, body: refusal } = await ana.call<{ code: string }>('POST', '/send/media', body)
      assert.deepEqual([status, refusal.code], [415, 'MEDIA_TYPE_REFUSED'], JSON.stringify(refusal))
      assert.ok(!JSON.stringify(refusal).includes('/tmp/'), JSON.stringify(refusal))
    }
    assert.equal((await arrived('ptt', sound)).shown?.ptt, true)
  })

  it('ends a conversion that takes more memory than it may, with the reason', async (t) => {
    if (ffmpeg === undefined) return t.skip('There is no ffmpeg.')
    const large = ['-f', 'lavfi', '-i', 'testsrc=size=3840x2160:rate=5:duration=2']
    const folder = testFolder(t)
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')]
    writeFileSync(from, await ffmpeg.make('large.mp4', [...large, '-c:v', 'libx264', '-preset', 'ultrafast']))
    const options = { program: ffmpeg.program, timeoutMs: 120_000, outputMaxBytes: 50_000_000, work: createWork() }
    await createFfmpeg(options).toMp4('', from, to)
    const limited = createFfmpeg({ ...options, memoryMaxBytes: 40 * 1024 * 1024 })
    await assert.rejects(limited.toMp4('', from, to), (error: unknown) => {
      assert.ok(error instanceof GatewayError && error.code === 'MEDIA_TYPE_REFUSED', String(error))
      assert.match(JSON.stringify(error.details), /allocate memory|Generic error|cannot/i)
      return true
    })
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
