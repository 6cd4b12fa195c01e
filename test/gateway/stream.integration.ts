import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>
const BEN = '15551400002'

describe('streams of events', () => {
  let cat: TestInstance
  const { world, account: ana } = gatewaySuite({
    env: { SSE_HEARTBEAT_MS: '1000' },
    phones: { [BEN]: 'Ben' },
    account: ['15551400001', 'Ana'],
    complete: async () => {
      cat = await world.paired('15551400003', 'Cat')
    },
  })
  const write = (text: string, to = ana.number) => world.write(BEN, to, text)

  it('give every event of the instance with its sequence as the id, without gaps, and none of another', async (t) => {
    const stream = follow(t, world.gateway.url, '/sse', { token: ana.token })
    await eventually(() => stream.isOpen())
    await write('to Cat', cat.number)
    for (let index = 0; index < 10; index += 1) await write(`${index}`)
    const messages = () => stream.events.filter(({ data }) => data.EventType === 'messages')
    await eventually(messages, (all) => all.length >= 10)
    assert.deepEqual(
      messages().map(({ data }) => (data.message as Json).text),
      Array.from({ length: 10 }, (_, index) => `${index}`),
    )
    const ids = stream.events.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      ids.map((_, index) => (ids[0] as number) + index),
    )
    for (const { id, data } of stream.events) {
      const { sequence, instanceName, instanceId } = data
      assert.deepEqual([sequence, instanceName, instanceId], [Number(id), 'Ana', undefined])
    }
  })

  it('leave out events that their filters name', async (t) => {
    const stream = follow(
      t,
      world.gateway.url,
      '/sse?events=messages,presence&excludeMessages=wasSentByApi,isGroupYes',
      {
        token: ana.token,
      },
    )
    await eventually(() => stream.isOpen())
    await ana.text(BEN, 'from the API')
    await write('from Ben')
    await world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text: 'and again' })
    await eventually(
      () => stream.events.length,
      (count) => count >= 2,
    )
    assert.deepEqual(
      stream.events
        .filter(({ data }) => data.EventType !== 'presence')
        .map(({ data }) => (data.message as Json | undefined)?.text),
      ['from Ben', 'and again'],
    )
  })

  it('name events that this release does not know at their beginning, and give the others', async (t) => {
    const path = '/sse?events=messages,newsletter_messages,tomorrow'
    const stream = follow(t, world.gateway.url, path, { token: ana.token })
    const told = await eventually(() => stream.frames.find(({ event }) => event === 'warnings'))
    assert.deepEqual(JSON.parse(String(told?.data)), {
      warnings: ['events: tomorrow: unknown event, kept; nothing is delivered for it'],
    })
    await write('a message')
    await eventually(() => stream.events.length > 0)
    assert.deepEqual(new Set(stream.events.map(({ data }) => data.EventType)), new Set(['messages']))
    const none = follow(t, world.gateway.url, '/sse?events=tomorrow&lastEventId=0', { token: ana.token })
    await eventually(() => none.frames.some(({ comment }) => comment === 'heartbeat'))
    assert.deepEqual(none.events, [])
    const refused = await ana.call<Json>('GET', `/sse?events=${encodeURIComponent('a b')}`)
    assert.deepEqual([refused.status, (refused.body.details as Json[])[0]?.field], [400, 'events'])
  })

  it('of the administrator give the events of all instances, and resume without loss or repeats', async (t) => {
    const head = { admintoken: world.gateway.adminToken }
    const first = follow(t, world.gateway.url, '/sse?events=messages', head)
    await eventually(() => first.isOpen())
    await write('a', ana.number)
    await write('b', cat.number)
    await eventually(
      () => first.events.length,
      (count) => count >= 2,
    )
    assert.deepEqual(
      first.events.map(({ data }) => data.instanceId),
      [ana.id, cat.id],
    )
    first.close()
    await write('c', cat.number)
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await ana.connected()
    await cat.connected()
    await write('d', ana.number)
    const second = follow(t, world.gateway.url, '/sse?events=messages', {
      ...head,
      'last-event-id': first.events.at(-1)?.id ?? '',
    })
    const texts = () => second.events.map(({ data }) => `${String(data.instanceName)} ${(data.message as Json).text}`)
    await eventually(texts, (all) => all.length >= 2)
    assert.deepEqual(texts(), ['Cat c', 'Ana d'])
  })

  it('are closed when nobody reads them, and delay nobody else', async (t) => {
    const { hostname, port } = new URL(world.gateway.url)
    const socket = connect({ host: hostname, port: Number(port) })
    t.after(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write(`GET /sse?lastEventId=0 HTTP/1.1\r\nHost: x\r\ntoken: ${ana.token}\r\n\r\n`)
    socket.pause()
    const streams = async () =>
      Number(
        /^posthorn_streams(?:\{.*?\})? (\d+)/m.exec(String((await world.gateway.call('GET', '/metrics')).body))?.[1],
      )
    await eventually(streams, (count) => count >= 1)
    const reader = follow(t, world.gateway.url, '/sse?events=messages', { token: ana.token })
    await eventually(() => reader.isOpen())
    // More than the buffers of both sockets and of the stream hold.
    const large = 'x'.repeat(60_000)
    for (let index = 0; index < 120; index += 1) await write(`${index} ${large}`)
    await eventually(
      () => reader.events.length,
      (count) => count >= 120,
    )
    reader.close()
    await eventually(streams, (count) => count === 0)
  })
})

interface Frame {
  readonly event: string | undefined
  readonly data: string | undefined
  readonly comment: string | undefined
}

interface Followed {
  readonly events: { id: string; data: Json }[]
  /** All that came, with the names of events and comments. */
  readonly frames: Frame[]
  isOpen(): boolean
  close(): void
}

function follow(
  t: { after(work: () => void): void },
  url: string,
  path: string,
  headers: Record<string, string>,
): Followed {
  const abort = new AbortController()
  let isOpen = false
  const events: { id: string; data: Json }[] = []
  const frames: Frame[] = []
  t.after(() => abort.abort())
  void (async () => {
    try {
      const response = await fetch(`${url}${path}`, { headers, signal: abort.signal })
      let text = ''
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        isOpen = true
        text += Buffer.from(chunk).toString()
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const after = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length)
          const [id, data] = [after('id: '), after('data: ')]
          frames.push({ event: after('event: '), data, comment: after(': ') })
          if (id !== undefined && data !== undefined) events.push({ id, data: JSON.parse(data) as Json })
        }
      }
    } catch {
      // It was closed.
    }
  })()
  return { events, frames, isOpen: () => isOpen, close: () => abort.abort() }
}
