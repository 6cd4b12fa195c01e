import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { ImportHead, RecipientList } from '../schemas/ports/campaign-imports.js'
import { eventually } from '../test/support/eventually.js'
import { startFakeNode, token } from '../test/support/fake-node.js'

const LIST = 'number,city\n5511999990002,Recife\n'
const CSV = { 'content-type': 'text/csv; charset=utf-8' }
const TEXT = 'type=text&text=hello'

/** A node that keeps what it was asked to import. */
async function start(t: TestContext, { fileBytesMax = 1_000, requestTimeoutMs = 30_000 } = {}) {
  const tempDir = mkdtempSync(path.join(tmpdir(), 'list-body-'))
  t.after(() => rmSync(tempDir, { recursive: true }))
  const counts = { count: 1, duplicates: 0, optedOut: 0, recent: 0 }
  const imported: { text: string; format: string; head: ImportHead }[] = []
  const readText = async ({ open }: RecipientList) => {
    const pieces: Uint8Array[] = []
    for await (const piece of open()) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  }
  const node = await startFakeNode(
    t,
    { tempDir, fileBytesMax, requestTimeoutMs, headersTimeoutMs: requestTimeoutMs },
    {
      recipientImports: {
        begin: async (_instance, { id }) => ({ running: { ...counts, folderId: id, lastLine: 0 } }),
        discard: async () => {},
        check: async () => {},
        survey: async () => ({ lines: 1, invalid: 0, errors: [], columns: new Map() }),
        preview: async () => ({ ...counts, problems: [], first: [], samples: [] }),
        lacking: async () => [],
        async store(_instance, { folderId }, list, head) {
          imported.push({ text: await readText(list), format: list.format, head })
          return { ...counts, folderId }
        },
      },
    },
  )
  const post = (query: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = CSV) =>
    node.call(`/sender/import?${query}`, { method: 'POST', body, headers })
  return { node, imported, post, filesLeft: () => readdirSync(tempDir) }
}

/** Sends bytes as they are. Returns the answer. Cuts the connection when `isToCut` resolves. */
function sendRaw(port: number, text: string, isToCut?: () => Promise<unknown>): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    void isToCut?.().finally(() => socket.resetAndDestroy())
    socket.on('data', (data) => {
      answer += String(data)
      if (answer.endsWith('}')) socket.destroy()
    })
    socket.on('error', () => {}).on('close', () => resolve(answer))
  })
}

describe('a list that is the whole body', () => {
  it('arrives as it is, with the fields of the query in their types', async (t) => {
    const { node, imported, post, filesLeft } = await start(t)
    const window = JSON.stringify({ days: ['mon'], from: '09:00', to: '18:00', timezone: 'UTC' })
    const fields = { type: 'text', text: 'hello\n{{city}}', delayMin: '5', folder: 'May', dedupe: 'false', window }
    const { status, body } = await post(String(new URLSearchParams(fields)), LIST)
    assert.equal(status, 200, JSON.stringify(body))
    const [{ text, format, head }] = imported as [(typeof imported)[0]]
    assert.deepEqual([text, format, head.folder, head.delayMinMs], [LIST, 'csv', 'May', 5_000])
    assert.deepEqual([head.window?.days, head.send?.content], [['mon'], { kind: 'text', text: 'hello\n{{city}}' }])
    const line = '{"number":"5511999990002"}\n'
    await post(TEXT, line, { 'content-type': 'application/x-ndjson' })
    assert.deepEqual([imported[1]?.text, imported[1]?.format], [line, 'ndjson'])
    assert.deepEqual([filesLeft(), node.log.filter((one) => one.includes('"level":50'))], [[], []])
  })

  it('is refused by name for each wrong field, and for a size, a charset or an encoding that is not taken', async (t) => {
    const { node, post, filesLeft } = await start(t)
    for (const [query, field, why] of [
      ['text=x', 'type', 'is required'],
      [`${TEXT}&delayMin=x`, 'delayMin', 'must be integer'],
      [`${TEXT}&delayMin=${'9'.repeat(400)}`, 'delayMin', 'is out of range'],
      [`${TEXT}&window=x`, 'window', 'must be JSON where it stands in the query'],
      [`${TEXT}&window=${'['.repeat(100)}`, 'window', 'has too many parts'],
      [`${TEXT}&window={}`, 'window.timezone', 'is required'],
      [`${TEXT}&variants=[{"text":"a","weight":0}]`, 'variants[0].weight', 'must be >= 1'],
      [`${TEXT}&recipients=x`, 'recipients', 'is the body; leave it out of the query'],
      [`${TEXT}&format=ndjson`, 'format', 'must be csv, as the Content-Type says'],
      ['type=text&text=%00', 'text', 'holds a control character'],
    ] as const) {
      const { status, body } = await post(query, LIST)
      assert.deepEqual([status, (body.details as object[])[0]], [400, { field, why }], JSON.stringify([query, body]))
    }
    for (const [body, headers, status] of [
      ['x'.repeat(1_001), CSV, 413],
      [LIST, { ...CSV, 'content-encoding': 'gzip' }, 415],
      [LIST, { 'content-type': 'text/csv; charset=utf-16' }, 415],
      [LIST, { 'content-type': 'text/tab-separated-values' }, 415],
    ] as const)
      assert.equal((await post(TEXT, body, headers)).status, status, JSON.stringify(headers))
    const proto = await post(`${TEXT}&window={"__proto__":1}`, LIST)
    assert.equal(proto.body.code, 'FORBIDDEN_KEY')
    assert.deepEqual([node.touched, filesLeft()], [[], []])
  })

  it('is not asked for when a field is wrong, and leaves nothing when its connection is cut', async (t) => {
    const { node, imported, filesLeft } = await start(t)
    const head = (query: string, more: string) =>
      `POST /sender/import?${query} HTTP/1.1\r\nHost: a\r\ntoken: ${token}\r\nContent-Type: text/csv\r\n${more}\r\n`
    const waits = 'Content-Length: 900\r\nExpect: 100-continue\r\n'
    assert.match(await sendRaw(node.port, head('type=poem', waits)), /^HTTP\/1\.1 400/)
    assert.deepEqual(node.touched, [])
    const chunked = 'Transfer-Encoding: chunked\r\n'
    // More than is announced, and half of what is announced.
    const tooMuch = `${head(TEXT, chunked)}800\r\n${'x'.repeat(0x800)}\r\n0\r\n\r\n`
    assert.match(await sendRaw(node.port, tooMuch), /^HTTP\/1\.1 413/)
    const lines = LIST.length.toString(16)
    const cuts = [`${head(TEXT, chunked)}${lines}\r\n${LIST}\r\n`, `${head(TEXT, 'Content-Length: 900\r\n')}${LIST}`]
    for (const half of cuts) {
      await sendRaw(node.port, half, () => eventually(async () => filesLeft().length === 1))
      await eventually(async () => filesLeft().length === 0)
    }
    assert.deepEqual(imported, [])
  })

  it('waits for slow clients without a part of the node, for four of an instance at once, and not for ever', async (t) => {
    const { node, post, filesLeft } = await start(t, { requestTimeoutMs: 1_000 })
    const head = `POST /sender/import?${TEXT} HTTP/1.1\r\nHost: a\r\ntoken: ${token}\r\nContent-Type: text/csv\r\n`
    const slow = Array.from({ length: 4 }, () => sendRaw(node.port, `${head}Content-Length: 900\r\n\r\n${LIST}`))
    await eventually(() => filesLeft().length === 4)
    const over = await post(TEXT, LIST)
    assert.deepEqual([over.status, over.body.code, filesLeft().length], [429, 'RATE_LIMITED', 4])
    assert.match(String(over.body.error), /too many lists of recipients under way on this node: 4 at once/)
    // A connection to PostgreSQL is held by a call of a port only.
    assert.deepEqual(node.touched, [])
    for (const answer of await Promise.all(slow))
      assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*"code":"REQUEST_TIMEOUT"/)
    await eventually(() => filesLeft().length === 0)
    assert.equal((await post(TEXT, LIST)).status, 200)
  })
})
