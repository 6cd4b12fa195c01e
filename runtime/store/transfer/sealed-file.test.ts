import assert from 'node:assert/strict'
import { createCipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
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
    await assert.rejects(open(Buffer.from('{"id":"i000000000000000"}')), isRefused(/not an export of an instance/))
    const newer = Buffer.from(file)
    newer[8] = 2
    await assert.rejects(open(newer), isRefused(/has format 2, and this version knows 1 only/))
  })

  it('is refused when its frames are made short, each of which costs time and brings little', async () => {
    const salt = randomBytes(16)
    const secrets = scryptSync(PASSPHRASE, salt, 64, { N: 2 ** 16, r: 8, p: 2, maxmem: 96 * 2 ** 20 })
    const check = createHash('sha256').update(secrets.subarray(32)).digest().subarray(0, 16)
    const head = Buffer.concat([Buffer.from('POSTHORN\x01', 'latin1'), salt, check])
    const frame = (number: number, data: Buffer, isLast: boolean): Buffer => {
      const nonce = Buffer.alloc(12)
      nonce.writeUIntBE(number, 5, 6)
      nonce[11] = isLast ? 1 : 0
      const cipher = createCipheriv('aes-256-gcm', secrets.subarray(0, 32), nonce)
      cipher.setAAD(head)
      const before = Buffer.from([isLast ? 1 : 0, 0, 0, 0, data.length])
      return Buffer.concat([before, cipher.update(data), cipher.final(), cipher.getAuthTag()])
    }
    const [none, some] = [Buffer.alloc(0), Buffer.from('some')]
    assert.deepEqual(await open(Buffer.concat([head, frame(0, some, true)])), some)
    for (const short of [none, some])
      await assert.rejects(
        open(Buffer.concat([head, frame(0, short, false), frame(1, some, true)])),
        isRefused(/is damaged/),
      )
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
