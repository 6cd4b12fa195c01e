import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { startRawReceiver } from '../support/raw-receiver.js'

type Json = Record<string, unknown>
const BEN = '15551100002'

/** Answers that begin well. */
const badEndings: Record<string, (socket: Socket) => void> = {
  'a body shorter than announced': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nok'),
  'a body shorter than announced, and silence': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nok'),
  'a chunk without an end': (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel'),
  'chunks without an end, and silence': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n'),
  'no chunks although they are announced': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nthis is not a chunk'),
  'a reset after the head': (socket) =>
    socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 10\r\n\r\n', () => {
      setTimeout(() => socket.resetAndDestroy(), 20)
    }),
  'a body after 204': (socket) => socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok'),
  'chunks after 204': (socket) =>
    socket.write('HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
  'a body longer than announced': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok, and more'),
}

describe('an event whose receiver answers 2xx and then', () => {
  const { world, account: ana } = gatewaySuite({
    env: { WEBHOOK_BACKOFF_MIN_MS: '50', WEBHOOK_BACKOFF_MAX_MS: '200' },
    phones: { [BEN]: 'Ben' },
    account: ['15551100001', 'Ana'],
  })
  const hook = (body: Json) => ana.done<Json[]>('/webhook', body)
  afterEach(async () => {
    const { body } = await ana.call<Json[]>('GET', '/webhook')
    for (const { id } of body) await hook({ action: 'delete', id })
  })

  for (const [ending, answer] of Object.entries(badEndings)) {
    it(`ends with ${ending} arrives once, and its chat continues`, async (t) => {
      const receiver = await startRawReceiver(t, answer)
      await hook({ action: 'add', url: receiver.url, events: ['messages'], enabled: true })
      const texts = () =>
        receiver.requests.map(({ body }) => ((JSON.parse(body) as Json).message as Json).text as string)
      // What arrives before the last one has come for the last time: one chat is delivered in order.
      const sent = ['one', 'two', 'three', 'last']
      for (const text of sent) await world.write(BEN, ana.number, text)
      await eventually(texts, (all) => all.includes('last'))
      assert.deepEqual(texts(), sent)
    })
  }
})
