import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { ChatPictures, detectPictureType } from './chat-pictures.js'

const JPEG = Buffer.from('ffd8ffe000104a46', 'hex')
const one = 'r1' as InstanceId

function start({ body = JPEG, perMinute = 100, expired = new Set<string>() } = {}) {
  const asked: string[] = []
  const fetched: string[] = []
  const pictures = new ChatPictures({
    network: {
      open: async () => ({
        fetch: () => assert.fail('no file'),
        async picture(url) {
          fetched.push(url)
          if (expired.has(url)) throw new GatewayError('MEDIA_EXPIRED')
          return body
        },
        close() {},
      }),
    },
    router: {
      ask: (async (_instance: InstanceId, { number, isFresh }: { number: string; isFresh: boolean }) => {
        asked.push(`${number} ${isFresh}`)
        return { url: number === 'none' ? null : `https://pps.example/${number}${isFresh ? '/new' : ''}` }
      }) as never,
    },
    limits: { perMinute, cacheMaxBytes: 1_000_000 },
  })
  const give = (number: string) => pictures.give(one, { number, preview: true })
  return { give, asked, fetched }
}

describe('pictures of chats', () => {
  it('are fetched once, also when there is none', async () => {
    const { give, asked } = start()
    const [first, second] = await Promise.all([give('ben'), give('ben')])
    assert.deepEqual([first?.type, first?.body, second?.body], ['image/jpeg', JPEG, JPEG])
    for (let count = 0; count < 2; count += 1) assert.equal(await give('none'), null)
    assert.deepEqual(asked, ['ben false', 'none false'])
  })

  it('are asked for again when a stored address has ended', async () => {
    const { give, fetched } = start({ expired: new Set(['https://pps.example/ben']) })
    await give('ben')
    assert.deepEqual(fetched, ['https://pps.example/ben', 'https://pps.example/ben/new'])
  })

  it('are refused unless they are raster pictures, whatever their name', async () => {
    const { give } = start({ body: Buffer.from('<svg onload="alert(1)"/>') })
    await assert.rejects(give('ben'), { code: 'MEDIA_UNAVAILABLE' })
    assert.equal(detectPictureType(Buffer.from('RIFF\0\0\n\0WEBPVP8 ')), 'image/webp')
    assert.equal(detectPictureType(Buffer.from('GIF89a')), 'image/gif')
    assert.equal(detectPictureType(Buffer.from('<html>')), null)
    assert.equal(detectPictureType(Buffer.alloc(0)), null)
  })

  it('are limited a minute, except those that are known', async () => {
    const { give } = start({ perMinute: 2 })
    await give('a')
    await give('b')
    await assert.rejects(give('c'), { code: 'RATE_LIMITED' })
    await give('a')
  })
})
