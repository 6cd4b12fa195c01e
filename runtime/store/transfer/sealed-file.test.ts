import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { GatewayError } from '../../../schemas/errors.js'
import { openFile, sealFile } from './sealed-file.js'

const PASSPHRASE = 'a passphrase of some length'
/** Three whole frames and a part of one. */
const data = randomBytes(3 * 64 * 1024 + 1_000)
const HEAD = 41
const FRAME = 5 + 64 * 1024 + 16

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function all(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const got: Buffer[] = []
  for await (const part of parts) got.push(part)
  return Buffer.concat(got)
}

const open = (file: Buffer, passphrase = PASSPHRASE) => all(openFile(inPieces(file, 10_000), passphrase))

function isRefused(sentence: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof GatewayError && error.code === 'INVALID_EXPORT' && sentence.test(error.message)
}

describe('the file in which an instance travels', () => {
  let file: Buffer
  before(async () => {
    file = await all(sealFile(inPieces(data, 70_001), PASSPHRASE))
  })

  it('gives back what was put into it, and shows nothing of it', async () => {
    assert.deepEqual(await open(file), data)
    assert.equal(file.indexOf(data.subarray(0, 16)), -1)
    assert.deepEqual(await open(await all(sealFile(inPieces(Buffer.alloc(0), 1), PASSPHRASE))), Buffer.alloc(0))
  })

  it('is refused with another passphrase, as another kind of file and in another format, each with its sentence', async () => {
    await assert.rejects(open(file, `${PASSPHRASE} `), isRefused(/passphrase is not the one/))
    await assert.rejects(open(Buffer.from('{"id":"i000000000000000"}')), isRefused(/no export of an instance/))
    const newer = Buffer.from(file)
    newer[8] = 2
    await assert.rejects(open(newer), isRefused(/has format 2, and this program knows 1 only/))
  })

  it('is refused when anything in it was changed, cut off, left out, put elsewhere or added', async () => {
    const changed = (at: number) => {
      const copy = Buffer.from(file)
      copy[at] = (copy[at] ?? 0) ^ 1
      return copy
    }
    const frame = (index: number) => file.subarray(HEAD + index * FRAME, HEAD + (index + 1) * FRAME)
    const [head, first, second] = [file.subarray(0, HEAD), frame(0), frame(1)]
    for (const [what, bad] of Object.entries({
      'a byte of a frame': changed(HEAD + FRAME + 700),
      'its last frame': file.subarray(0, HEAD + 3 * FRAME),
      'the order': Buffer.concat([head, second, first, file.subarray(HEAD + 2 * FRAME)]),
      'something after it': Buffer.concat([file, Buffer.from('x')]),
    }))
      await assert.rejects(open(bad), isRefused(/is damaged/), what)
  })
})
