import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import { type LargeBody, readLargeBody } from './large-body.js'

const fields = new Set(['file', 'thumbnail', 'cards[].image', 'choices[]{}'])

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'large-body-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Reads a body that arrives in pieces of so many bytes. */
function read(
  text: string,
  tempDir: string,
  pieceBytes: number,
  limits: { fileBytesMax?: number; bodyBytesMax?: number } = {},
  isLengthTold = true,
) {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const stream = Object.assign(Readable.from(pieces), {
    headers: {
      ...(isLengthTold && { 'content-length': String(bytes.length) }),
      'transfer-encoding': 'chunked',
      'idempotency-key': 'a',
    },
    complete: true,
  })
  return readLargeBody(
    stream as unknown as IncomingMessage,
    {} as ServerResponse,
    fields,
    {
      bodyBytesMax: 50_000,
      bodyDepthMax: 32,
      bodyKeysMax: 5_000,
      bodyValuesMax: 20_000,
      fileBytesMax: 1_000_000,
      ...limits,
      tempDir,
    },
    WORK,
  )
}

const WORK = { kind: 'request', operation: 'send', feature: 'send', instance: '', id: '' } as const
const textAt = (body: unknown, field: string) => String((body as Record<string, unknown>)[field])
/** The hashes of the files that stand behind these texts. */
const filesBehind = ({ files }: LargeBody, texts: readonly string[]) =>
  texts.map((text) => files.get(text.replaceAll(/[{}\s]/g, ''))?.sha256)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const refusedBy = (code: string) => (error: unknown) => error instanceof GatewayError && error.code === code

describe('a body with files in it', () => {
  it('is read the same in whatever pieces it comes, however it is written', async (t) => {
    const tempDir = createFolder(t)
    const bytes = randomBytes(20_000)
    const plain = bytes.toString('base64')
    const lines = (plain.match(/.{1,76}/g) ?? []).join('\\r\\n')
    const unicode = plain.replaceAll('+', '\\u002b').replaceAll('/', '\\/')
    for (const written of [
      plain,
      plain.replace(/=+$/, ''),
      bytes.toString('base64url'),
      lines,
      unicode,
      `data:a/b;base64,${plain}`,
    ])
      for (const pieceBytes of [1, 7, 1_000, 65_536]) {
        const text = `{"before":[{"file":"kept"}],"f\\u0049le" : "${written}","after":"ü\\"\\\\","number":1}`
        const { body, files, dispose } = await read(text, tempDir, pieceBytes)
        const file = files.get(textAt(body, 'fIle'))
        assert.equal(file?.sha256, sha256(bytes))
        assert.ok(readFileSync(file?.path ?? '').equals(bytes))
        assert.equal(file?.mimetype, written.startsWith('data:') ? 'a/b' : '')
        const { before, after } = body as Record<string, unknown>
        assert.deepEqual([before, after], [[{ file: 'kept' }], 'ü"\\'])
        await dispose()
        assert.deepEqual(readdirSync(tempDir), [])
      }
  })

  it('keeps short values, and large ones of other fields, where they are', async (t) => {
    const text = JSON.stringify({ file: 'http://a/b', other: 'x'.repeat(20_000), inner: { file: 'y'.repeat(10_000) } })
    const { body, files } = await read(text, createFolder(t), 1_000)
    assert.deepEqual(body, JSON.parse(text))
    assert.equal(files.size, 0)
  })

  it('may have them in arrays, and in braces among other texts', async (t) => {
    const tempDir = createFolder(t)
    const [one, other] = [randomBytes(6_500), randomBytes(7_000)]
    const [first, second] = [one.toString('base64'), other.toString('base64')]
    const long = 'words '.repeat(2_000)
    const text = JSON.stringify({
      cards: [
        { text: 'A', image: first },
        { image: 'http://a/b' },
        { IMAGE: `data:a/b;base64,${second}`, file: 'kept' },
      ],
      choices: ['[A]', ` {${first}} \n`, 'Yes|y', `{${second}}`, '{http://a/b}', '{{name}}', long, `{${first}}`],
      inner: { cards: [{ image: 'kept' }] },
      number: [1, [2]],
    })
    for (const pieceBytes of [1, 777, 65_536]) {
      const read1 = await read(text, tempDir, pieceBytes)
      const { cards, choices, ...rest } = read1.body as { cards: Record<string, string>[]; choices: string[] }
      const [a, b] = [sha256(one), sha256(other)]
      assert.deepEqual(
        filesBehind(
          read1,
          cards.map((card) => card.image ?? card.IMAGE ?? ''),
        ),
        [a, undefined, b],
      )
      assert.deepEqual(filesBehind(read1, choices), [undefined, a, undefined, b, undefined, undefined, undefined, a])
      assert.deepEqual(
        [choices[0], choices[2], choices[4], choices[5], choices[6]],
        ['[A]', 'Yes|y', '{http://a/b}', '{{name}}', long],
      )
      assert.deepEqual(
        [cards[1], cards[2]?.file, rest],
        [{ image: 'http://a/b' }, 'kept', { inner: { cards: [{ image: 'kept' }] }, number: [1, [2]] }],
      )
      assert.equal(read1.files.size, 5)
      // Asked again, it is the same request.
      assert.deepEqual((await read(text, tempDir, 999)).body, read1.body)
      await read1.dispose()
    }
  })

  it('names the one that is wrong, by its place', async (t) => {
    const tempDir = createFolder(t)
    const long = 'A'.repeat(40_000)
    for (const [body, field, code] of [
      [{ cards: [{}, { Image: `${long}!${long}` }] }, 'cards[1].Image', 'INVALID_REQUEST'],
      [{ choices: ['a', 'b', `{${long}} and more`] }, 'choices[2]', 'INVALID_REQUEST'],
      [{ choices: ['a', `{${long}`] }, 'choices[1]', 'INVALID_REQUEST'],
      [{ choices: [`{${'A'.repeat(1_400_000)}}`] }, 'choices[0]', 'MEDIA_TOO_LARGE'],
      [{ choices: Array(301).fill(`{${'A'.repeat(8_300)}}`) }, 'choices[300]', 'INVALID_REQUEST'],
      [{ cards: Array(3).fill({ image: 'A'.repeat(1_200_000) }) }, 'cards[2].image', 'MEDIA_TOO_LARGE'],
    ] as const) {
      const isRight = (error: unknown) =>
        refusedBy(code)(error) && (error as { details: { field: string }[] }).details[0]?.field === field
      // Its length is not told, so that it is read.
      await assert.rejects(read(JSON.stringify(body), tempDir, 5_000, {}, false), isRight, field)
      assert.deepEqual(readdirSync(tempDir), [], field)
    }
  })

  it('is refused if a file is not base64 or too large, or the body is not JSON, and nothing stays on disk', async (t) => {
    const tempDir = createFolder(t)
    const long = 'A'.repeat(40_000)
    for (const [text, code] of [
      [`{"file":"${long}!${long}"}`, 'INVALID_REQUEST'],
      [`{"file":"${long}A"}`, 'INVALID_REQUEST'],
      [`{"file":"${long} ${long}"}`, 'INVALID_REQUEST'],
      [`{"file":"${long}==${long}"}`, 'INVALID_REQUEST'],
      [`{"file":"${long}\\"${long}"}`, 'MALFORMED_JSON'],
      [`{"file":"${'\\"'.repeat(9_000)}"}`, 'INVALID_REQUEST'],
      [`{"file":"${long}\\x"}`, 'MALFORMED_JSON'],
      [`{"file":"data:text/plain,${long}"}`, 'INVALID_REQUEST'],
      [`{"file":"${long}"`, 'MALFORMED_JSON'],
      [`{"file":"${long}`, 'MALFORMED_JSON'],
      [`{"file":"${'A'.repeat(1_400_000)}"}`, 'MEDIA_TOO_LARGE'],
      [`{"text":"${'A'.repeat(60_000)}"}`, 'BODY_TOO_LARGE'],
      [`{"file":"${long}","__proto__":1}`, 'FORBIDDEN_KEY'],
    ] as const) {
      await assert.rejects(read(text, tempDir, 5_000), refusedBy(code), text.slice(0, 50))
      assert.deepEqual(readdirSync(tempDir), [], text.slice(0, 50))
    }
  })
})
