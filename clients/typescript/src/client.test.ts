import assert from 'node:assert/strict'
import { describe, it, mock, type TestContext } from 'node:test'
import { createPosthorn, type Posthorn } from './client.js'
import { PosthornError } from './error.js'
import { frameReader, isKnownEvent } from './event-stream.js'
import { eventKinds } from './generated.js'

interface Request {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
type Reply = Response | Error | ((request: Request) => Response)

/** A client whose gateway gives these answers, one for each attempt, and its requests. Waits take no time. */
function createClient(
  t: TestContext,
  replies: readonly Reply[],
  more: object = {},
): { posthorn: Posthorn; requests: Request[] } {
  const { setTimeout: original } = globalThis
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => original(run, ms < 60_000 ? 0 : ms))
  const requests: Request[] = []
  const fetch = mock.fn(async (url: string, init: { headers: Record<string, string> }) => {
    const request = { url, headers: init.headers }
    const reply = replies[requests.push(request) - 1]
    if (reply === undefined) throw new Error('one attempt too many')
    if (reply instanceof Error) throw reply
    return typeof reply === 'function' ? reply(request) : reply
  })
  const options = { url: 'http://gateway.test/', token: 't', fetch: fetch as unknown as typeof globalThis.fetch }
  return { posthorn: createPosthorn({ ...options, ...more }), requests }
}

const failed = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ error: 'A sentence.', code }), { status, headers })
const done = (body: unknown = { messageid: 'A' }): Response => new Response(JSON.stringify(body))
const text = { number: '5511999990000', text: 'x' }

describe('a call of the client', () => {
  it('is repeated with the same key after lost answers, and as the error says', async (t) => {
    const lost = [new TypeError('fetch failed'), failed(504, 'OUTCOME_UNKNOWN'), failed(503, 'INSTANCE_MOVING')]
    const { posthorn, requests } = createClient(t, [...lost, done()])
    assert.equal((await posthorn.sendText(text)).messageid, 'A')
    const keys = requests.map(({ headers }) => headers['Idempotency-Key'])
    assert.equal(keys.length, 4)
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/)
    assert.equal(new Set(keys).size, 1)
    assert.equal(requests[0]?.headers.token, 't')
  })

  it('is repeated after a lost answer when it only reads, although it is a POST', async (t) => {
    const { posthorn, requests } = createClient(t, [new TypeError('fetch failed'), done({ messages: [] })])
    assert.deepEqual((await posthorn.findMessages({ limit: 1 })).messages, [])
    assert.deepEqual(
      requests.map(({ headers }) => headers['Idempotency-Key']),
      [undefined, undefined],
    )
  })

  it('carries the key of the caller, and each call has a key of its own', async (t) => {
    const { posthorn, requests } = createClient(t, [done(), done(), done()])
    await posthorn.sendText(text, { idempotencyKey: 'order-7' })
    await posthorn.sendText(text)
    await posthorn.sendText(text)
    const [first, second, third] = requests.map(({ headers }) => headers['Idempotency-Key'])
    assert.equal(first, 'order-7')
    assert.notEqual(second, third)
  })

  it('is not repeated when it may have happened and has no key, or when the error stays', async (t) => {
    const { posthorn } = createClient(t, [
      new TypeError('fetch failed'),
      failed(504, 'OUTCOME_UNKNOWN'),
      failed(409, 'INSTANCE_NOT_CONNECTED'),
      new Response('<html>', { status: 502 }),
    ])
    const code = async (call: Promise<unknown>): Promise<[string, string]> => {
      const error = await call.then(
        () => assert.fail(),
        (thrown: unknown) => thrown,
      )
      assert.ok(error instanceof PosthornError)
      return [error.code, error.retry]
    }
    assert.deepEqual(await code(posthorn.leaveGroup({ groupjid: '1@g.us' })), ['NO_ANSWER', 'check'])
    assert.deepEqual(await code(posthorn.leaveGroup({ groupjid: '1@g.us' })), ['OUTCOME_UNKNOWN', 'check'])
    assert.deepEqual(await code(posthorn.sendText(text)), ['INSTANCE_NOT_CONNECTED', 'later'])
    assert.deepEqual(await code(posthorn.leaveGroup({ groupjid: '1@g.us' })), ['NOT_POSTHORN', 'check'])
  })

  it('is not sent on to another address by a redirect', async (t) => {
    const moved = (status: number) => new Response(null, { status, headers: { location: 'https://gateway.test/' } })
    const { posthorn, requests } = createClient(t, [moved(301), moved(308), moved(302), done({ instance: {} })])
    const error = {
      code: 'NOT_POSTHORN',
      status: 301,
      retry: 'never',
      message: /redirect to https:\/\/gateway\.test\//,
    }
    await assert.rejects(posthorn.showStatus(), error)
    await assert.rejects(
      async () => {
        for await (const _ of posthorn.events()) assert.fail()
      },
      { code: 'NOT_POSTHORN', status: 308 },
    )
    // A proxy may send callers elsewhere for a while.
    assert.deepEqual(await posthorn.showStatus(), { instance: {} })
    assert.equal(requests.length, 4)
  })

  it('waits as long as a rate limit asks for, and fails at once if that is too long', async (t) => {
    const { posthorn, requests } = createClient(t, [
      failed(429, 'RATE_LIMITED', { 'retry-after': '2' }),
      done([]),
      failed(429, 'RATE_LIMITED', { 'retry-after': '31', 'x-request-id': 'r-1' }),
    ])
    await posthorn.listLabels()
    assert.equal(requests.length, 2)
    await assert.rejects(posthorn.listLabels(), { code: 'RATE_LIMITED', retryAfterMs: 31_000, requestId: 'r-1' })
  })

  it('ends after its retries, its time, or the signal of the caller', async (t) => {
    const moving = () => failed(503, 'INSTANCE_MOVING')
    const { posthorn, requests } = createClient(t, [moving, moving, moving, () => assert.fail()], { retriesMax: 2 })
    await assert.rejects(posthorn.showStatus(), { code: 'INSTANCE_MOVING', status: 503 })
    assert.equal(requests.length, 3)
    await assert.rejects(posthorn.showStatus({ signal: AbortSignal.abort(new Error('enough')) }), /enough/)
    assert.equal(requests.length, 3)
    const never = ((_: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))) as typeof fetch
    const slow = createPosthorn({ url: 'http://gateway.test', token: 't', fetch: never, timeoutMs: 1, retriesMax: 0 })
    await assert.rejects(slow.showStatus(), { code: 'NO_ANSWER', status: 0, message: 'No answer within 1 ms.' })
  })

  it('needs an address and a token', () => {
    assert.throws(() => createPosthorn({ url: 'gateway', token: 't' }), /url must begin/)
    assert.throws(() => createPosthorn({ url: 'http://gateway', token: '' }), /token/)
  })
})

/** An answer with these pieces of a stream, which then breaks off. */
function stream(...pieces: readonly string[]): Response {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece))
  const body = new ReadableStream({
    pull(controller) {
      const next = bytes.shift()
      if (next === undefined) controller.error(new Error('broken'))
      else controller.enqueue(next)
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}
const frame = (id: number, text: string): string =>
  `id: ${id}\ndata: ${JSON.stringify({ EventType: 'messages', text })}\n\n`

describe('the stream of the client', () => {
  it('continues after the last event that the loop took, through broken connections and restarts', async (t) => {
    const half = frame(3, 'cut off').slice(0, 20)
    const { posthorn, requests } = createClient(t, [
      stream('id: 0\nretry: 3000\n: connected\n\n', frame(1, 'one') + frame(2, 'two') + half),
      new TypeError('fetch failed'),
      failed(503, 'INSTANCE_MOVING'),
      stream(frame(3, 'três'), 'id: 7\n: heartbeat\n\n'),
      stream(frame(8, 'eight')),
    ])
    const texts: unknown[] = []
    const events = posthorn.events({ kinds: ['messages'], from: '0' })
    for await (const event of events) {
      texts.push((event as unknown as { text: string }).text)
      if (texts.length === 4) break
    }
    assert.deepEqual(texts, ['one', 'two', 'três', 'eight'])
    assert.deepEqual(
      requests.map(({ headers }) => headers['last-event-id']),
      ['0', '2', '2', '2', '7'],
    )
    assert.equal(requests[0]?.url, 'http://gateway.test/sse?events=messages')
    assert.equal(events.lastEventId, '8')
  })

  it('throws what the gateway refuses, and ends with its signal', async (t) => {
    const { posthorn } = createClient(t, [failed(401, 'INVALID_TOKEN'), stream(frame(1, 'one'))])
    await assert.rejects(
      async () => {
        for await (const _ of posthorn.events()) assert.fail()
      },
      { code: 'INVALID_TOKEN' },
    )
    const controller = new AbortController()
    for await (const _ of posthorn.events({ signal: controller.signal })) controller.abort()
  })

  it('tells its caller that events were lost, and continues where the gateway says', async (t) => {
    const reset = { era: 2, lostFrom: '2027-01-01T00:00:00.000Z', lostUntil: null, advice: 'Read again.' }
    const { posthorn, requests } = createClient(t, [
      stream(`id: 440\nevent: reset\ndata: ${JSON.stringify(reset)}\n\n`),
      stream(frame(1_000_000_001, 'one')),
    ])
    const resets: unknown[] = []
    for await (const event of posthorn.events({ from: '740', onReset: (told) => resets.push(told) })) {
      assert.equal((event as unknown as { text: string }).text, 'one')
      break
    }
    assert.deepEqual(resets, [reset])
    assert.deepEqual(
      requests.map(({ headers }) => headers['last-event-id']),
      ['740', '440'],
    )
  })

  it('hands over warnings of the gateway, which are no events', async (t) => {
    const warned = 'event: warnings\ndata: {"warnings":["events: tomorrow: unknown event"]}\n\n'
    const { posthorn } = createClient(t, [stream(warned, frame(1, 'one'))])
    const warnings: string[] = []
    for await (const event of posthorn.events({ onWarnings: (all) => warnings.push(...all) })) {
      assert.equal(event.EventType, 'messages')
      break
    }
    assert.deepEqual(warnings, ['events: tomorrow: unknown event'])
  })

  it('hands over that the database of the gateway went back in time', async (t) => {
    const said = 'event: store\ndata: {"era":2,"cause":"failover","lostFrom":null}\n\n'
    const { posthorn } = createClient(t, [stream(said, frame(1, 'one'))])
    const eras: number[] = []
    for await (const _ of posthorn.events({ onStoreWentBack: ({ era }) => eras.push(era) })) break
    assert.deepEqual(eras, [2])
  })

  it('connects again after silence', async (t) => {
    const aborting = ((_url: string, { signal }: RequestInit) => {
      calls += 1
      if (calls > 1) return Promise.resolve(stream(frame(1, 'one')))
      const body = new ReadableStream({
        start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }) as typeof fetch
    let calls = 0
    const { posthorn } = createClient(t, [], { fetch: aborting })
    const lost: unknown[] = []
    for await (const _ of posthorn.events({ silenceMs: 5, onLost: (error) => lost.push(error) })) break
    assert.match(String(lost[0]), /Nothing was received for 5 ms/)
  })

  it('joins characters that arrive in parts', () => {
    const take = frameReader()
    const bytes = new TextEncoder().encode('id: 1\ndata: "ção"\n\n')
    const frames = [...bytes].flatMap((byte) => take(Uint8Array.of(byte)))
    assert.deepEqual(frames, [{ id: '1', name: '', data: '"ção"' }])
  })

  it('tells known kinds of events from those of newer gateways', () => {
    assert.ok(eventKinds.every((EventType) => isKnownEvent({ EventType })))
    assert.equal(isKnownEvent({ EventType: 'tomorrow' }), false)
  })
})
