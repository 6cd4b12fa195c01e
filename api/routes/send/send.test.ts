import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../schemas/errors.js'
import { startFakeNode } from '../../../test/support/fake-node.js'
import { makeLinkPreview } from './text.js'

const number = '5511999990002'

describe('a send with an Idempotency-Key', () => {
  it('gives the same hash to the same request, however it is written, and another to another', async (t) => {
    const node = await startFakeNode(t)
    const headers = { 'idempotency-key': 'order-1' }
    await node.call('/send/text', { json: { number, text: 'a', delay: 5 }, headers })
    await node.call('/send/text', { json: { DELAY: 5, text: 'a', number }, headers })
    await node.call('/send/text', { json: { number, text: 'b', delay: 5 }, headers })
    const hashes = node.commands.map((command) => (command.type === 'send' ? command.requestHash : ''))
    assert.equal(hashes[0], hashes[1])
    assert.notEqual(hashes[0], hashes[2])
    assert.match(hashes[0] ?? '', /^[0-9a-f]{64}$/)
  })

  it('is refused when the key is empty, too long or not ASCII', async (t) => {
    const node = await startFakeNode(t)
    for (const key of ['', 'x'.repeat(201), 'a b', 'é']) {
      const answer = await node.call('/send/text', { json: { number, text: 'a' }, headers: { 'idempotency-key': key } })
      assert.equal(answer.status, 400, key)
      assert.equal((answer.body.details as { field: string }[])[0]?.field, 'Idempotency-Key')
    }
    assert.deepEqual(node.commands, [])
  })
})

describe('a message id', () => {
  it('has the form that the network knows, and is new each time', async (t) => {
    const node = await startFakeNode(t)
    await node.call('/send/text', { json: { number, text: 'a' } })
    await node.call('/send/text', { json: { number, text: 'a' } })
    const [one, other] = node.commands.map((command) => (command.type === 'send' ? command.messageid : ''))
    assert.match(one ?? '', /^3EB0[0-9A-F]{36}$/)
    assert.notEqual(one, other)
  })

  it('is the same under one Idempotency-Key, of whatever kind the message is, so that phones drop a repeat', async (t) => {
    const node = await startFakeNode(t)
    const idUnder = async (key: string, path: string, body: object) => {
      await node.call(path, { json: { number, ...body }, headers: { 'idempotency-key': key } })
      const command = node.commands.at(-1)
      return command?.type === 'send' || command?.type === 'schedule' ? command.messageid : ''
    }
    const first = await idUnder('order-1', '/send/text', { text: 'a' })
    assert.match(first, /^3EB0[0-9A-F]{36}$/)
    const later = { text: 'a', send_at: Date.now() + 3_600_000 }
    assert.equal(await idUnder('order-1', '/send/text', later), first)
    assert.equal(await idUnder('order-1', '/send/location', { latitude: 1, longitude: 2 }), first)
    assert.equal(await idUnder('order-1', '/send/menu', { type: 'button', text: 'a', choices: ['b'] }), first)
    assert.notEqual(await idUnder('order-2', '/send/text', { text: 'a' }), first)
  })
})

describe('a link preview', () => {
  const page = { url: 'https://example.com/a', title: 'A', description: 'About A' }
  const preview = (body: object, fetch: (url: string) => Promise<typeof page | null>, warnings: string[] = []) =>
    makeLinkPreview(
      { number, linkPreview: true, text: 'see (https://example.com/a), ok', ...body },
      { fetch, picture: async () => 'SMALL', portrait: async () => null },
      warnings,
    )

  it('is of the first link in the text', async () => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return page
    }
    assert.deepEqual(await preview({}, fetch), { preview: page, source: null })
    assert.deepEqual(asked, ['https://example.com/a'])
  })

  it('is found as fast in a text that ends in many dots', async () => {
    // Looked at from each dot before it, this would take minutes, and one of the longest texts seconds in which nobody else is served.
    const text = `https://example.com/${'.'.repeat(1_000_000)}x`
    assert.equal((await preview({ text }, async (url) => ({ ...page, url })))?.preview.url, text)
  })

  it('fetches nothing when its title is given', async () => {
    const fetch = async () => assert.fail('fetched')
    const made = await preview({ linkPreviewTitle: 'Mine', linkPreviewLarge: true }, fetch)
    assert.deepEqual(made, { preview: { url: 'https://example.com/a' }, source: null })
  })

  it('costs the preview and not the text when the page cannot be fetched, but an address that is not allowed is refused', async () => {
    const failing = (code: 'FETCH_FAILED' | 'URL_NOT_ALLOWED') => async () => {
      throw new GatewayError(code)
    }
    const warnings: string[] = []
    assert.equal(await preview({}, failing('FETCH_FAILED'), warnings), null)
    assert.equal(warnings.length, 1)
    await assert.rejects(preview({}, failing('URL_NOT_ALLOWED')), { code: 'URL_NOT_ALLOWED' })
  })
})
