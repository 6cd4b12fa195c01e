import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { heic, mp4, png, wav, webmVoice } from '../support/samples.js'

type Answer = { messageid: string; code?: string; error?: string }

const BEN = '15550340002'

describe('files that are converted without ffmpeg', () => {
  const { world, account: ana } = gatewaySuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg' },
    phones: { [BEN]: 'Ben' },
    account: ['15550340001', 'Ana'],
  })

  const send = (type: string, file: Buffer) =>
    ana.call<Answer>('POST', '/send/media', { number: BEN, type, file: file.toString('base64') })

  /** Sends the file and returns what the other phone got. */
  async function arrived(type: string, file: Buffer) {
    const { status, body } = await send(type, file)
    assert.equal(status, 200, JSON.stringify(body))
    const [message] = await eventually(
      () => world.network<{ media: ShownMedia[] }[]>('GET', `/phones/${BEN}/messages?own=false&id=${body.messageid}`),
      (found) => found.length > 0,
    )
    const [media] = await world.network<{ base64: string }[]>('GET', `/phones/${BEN}/media/${body.messageid}`)
    const bytes = Buffer.from(media?.base64 ?? '', 'base64')
    return { shown: message?.media[0], bytes, found: (await fileTypeFromBuffer(bytes))?.mime }
  }

  async function refused(type: string, file: Buffer, status: number, why: RegExp) {
    const answer = await send(type, file)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.match(String(answer.body.error), why)
  }

  it('are voice messages of a browser: the same sound in the container that phones play', async () => {
    const recording = await webmVoice(3)
    for (const type of ['ptt', 'audio']) {
      const { shown, found } = await arrived(type, recording)
      const expected = ['audio/ogg; codecs=opus', 3, type === 'ptt', 'audio/ogg; codecs=opus']
      assert.deepEqual([shown?.mimetype, shown?.seconds, shown?.ptt, found], expected)
    }
  })

  it('are pictures of iPhones, as picture and as sticker', async () => {
    const { shown, bytes, found } = await arrived('image', heic())
    assert.deepEqual([shown?.mimetype, found, shown?.width, shown?.height], ['image/jpeg', 'image/jpeg', 96, 64])
    const [red = 0, green = 0, blue = 0] = await sharp(bytes).resize(1, 1).raw().toBuffer()
    assert.ok(red > 180 && green < 80 && blue < 80, `${red} ${green} ${blue}`)
    assert.equal((await arrived('sticker', heic())).found, 'image/webp')
    assert.equal((await arrived('document', heic())).found, 'image/heic')
  })

  it('are none of another codec, and none that is broken or says that it is huge', async () => {
    await refused('ptt', wav(), 501, /no ffmpeg/)
    await refused('ptt', mp4(), 415, /it has no sound|it is broken/)
    await refused('ptt', (await webmVoice(1)).subarray(0, 60), 415, /it has no sound|it is broken/)
    await refused('ptt', await png(), 415, /it is image\/png/)
    await refused('image', heic().subarray(0, 300), 415, /it is broken/)
    const huge = heic()
    const size = huge.indexOf('ispe') + 8
    huge.writeUInt32BE(16_000, size)
    huge.writeUInt32BE(16_000, size + 4)
    await refused('image', huge, 415, /it has more than 25 million pixels/)
  })
})
