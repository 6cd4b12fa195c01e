import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { createWork } from '../work/work.js'
import { createPictures, RefusedFile } from './pictures.js'

const { describe: describeFor } = createPictures(createWork())
const describePicture = (file: Buffer) => describeFor('', file)

/** A JPEG that says it is so large, and holds a few pixels. */
async function makeJpeg(width: number, height: number): Promise<Buffer> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
    .jpeg()
    .toBuffer()
  const frame = picture.indexOf(Buffer.from([0xff, 0xc0]))
  picture.writeUInt16BE(height, frame + 5)
  picture.writeUInt16BE(width, frame + 7)
  return picture
}

describe('a picture', () => {
  it('of more pixels than memory is for is refused before it is decoded, a costly format with fewer', async () => {
    await assert.rejects(
      describePicture(await makeJpeg(7_100, 7_100)),
      new RefusedFile('it has more than 50 million pixels'),
    )
    const flat = { create: { width: 4_100, height: 4_000, channels: 3, background: '#123456' } } as const
    const webp = await sharp(flat).webp({ effort: 0 }).toBuffer()
    await assert.rejects(describePicture(webp), new RefusedFile('it has more than 16 million pixels'))
    assert.equal((await describePicture(await sharp(flat).jpeg().toBuffer())).width, 4_100)
  })
})
