import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import sharp from 'sharp'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>

const ANA = '15550310001'
const BEN = '15550310002'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('files that are sent and received', () => {
  const cleanup = suiteCleanup()
  let world: World
  let receiver: Receiver
  let ana: TestInstance
  let picture: Buffer
  before(async () => {
    world = await startWorld(cleanup, { MEDIA_MAX_BYTES: String(2 * 1024 * 1024) })
    receiver = await startReceiver(cleanup)
    ana = await world.paired(ANA, 'Ana')
    await world.phone(BEN, 'Ben')
    await ana.hook(receiver.url)
    const noise = randomBytes(400 * 300 * 3)
    picture = await sharp(noise, { raw: { width: 400, height: 300, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer()
  })

  const send = (body: Json, headers?: Record<string, string>) =>
    ana.call<Json & { response?: { fileUrl?: string } }>('POST', '/send/media', { number: BEN, ...body }, headers)
  const shownAt = async (id: unknown, phone = BEN) => {
    const [message] = await eventually(
      () =>
        world.network<{ media: ShownMedia[]; message: Json; text: string | null }[]>(
          'GET',
          `/phones/${phone}/messages?id=${id}`,
        ),
      (found) => found.length > 0,
    )
    return { ...message, ...(message?.media[0] as ShownMedia) }
  }
  const sent = async (body: Json) => {
    const answer = await send(body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return { record: answer.body, shown: await shownAt(answer.body.messageid) }
  }

  it('a picture as base64 is shown by the other phone as it was sent, with its text, size and a small one inside', async () => {
    const { record, shown } = await sent({ type: 'image', file: picture.toString('base64'), text: 'for {{name}}' })
    assert.deepEqual([record.messageType, record.mediaType, record.status], ['image', 'image', 'sent'])
    assert.equal(shown.error, null)
    assert.deepEqual([shown.kind, shown.mimetype, shown.sha256], ['image', 'image/jpeg', sha256(picture)])
    assert.deepEqual([shown.width, shown.height], [400, 300])
    assert.ok(shown.thumbnailBytes > 100)
  })
})
