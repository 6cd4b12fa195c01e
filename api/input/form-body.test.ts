import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { GatewayError } from '../../schemas/errors.js'
import { chooseSeed } from '../../test/durability/random.js'
import { type FormBody, readFormBody } from './form-body.js'
import { readBoundary } from './form-reader.js'

const WORK = { kind: 'request', operation: 'send', feature: 'send', instance: '', id: '' } as const
const LIMITS = { bodyBytesMax: 50_000, bodyDepthMax: 32, bodyKeysMax: 5_000, bodyValuesMax: 20_000 }

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'form-body-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function encoded(form: FormData): Promise<{ bytes: Buffer; type: string }> {
  const response = new Response(form)
  return { bytes: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' }
}

/** Reads a form that arrives in pieces of so many bytes. */
function read(bytes: Buffer, type: string, tempDir: string, pieceBytes = 65_536): Promise<FormBody> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const request = Object.assign(Readable.from(pieces), {
    headers: { 'content-type': type, 'transfer-encoding': 'chunked', 'idempotency-key': 'a' },
    complete: true,
  }) as unknown as IncomingMessage
  const options = {
    ...LIMITS,
    ...{ fileBytesMax: 1_000_000, tempDir, fileField: 'media' },
    ...{ fileNameField: 'fileName', mimetypeField: 'mimetype' },
  }
  return readFormBody(request, {} as ServerResponse, readBoundary(type) ?? '', options, WORK)
}

const written = (text: string, tempDir: string, pieceBytes?: number) =>
  read(Buffer.from(text.replaceAll('\n', '\r\n')), 'multipart/form-data; boundary=x', tempDir, pieceBytes)

/** Everything that is refused leaves nothing on disk. */
async function refused(work: Promise<unknown>, folder: string, code: string, reason: RegExp): Promise<void> {
  await assert.rejects(work, (error: Error) => {
    assert.ok(error instanceof GatewayError, error.stack)
    assert.equal(error.code, code)
    assert.match(JSON.stringify([error.message, error.details]), reason)
    return true
  })
  assert.deepEqual(readdirSync(folder), [])
}

describe('a form', () => {
  it('is read as its sender meant it, however it arrives in pieces', async (t) => {
    const folder = createFolder(t)
    const field = fc.tuple(
      fc.stringMatching(/^x[a-z"éñ \\]{0,12}$/),
      fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('\r\n--x', '--', '\r\n\r\n', '-')),
    )
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc.constantFrom(...['', '\r\n', '\r\n--', '--\r\n'].map((text) => new Uint8Array(Buffer.from(text)))),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(field, { maxLength: 6, selector: ([name]) => name }),
        content,
        fc.integer({ min: 1, max: 300 }),
        async (fields, bytes, pieceBytes) => {
          const form = new FormData()
          for (const [name, value] of fields) form.append(name, value)
          form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a “picture” 1.png')
          const { bytes: body, type } = await encoded(form)
          const found = await read(body, type, folder, pieceBytes)
          const { media, fileName, mimetype, ...rest } = found.body
          const [file] = [...found.files]
          assert.equal(media, file?.[0])
          assert.deepEqual(readFileSync(file?.[1].path ?? ''), Buffer.from(bytes))
          assert.equal(file?.[1].sha256, createHash('sha256').update(bytes).digest('hex'))
          assert.deepEqual([fileName, mimetype], ['a “picture” 1.png', 'image/png'])
          // As the standard has it: a line end in a value is CR LF.
          const expected = fields.map(([name, value]) => [name, value.replace(/\r?\n|\r/g, '\r\n')])
          assert.deepEqual(rest, Object.fromEntries(expected.map(([name, value]) => [name, jsonOr(value ?? '')])))
          await found.dispose()
          assert.ok(!existsSync(file?.[1].path ?? ''))
        },
      ),
      { numRuns: 150, seed: chooseSeed(t) },
    )
  })

  it('has lists and objects in its fields', async (t) => {
    const folder = createFolder(t)
    const form = new FormData()
    for (const one of ['1', '2']) form.append('mentioned[]', one)
    form.append('quoted', '{"key":{"id":"A"}}')
    form.append('caption', '{not json')
    const { bytes, type } = await encoded(form)
    const { body, dispose } = await read(bytes, type, folder)
    assert.deepEqual(body, { mentioned: ['1', '2'], quoted: { key: { id: 'A' } }, caption: '{not json' })
    await dispose()
  })

  it('gives its own name and type of the file when it has such fields', async (t) => {
    const folder = createFolder(t)
    const form = new FormData()
    form.append('x', new Blob(['abc'], { type: 'text/plain' }), 'a.txt')
    form.append('fileName', 'b.txt')
    form.append('media', 'https://example.org/other')
    const { bytes, type } = await encoded(form)
    const { body, files, dispose } = await read(bytes, type, folder)
    assert.deepEqual([body.fileName, body.mimetype, files.has(String(body.media))], ['b.txt', 'text/plain', true])
    await dispose()
  })

  it('is refused with the reason when it is malformed, and leaves nothing behind', async (t) => {
    const folder = createFolder(t)
    const head = 'Content-Disposition: form-data; name="a"'
    const file = 'Content-Disposition: form-data; name="f"; filename="f"'
    for (const [text, reason] of [
      ['', /end is missing/],
      ['nothing of the kind', /end is missing/],
      [`--x\n${file}\n\nabc`, /end is missing/],
      [`--x\n${head}\n\nabc\n--xyz`, /not followed by a line end/],
      [`--x\n\nabc\n--x--`, /a part has no name/],
      [`--x\n${'a'.repeat(20_000)}\n\nabc\n--x--`, /head of a part is too long/],
      [`--x\n${file}\n\n1\n--x\n${file}\n\n2\n--x--`, /one file too many/],
      [`${`--x\n${head}\n\n1\n`.repeat(101)}--x--`, /more than 100 parts/],
      [`--x\n${head.replace('"a"', `"${'a'.repeat(300)}"`)}\n\n1\n--x--`, /longer than 200/],
    ] as const)
      for (const pieceBytes of [1, 7, 65_536])
        await refused(written(text, folder, pieceBytes), folder, 'INVALID_REQUEST', reason)
    await refused(
      written(`--x\n${head.replace('"a"', '"__proto__"')}\n\n1\n--x--`, folder),
      folder,
      'FORBIDDEN_KEY',
      /never allowed/,
    )
    const bytes = Buffer.concat([Buffer.from(`--x\r\n${head}\r\n\r\n`), Buffer.from([0xff]), Buffer.from('\r\n--x--')])
    const latin = read(bytes, 'multipart/form-data; boundary=x', folder)
    await refused(latin, folder, 'INVALID_REQUEST', /UTF-8/)
    assert.throws(() => readBoundary('multipart/form-data'), /boundary is missing/)
    assert.equal(readBoundary('application/json'), null)
    assert.equal(readBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"'), 'a b')
  })

  it('is refused when its fields or its file are too large, while it arrives', async (t) => {
    const folder = createFolder(t)
    const long = `--x\nContent-Disposition: form-data; name="a"\n\n${'a'.repeat(60_000)}`
    await refused(written(long, folder), folder, 'BODY_TOO_LARGE', /larger than/)
    const large = `--x\nContent-Disposition: form-data; name="f"; filename="f"\n\n${'a'.repeat(1_000_100)}`
    await refused(written(large, folder), folder, 'MEDIA_TOO_LARGE', /larger than allowed/)
    const deep = `--x\nContent-Disposition: form-data; name="a"\n\n${'['.repeat(2_000)}${']'.repeat(2_000)}\n--x--`
    await refused(written(deep, folder), folder, 'INVALID_REQUEST', /nest/)
  })

  it('with many delimiters that are nearly right is read without a long stop', async (t) => {
    const folder = createFolder(t)
    const nearly = '\r\n--x-'.repeat(80_000)
    const bytes = Buffer.from(
      `--xyz\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${nearly}\r\n--xyz--`,
    )
    const begun = performance.now()
    const { dispose } = await read(bytes, `multipart/form-data; boundary=xyz`, folder)
    assert.ok(performance.now() - begun < 2_000)
    await dispose()
  })
})

function jsonOr(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
