import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync } from 'node:zlib'
import { smallPdf } from '../../../test/support/small-pdf.js'
import { createWork } from '../../work/work.js'
import type { ExtractSource } from './extracted.js'
import { ExtractionRefused } from './extracted.js'
import { createExtractor } from './extractor.js'

const NEVER = new AbortController().signal

/** Returns so many MiB of zeros as `deflateSync` would, without the time: all its blocks but the last are the same. */
function deflatedZeros(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE((mebibytes * 2 ** 20) % 65_521, 0)
  checksum.writeUInt16BE(1, 2)
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array<Buffer>(mebibytes).fill(block),
    Buffer.from([0x03, 0x00]),
    checksum,
  ])
}

describe('the reading of files', () => {
  // Longer than the limit: a busy machine takes its time.
  const extractor = createExtractor({ work: createWork(), timeoutMs: 120_000 })
  const read = (type: ExtractSource['type'], content: string | Buffer, charset?: string) =>
    extractor.read('r1', { type, bytes: Buffer.from(content), ...(charset === undefined ? {} : { charset }) }, NEVER)
  const refused = async (type: ExtractSource['type'], content: string | Buffer) => {
    const error = await read(type, content).then(
      () => assert.fail('It was read.'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof ExtractionRefused, String(error))
    return error.message
  }

  it('takes the text out of PDF, HTML, CSV and plain text', async () => {
    assert.match(
      (await read('pdf', smallPdf('Open from nine to five', { pages: 2 }))).text,
      /^Open from nine to five\s+Open from nine to five$/,
    )
    const page = `<html><head><title>T</title><style>p{}</style></head><body><nav>Menu</nav><h1>Hours</h1><p>Nine &amp; five</p>
      <script>alert(1)</script><table><tr><td>Monday</td><td>closed</td></tr></table></body></html>`
    const html = await read('html', page)
    assert.match(html.text, /# Hours\s+Nine & five\s+Monday \| closed/)
    assert.doesNotMatch(html.text, /Menu|alert|p\{\}/)
    assert.equal(
      (await read('csv', '\ufeffproduct;price\n"Bread; white";3\nMilk;\n')).text,
      'product: Bread; white\nprice: 3\n\nproduct: Milk',
    )
    assert.equal((await read('txt', 'Nine to five')).text, 'Nine to five')
  })

  it('takes bytes that are no UTF-8 for Windows-1252, unless the file or its server says otherwise', async () => {
    assert.equal((await read('txt', Buffer.from('devolução', 'latin1'))).text, 'devolução')
    assert.equal((await read('html', Buffer.from('<p>\xe6\xee</p>', 'latin1'), 'windows-1251')).text, 'жо')
    assert.equal((await read('txt', Buffer.from('\ufeffolá', 'utf16le'))).text, 'olá')
    assert.equal((await read('txt', Buffer.from('\ufeffa\0b', 'utf16le'))).text, 'ab')
  })

  it('refuses encrypted, broken and empty PDF files, and those with too many pages, with the reason', async () => {
    assert.equal(
      await refused('pdf', smallPdf('secret', { isEncrypted: true })),
      'The PDF is encrypted with a password.',
    )
    assert.equal(await refused('pdf', '%PDF-1.4 and nothing'), 'The PDF is broken.')
    assert.equal(await refused('pdf', smallPdf('')), 'The PDF has no text: its pages are pictures.')
    assert.equal(await refused('pdf', smallPdf('x', { pages: 501 })), 'The PDF has 501 pages; at most 500 are read.')
  })

  it('survives a PDF whose small stream holds many megabytes', async () => {
    const bomb = smallPdf('', { content: Buffer.alloc(100 * 2 ** 20, ' ') })
    assert.ok(bomb.length < 2 ** 20)
    assert.equal(await refused('pdf', bomb), 'The PDF holds too much compressed data.')
  })

  it('does not hold what a small stream of a PDF expands to', async () => {
    const before = process.memoryUsage.rss()
    let most = before
    const looks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 5)
    const bomb = smallPdf('', { compressed: deflatedZeros(512) })
    assert.ok(bomb.length < 2 ** 20)
    assert.equal(
      await refused('pdf', bomb).finally(() => clearInterval(looks)),
      'The PDF holds too much compressed data.',
    )
    const grownMiB = Math.round((most - before) / 2 ** 20)
    assert.ok(grownMiB < 350, `${grownMiB} MiB`)
  })

  it('survives a PDF whose stream is made with Brotli', async () => {
    const compressed = brotliCompressSync(Buffer.alloc(100 * 2 ** 20), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    })
    const bomb = smallPdf('', { compressed, filter: 'BrotliDecode' })
    assert.equal(await refused('pdf', bomb), 'The PDF holds too much compressed data.')
  })

  it('survives deep HTML, and refuses CSV with a row of 10 MiB', async () => {
    const deep = await read('html', `<p>first</p>${'<div>'.repeat(200_000)}deep`)
    assert.match(deep.text, /^first/)
    assert.match(await refused('csv', `a,b\n1,"${'x'.repeat(10 * 2 ** 20)}"`), /^A row of the CSV has more than 262144/)
    assert.equal(await refused('html', '<script>only()</script>'), 'There is no text in it.')
    assert.match(await refused('txt', 'a'.repeat(2_000_001)), /more than 2000000 characters/)
  })

  it('ends a file that takes too long, and the next one is read', async () => {
    const hasty = createExtractor({ work: createWork(), timeoutMs: 1 })
    await assert.rejects(hasty.read('r1', { type: 'pdf', bytes: smallPdf('slow') }, NEVER), /It takes too long/)
    const stopped = new AbortController()
    const reading = extractor.read('r1', { type: 'pdf', bytes: smallPdf('x') }, stopped.signal)
    stopped.abort(new Error('The node stops.'))
    await assert.rejects(reading, /The node stops/)
    assert.equal((await read('pdf', smallPdf('next'))).text, 'next')
  })
})
