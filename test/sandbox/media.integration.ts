/** Media of the simulated network, with a client that is not ours on the other side. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent as HttpsAgent } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { downloadMediaMessage, type WAMessage } from '@whiskeysockets/baileys'
import sharp from 'sharp'
import { Agent, fetch as undiciFetch } from 'undici'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { until } from './bare-client.js'
import { useSandbox } from './fixture.js'

describe('media on the simulated network', () => {
  const fixture = useSandbox(15_550_300_001)
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const authority = () => readFileSync(fixture.sandbox.mediaCaFile)
  const linked = () => fixture.linked('Ana', { fetchAgent: new HttpsAgent({ ca: authority() }) })
  const shownAt = (phone: string, id: string) =>
    until(`${phone} shows ${id}`, async () => {
      const [message] = await fixture.call<{ media: ShownMedia[] }[]>('GET', `/phones/${phone}/messages?id=${id}`)
      return message?.media
    })
  const download = (message: WAMessage) => downloadMediaMessage(message, 'buffer', {})
  // The library downloads by the process's own `fetch`.
  const { fetch: former } = globalThis
  after(() => {
    globalThis.fetch = former
  })
  before(() => {
    const dispatcher = new Agent({ connect: { ca: authority() } })
    globalThis.fetch = ((input: URL, init: object) => undiciFetch(input, { ...init, dispatcher })) as never
  })

  it('a picture of a client is shown by a phone, and by the own one', async () => {
    const { phone: ana, client } = await linked()
    const ben = await fixture.makePhone('Ben')
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const sent = await client.socket.sendMessage(`${ben}@s.whatsapp.net`, { image: picture, caption: 'red' })
    for (const phone of [ben, ana]) {
      const [shown] = await shownAt(phone, sent?.key.id ?? '')
      assert.equal(shown?.error, null)
      assert.deepEqual([shown?.kind, shown?.sha256, shown?.caption], ['image', sha256(picture), 'red'])
      assert.deepEqual([shown?.width, shown?.height], [300, 200])
    }
  })

  it('a file of a phone reaches a client; expired, the client gets it again from its own phone', async () => {
    const { phone: ana, client } = await linked()
    const ben = await fixture.makePhone('Ben')
    const bytes = randomBytes(100_000)
    const { id } = await fixture.call<{ id: string }>('POST', `/phones/${ben}/media`, {
      to: ana,
      kind: 'document',
      fileName: 'a.bin',
      base64: bytes.toString('base64'),
    })
    const received = await until('the document', () => client.messages.find(({ key }) => key.id === id))
    assert.equal(sha256(await download(received)), sha256(bytes))

    await fixture.call('POST', '/media/expire', {})
    await assert.rejects(download(received))
    await fixture.call('POST', '/faults', { kind: 'media-retry', code: 2, times: 1 })
    await assert.rejects(client.socket.updateMediaMessage(received), /Failed to re-upload media/)
    // The library takes renewed files from the host that it sent to last.
    await client.socket.refreshMediaConn(true)
    const renewed = await client.socket.updateMediaMessage(received)
    assert.equal(sha256(await download(renewed)), sha256(bytes))
  })

  it('a damaged file is shown as damaged', async () => {
    const { phone: ana, client } = await linked()
    const ben = await fixture.makePhone('Ben')
    const { id } = await fixture.call<{ id: string }>('POST', `/phones/${ben}/media`, { to: ana, kind: 'audio' })
    const received = await until('the sound', () => client.messages.find(({ key }) => key.id === id))
    const message = structuredClone(received.message)
    if (message?.audioMessage) message.audioMessage.mediaKey = randomBytes(32)
    const sent = await client.socket.relayMessage(`${ben}@s.whatsapp.net`, message ?? {}, {})
    const [shown] = await shownAt(ben, sent)
    assert.match(shown?.error ?? '', /MAC/)
  })
})
