import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import type { Command, ReplyOf } from '../../../actors/operations/index.js'
import { traceparentFor } from '../../../schemas/call-context.js'
import { type ErrorCode, errors, GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../../schemas/ids.js'
import { chooseSeed, seededRandom } from '../../../test/durability/random.js'
import { eventually } from '../../../test/support/eventually.js'
import { lastingPort } from '../../../test/support/port.js'
import { startProxy } from '../../../test/support/proxy.js'
import { type PeerClientOptions, PeerLinks } from './client.js'
import { ANSWER, encodeFrame } from './frames.js'
import { greet, requestWire } from './greeting.js'
import type { PeerCommand, PeerReply } from './protocol.js'
import { HttpPeerServer, type PeerServerOptions } from './server.js'
import { authorization, secretKey, sessionKey, signRequest, UsedNumbers } from './signature.js'
import { Wire } from './wire.js'

const secret = 'a secret of the whole cluster'
const instance = 'i000000000000000' as InstanceId
const status: Command = { type: 'status' }
const live: ReplyOf['status'] = {
  status: 'connected',
  state: 'connected',
  connected: true,
  loggedIn: true,
  jid: '551190000001:2@s.whatsapp.net',
  qrcodeText: null,
  paircode: null,
  reason: null,
  health: { lastReceivedAtMs: 1, lastMessageAtMs: null, lastAckAtMs: 3, unacknowledged: 0, held: 0 },
}
const done: PeerReply = { type: 'reply', reply: live }

function makeCommand(command: Command = status, leftMs = 5_000): PeerCommand {
  return {
    instance,
    command,
    epoch: 7,
    leftMs,
    context: { requestId: 'r-1', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  }
}

async function startServer(t: TestContext, given: Partial<PeerServerOptions> & { port?: number } = {}) {
  const served: PeerCommand[] = []
  const log: Record<string, unknown>[] = []
  const { port = 0, serve = async () => done, ...options } = given
  const server = new HttpPeerServer({
    secret,
    state: () => ({ incarnation: 'b1', nodeId: 'b', version: '1.0.0', isDraining: false, isGuardOpen: true }),
    pull: async ({ epoch }) => ({ epoch: epoch + 1 }),
    readings: () => [],
    store: () => ({ incarnation: 'b1', nodeId: 'b', isHeeded: true, nodes: [] }),
    logger: pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line)) }),
    closeTimeoutMs: 500,
    ...options,
    serve(command) {
      served.push(command)
      return serve(command)
    },
  })
  const { port: taken } = await server.listen({ host: '127.0.0.1', port })
  t.after(() => server.close())
  return { close: () => server.close(), served, log, port: taken, address: `127.0.0.1:${taken}`, counts: server }
}

function startClient(t: TestContext, options: Partial<PeerClientOptions> = {}) {
  const links = new PeerLinks({ secret, ...options })
  t.after(() => links.close())
  const call = (address: string, command = makeCommand(), onPlaced?: () => void) =>
    links.call(address, command, { isOrdered: onPlaced !== undefined, onPlaced: onPlaced ?? (() => {}) })
  const awaitOutcome = (address: string, command?: PeerCommand) => call(address, command).outcome
  return { links, call, awaitOutcome }
}

describe('a command to another node', () => {
  it('arrives as it was, and its reply comes back as it was', async (t) => {
    const server = await startServer(t)
    const client = startClient(t)
    const command: Command = {
      type: 'send',
      messageid: '3EB0' as MessageId,
      number: '551190000001',
      content: {
        kind: 'text',
        text: 'Olá \u{1f600} "\\\n\u0000',
        linkPreview: { url: 'https://a.example/', title: 'A', thumbnail: 'aGk=' },
      },
      options: { delayMs: 5, readChat: true, mentions: 'all' },
    }
    assert.deepEqual(await client.awaitOutcome(server.address, makeCommand(command)), done)
    assert.deepEqual(server.served, [makeCommand(command)])
  })

  it('fails with the same error if the error is meant for callers', async (t) => {
    const error = new GatewayError('SEND_REFUSED', {
      message: 'WhatsApp refused the message (463).',
      details: [{ field: 'number', why: 'is new' }],
      fields: { provider_code: 463, provider: 'whatsapp' },
      retryAfterSeconds: 1.5,
      cause: new Error('only in the log'),
    })
    const server = await startServer(t, { serve: () => Promise.reject(error) })
    const outcome = await startClient(t).awaitOutcome(server.address)
    assert.ok(outcome.type === 'failed')
    const { code, message, details, fields, retryAfterSeconds, cause } = outcome.error
    assert.deepEqual({ code, message, details, fields, retryAfterSeconds, cause }, { ...pick(error), cause: undefined })
  })

  it('ignores fields that another release adds, and reports unknown errors as such', async (t) => {
    const later = {
      ...makeCommand(),
      command: { ...status, added: 1 },
      added: { in: 'a later release' },
    } as PeerCommand
    const reply = { ...done, reply: { ...live, added: true } } as PeerReply
    const server = await startServer(t, { serve: async () => reply })
    assert.deepEqual(await startClient(t).awaitOutcome(server.address, later), reply)
    assert.deepEqual(server.served, [later])

    const unknown = Object.assign(new GatewayError('SEND_REFUSED'), { code: 'OF_A_LATER_RELEASE' })
    Object.defineProperty(unknown, 'status', { value: 409 })
    const failing = await startServer(t, { serve: () => Promise.reject(unknown) })
    const outcome = await startClient(t).awaitOutcome(failing.address)
    assert.ok(outcome.type === 'failed')
    assert.deepEqual([outcome.error.code, outcome.error.details], ['NODE_FAILED', { code: 'OF_A_LATER_RELEASE' }])
  })

  it('fails with the same error for every error that an instance knows', async (t) => {
    let code: ErrorCode = 'INTERNAL'
    const server = await startServer(t, { serve: () => Promise.reject(new GatewayError(code)) })
    const client = startClient(t)
    for (code of Object.keys(errors) as ErrorCode[]) {
      // Of tokens no node asks another; one that is busy has its own outcome.
      if (errors[code].status === 401 || code === 'NODE_BUSY') continue
      const outcome = await client.awaitOutcome(server.address)
      assert.equal(outcome.type === 'failed' ? outcome.error.code : outcome.type, code)
    }
  })

  it('hides an internal error, whose request id is in the log of that node', async (t) => {
    const server = await startServer(t, { serve: () => Promise.reject(new TypeError('secret of the program')) })
    const outcome = await startClient(t).awaitOutcome(server.address)
    assert.ok(outcome.type === 'failed' && outcome.error.code === 'NODE_FAILED')
    assert.doesNotMatch(JSON.stringify(pick(outcome.error)), /secret of the program/)
    const line = server.log.find(({ level }) => level === 50)
    assert.equal(line?.requestId, 'r-1')
    assert.equal(line?.traceId, '0af7651916cd43dd8448eb211c80319c')
    assert.match(JSON.stringify(line), /secret of the program/)
  })

  it('explains a failure that the node can explain, such as an unreachable store', async (t) => {
    const server = await startServer(t, {
      serve: () => Promise.reject(new Error('ECONNREFUSED')),
      explain: (error) => (String(error).includes('ECONN') ? new GatewayError('STORE_UNAVAILABLE') : undefined),
    })
    const outcome = await startClient(t).awaitOutcome(server.address)
    assert.ok(outcome.type === 'failed' && outcome.error.code === 'STORE_UNAVAILABLE')
  })

  it('is answered that the shard has moved', async (t) => {
    const moved: PeerReply = {
      type: 'moved',
      owner: { incarnation: 'c1', address: '10.0.0.3:3001', epoch: 8 },
      wasBegun: true,
    }
    const server = await startServer(t, { serve: async () => moved })
    assert.deepEqual(await startClient(t).awaitOutcome(server.address), moved)
  })

  it('keeps its place before the next one if order is required', async (t) => {
    const order: string[] = []
    const release: (() => void)[] = []
    const server = await startServer(t, {
      serve: async ({ context }) => {
        order.push(context.requestId)
        await new Promise<void>((resolve) => release.push(resolve))
        return done
      },
    })
    const client = startClient(t)
    const outcomes: Promise<unknown>[] = []
    for (let index = 0; index < 50; index += 1) {
      const command = { ...makeCommand(), context: { ...makeCommand().context, requestId: String(index) } }
      await new Promise<void>((placed) => outcomes.push(client.call(server.address, command, placed).outcome))
    }
    assert.deepEqual(
      order,
      Array.from({ length: 50 }, (_, index) => String(index)),
    )
    for (const go of release) go()
    await Promise.all(outcomes)
  })
})

describe('a call that is lost', () => {
  it('was surely not sent when nobody listens', async (t) => {
    const port = await lastingPort()
    assert.deepEqual(await startClient(t).awaitOutcome(`127.0.0.1:${port}`), {
      type: 'lost',
      why: 'refused',
      wasSent: false,
    })
  })

  it('was surely not sent when no connection comes about', async (t) => {
    // A name that is never resolved (RFC 6761).
    const outcome = await startClient(t).awaitOutcome('nowhere.invalid:3001')
    assert.ok(outcome.type === 'lost' && !outcome.wasSent && outcome.why === 'unreachable')
  })

  it('may have happened when the connection breaks', async (t) => {
    const server = await startServer(t, { serve: () => new Promise(() => {}) })
    const proxy = await startProxy(t, () => ({ host: '127.0.0.1', port: server.port }))
    const { outcome } = startClient(t).call(`127.0.0.1:${proxy.port}`)
    await eventually(() => server.served.length === 1)
    proxy.cut()
    assert.deepEqual(await outcome, { type: 'lost', why: 'reset', wasSent: true })
  })

  it('may have happened when its time is up, although the node lives', async (t) => {
    const server = await startServer(t, { serve: () => new Promise(() => {}), signOfLifeMs: 20 })
    const client = startClient(t, { silenceMs: 100 })
    const { outcome } = client.call(server.address, makeCommand(status, 400))
    const said = await outcome
    assert.ok(
      (said.type === 'lost' && said.why === 'late') ||
        (said.type === 'failed' && said.error.code === 'OUTCOME_UNKNOWN'),
    )
  })

  it('is noticed by silence, and continues when there is a sign of life', async (t) => {
    const server = await startServer(t, { signOfLifeMs: 20, serve: () => pause(400).then(() => done) })
    const proxy = await startProxy(t, () => ({ host: '127.0.0.1', port: server.port }))
    const client = startClient(t, { silenceMs: 200 })
    assert.deepEqual(await client.awaitOutcome(`127.0.0.1:${proxy.port}`), done)
    const { outcome } = client.call(`127.0.0.1:${proxy.port}`)
    await eventually(() => server.served.length === 2)
    proxy.silence()
    assert.deepEqual(await outcome, { type: 'lost', why: 'silent', wasSent: true })
  })

  it('is given up by its caller at once', async (t) => {
    const server = await startServer(t, { serve: () => new Promise(() => {}) })
    const { outcome, abort } = startClient(t).call(server.address)
    await eventually(() => server.served.length === 1)
    abort()
    assert.deepEqual(await outcome, { type: 'lost', why: 'aborted', wasSent: true })
  })

  it('was surely not sent when the node has too much to do, there or here', async (t) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const server = await startServer(t, { inFlightMax: 3, serve: () => held.then(() => done) })
    const client = startClient(t)
    const outcomes = Array.from({ length: 5 }, () => client.awaitOutcome(server.address))
    await eventually(() => server.counts.inFlight === 3)
    let settled = 0
    for (const outcome of outcomes) void outcome.then(() => (settled += 1))
    await eventually(() => settled === 2)
    release()
    const all = await Promise.all(outcomes)
    assert.equal(all.filter(({ type }) => type === 'reply').length, 3)
    assert.equal(all.filter(({ type }) => type === 'busy').length, 2)
    assert.equal(server.served.length, 3)
    const small = startClient(t, { inFlightMax: 1 })
    const two = [small.awaitOutcome(server.address), small.awaitOutcome(server.address)]
    assert.deepEqual((await Promise.all(two)).map(({ type }) => type).sort(), ['busy', 'reply'])
  })
})

describe('the proof of the secret', () => {
  it('is asked of everyone who calls', async (t) => {
    const server = await startServer(t)
    for (const path of ['/probe', '/session', '/wire', '/']) {
      const answer = await fetch(`http://${server.address}${path}`, { method: 'POST', body: '{}' })
      assert.equal(answer.status, 401)
      assert.equal(await answer.text(), '')
    }
    const asked = { method: 'GET', path: '/wire', body: '', timeoutMs: 1_000, from: 'a' } as const
    const signed = signRequest(secretKey('another secret'), { ...asked, session: '-', number: 'n' })
    for (const credential of ['', signed])
      assert.equal(
        (await requestWire(server.address, { ...asked, authorization: authorization(credential) })).type,
        'lost',
      )
    const stranger = startClient(t, { secret: 'another secret' })
    const outcome = await stranger.awaitOutcome(server.address)
    assert.ok(outcome.type === 'lost' && !outcome.wasSent)
    assert.equal((await stranger.links.probe(server.address, 500)).type, 'lost')
    assert.deepEqual(server.served, [])
  })

  it('is asked of everyone who answers', async (t) => {
    const impostor = await startServer(t, { secret: 'another secret' })
    const outcome = await startClient(t).awaitOutcome(impostor.address)
    assert.deepEqual(outcome, { type: 'lost', why: 'garbled', wasSent: false })
  })

  it('cannot be replayed, neither to this process nor to the next one', async (t) => {
    const server = await startServer(t)
    const recorded = await recordCommand(t, server.address)
    assert.equal((await recorded.send()).status, 200)
    assert.equal((await recorded.send()).status, 425)
    assert.equal(server.served.length, 1)
    await server.close()
    const next = await startServer(t, { port: server.port })
    assert.equal((await recorded.send()).status, 401)
    assert.equal((await recorded.send({ body: recorded.body.replace('7', '8') })).status, 401)
    assert.equal(next.served.length, 0)
  })

  it('does not fit a changed body, another path or another number', async (t) => {
    const server = await startServer(t)
    const recorded = await recordCommand(t, server.address)
    for (const changed of [
      { body: recorded.body.replace('"epoch":7', '"epoch":9') },
      { path: '/pull' },
      { credential: recorded.credential.replace('.1.', '.2.') },
    ])
      assert.equal((await recorded.send(changed)).status, 0, 'the wire is cut')
    assert.equal((await recorded.send()).status, 200)
    assert.equal(server.served.length, 1)
  })

  it('is made again with a process that was restarted at the same place, and the call succeeds', async (t) => {
    const first = await startServer(t)
    const client = startClient(t)
    assert.deepEqual(await client.awaitOutcome(first.address), done)
    await first.close()
    const next = await startServer(t, { port: first.port })
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => client.awaitOutcome(first.address)))
    for (const outcome of outcomes)
      assert.ok(outcome.type === 'reply' || (outcome.type === 'lost' && outcome.why === 'reset'))
    assert.deepEqual(await client.awaitOutcome(first.address), done)
    assert.ok(next.served.length >= 1)
  })
})

describe('the numbers of a session', () => {
  it('are used once each, in any order that a window allows', () => {
    const numbers = new UsedNumbers()
    assert.equal(numbers.use(1), true)
    assert.equal(numbers.use(1), false)
    assert.equal(numbers.use(5), true)
    assert.equal(numbers.use(3), true)
    assert.equal(numbers.use(3), false)
    assert.equal(numbers.use(5), false)
    assert.equal(numbers.use(16_384 + 4), true)
    assert.equal(numbers.use(4), false, 'too old to be known')
    assert.equal(numbers.use(6), true)
    assert.equal(numbers.use(100_000), true)
    assert.equal(numbers.use(6), false)
    assert.equal(numbers.use(99_999), true)
    for (const wrong of [0, -1, 1.5, Number.NaN, 2 ** 53]) assert.equal(numbers.use(wrong), false)
  })

  it('are used once each, whatever their order', (t) => {
    const random = seededRandom(chooseSeed(t))
    const numbers = new UsedNumbers()
    const used = new Set<number>()
    for (let round = 0; round < 50_000; round += 1) {
      const number = 1 + Math.floor(round / 3) + Math.floor(random() * 2_000)
      assert.equal(numbers.use(number), !used.has(number))
      used.add(number)
    }
  })
})

describe('a node that is asked who it is', () => {
  it('identifies itself, and a dead node is distinguished from a silent one', async (t) => {
    const server = await startServer(t)
    const client = startClient(t)
    const answer = await client.links.probe(server.address, 60_000)
    assert.ok(answer.type === 'answered')
    assert.deepEqual(answer.state, {
      incarnation: 'b1',
      nodeId: 'b',
      version: '1.0.0',
      isDraining: false,
      isGuardOpen: true,
    })
    const proxy = await startProxy(t, () => ({ host: '127.0.0.1', port: server.port }))
    proxy.silence()
    const silent = await client.links.probe(`127.0.0.1:${proxy.port}`, 200)
    assert.ok(silent.type === 'lost' && silent.why !== 'refused')
    await server.close()
    const dead = await client.links.probe(server.address, 60_000)
    assert.ok(dead.type === 'lost' && dead.why === 'refused')
  })

  it('answers while it has too much else to do', async (t) => {
    const server = await startServer(t, { inFlightMax: 0 })
    assert.equal((await startClient(t).links.probe(server.address, 60_000)).type, 'answered')
  })
})

it('the news of a store reach a node, and what it answers comes back', async (t) => {
  const heard: unknown[] = []
  const answer = {
    incarnation: 'b1',
    nodeId: 'b',
    isHeeded: true,
    nodes: [{ incarnation: 'c1', nodeId: 'c', address: 'c:1' }],
  }
  const server = await startServer(t, {
    store(news) {
      heard.push(news)
      return answer
    },
  })
  const client = startClient(t)
  const news = { system: '7', timeline: 2, era: 3 }
  assert.deepEqual(await client.links.tellStore(server.address, news, 60_000), answer)
  assert.deepEqual(heard, [news])
  await server.close()
  assert.equal(await client.links.tellStore(server.address, news, 60_000), null)
})

it('the readings of a node come back as they were, or not at all', async (t) => {
  const minutes = [
    {
      atMs: 60_000,
      lagMs: 1.5,
      memoryBytes: 2e8,
      commitMs: 0,
      waitingBytes: 3,
      stop: { ms: 400, kind: 'turn', operation: 'turn', instance: 'r1' },
    },
  ]
  const server = await startServer(t, { readings: () => minutes })
  const client = startClient(t)
  assert.deepEqual(await client.links.readings(server.address, 60_000), minutes)
  // Another release may tell something else. A node that is gone tells nothing.
  const later = await startServer(t, { readings: () => [{ lag: 1 }] as unknown as typeof minutes })
  assert.equal(await client.links.readings(later.address, 60_000), null)
  await server.close()
  assert.equal(await client.links.readings(server.address, 60_000), null)
})

it('a pull is answered with the epoch of the target, or not in time', async (t) => {
  const server = await startServer(t)
  const client = startClient(t)
  assert.deepEqual(await client.links.pull(server.address, { shard: 3, epoch: 7, by: 'a1' }, 60_000), { epoch: 8 })
  const slow = await startServer(t, { pull: () => new Promise(() => {}) })
  assert.equal(await client.links.pull(slow.address, { shard: 3, epoch: 7, by: 'a1' }, 50), null)
})

describe('the end', () => {
  it('of a server lets calls under way finish, and takes no more', async (t) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const server = await startServer(t, { closeTimeoutMs: 5_000, serve: () => held.then(() => done) })
    const client = startClient(t)
    const { outcome } = client.call(server.address)
    await eventually(() => server.served.length === 1)
    const closed = server.close()
    const late = await client.awaitOutcome(server.address)
    assert.ok(late.type === 'busy' || (late.type === 'lost' && !late.wasSent))
    release()
    assert.deepEqual(await outcome, done)
    await closed
  })

  it('of a node ends what is kept for it', async (t) => {
    const [one, other] = [await startServer(t), await startServer(t)]
    const client = startClient(t)
    await client.awaitOutcome(one.address)
    await client.awaitOutcome(other.address)
    assert.equal(client.links.counts().peers, 2)
    client.links.retain([other.address])
    assert.equal(client.links.counts().peers, 1)
    assert.deepEqual(await client.awaitOutcome(other.address), done)
  })
})

it('does not read oversized commands, and does not send them if the limit is known', async (t) => {
  const server = await startServer(t, { bodyMaxBytes: 10_000 })
  const command: Command = { type: 'markRead', ids: ['x'.repeat(20_000)] }
  const outcome = await startClient(t).awaitOutcome(server.address, makeCommand(command))
  assert.ok(outcome.type === 'lost')
  const knowing = startClient(t, { bodyMaxBytes: 10_000 })
  const [large, small] = [
    knowing.awaitOutcome(server.address, makeCommand(command)),
    knowing.awaitOutcome(server.address),
  ]
  assert.deepEqual(await large, { type: 'lost', why: 'garbled', wasSent: false })
  assert.deepEqual(await small, done)
  assert.equal(server.served.length, 1)
})

it('a thousand calls go over one connection, and each gets its own answer', async (t) => {
  const random = seededRandom(chooseSeed(t))
  const server = await startServer(t, {
    serve: async ({ context }) => {
      await pause(random() * 20)
      return { type: 'failed', error: new GatewayError('SEND_REFUSED', { message: context.requestId }) }
    },
  })
  let connections = 0
  const proxy = await startProxy(t, () => {
    connections += 1
    return { host: '127.0.0.1', port: server.port }
  })
  const client = startClient(t)
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => {
      const command = { ...makeCommand(), context: { ...makeCommand().context, requestId: `r-${index}` } }
      return client.awaitOutcome(`127.0.0.1:${proxy.port}`, command)
    }),
  )
  for (const [index, answer] of answers.entries())
    assert.ok(answer.type === 'failed' && answer.error.message === `r-${index}`)
  assert.equal(connections, 2, 'the session was asked for, then the wire')
})

it('a wire on which something else than frames arrives is cut', async (t) => {
  const server = await startServer(t)
  const asked = { method: 'GET', path: '/wire', body: '', timeoutMs: 2_000, from: 'a' } as const
  const credential = signRequest(secretKey(secret), { ...asked, session: '-', number: 'n' })
  for (const wrong of ['POST /command HTTP/1.1\r\n\r\n', encodeFrame(ANSWER, 1, '200 x', '{}')]) {
    const kept = await requestWire(server.address, { ...asked, authorization: authorization(credential) })
    assert.ok(kept.type === 'kept')
    const closed = new Promise((resolve) => kept.socket.once('close', resolve))
    kept.socket.on('error', () => {}).resume()
    kept.socket.write(wrong)
    await closed
  }
  assert.deepEqual(await startClient(t).awaitOutcome(server.address), done)
})

it('a trace continues where its header is sound, and starts again where it is not', () => {
  const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  assert.match(traceparentFor(given), /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
  assert.notEqual(traceparentFor(given), given)
  assert.match(traceparentFor(`cc-${given.slice(3)}-more`), /^00-0af7651916cd43dd8448eb211c80319c-/)
  for (const wrong of [
    undefined,
    '',
    'nonsense',
    `${given}-more`,
    `ff-${given.slice(3)}`,
    given.toUpperCase(),
    [given],
    given.replace('b7ad6b7169203331', '0'.repeat(16)),
  ])
    assert.doesNotMatch(traceparentFor(wrong), /0af7651916cd43dd8448eb211c80319c/)
})

interface Sent {
  readonly path: string
  readonly body: string
  readonly credential: string
}

interface Recorded extends Sent {
  /** Over a wire of its own; the answer's status, or 0 when there was none. */
  send(changed?: Partial<Sent>): Promise<{ status: number }>
}

/** A request of a session of its own, as somebody on the way would see it. */
async function recordCommand(t: TestContext, address: string): Promise<Recorded> {
  const key = secretKey(secret)
  const greeting = (method: 'GET' | 'POST', path: string, body: string) => {
    const asked = { method, path, body, timeoutMs: 2_000, from: 'a' }
    return { ...asked, authorization: authorization(signRequest(key, { ...asked, session: '-', number: 'n' })) }
  }
  const answer = await greet(address, greeting('POST', '/session', JSON.stringify({ nonce: 'mine' })))
  assert.ok(answer.type === 'answered')
  const { session, nonce } = JSON.parse(answer.body.toString()) as { session: string; nonce: string }
  const asked = { method: 'POST', path: '/command', body: JSON.stringify(makeCommand()) }
  const credential = signRequest(sessionKey(key, 'mine', nonce), { ...asked, session, number: '1' })
  const sent = { ...asked, credential }
  return {
    ...sent,
    async send(changed = {}) {
      const kept = await requestWire(address, greeting('GET', '/wire', ''))
      assert.ok(kept.type === 'kept')
      t.after(() => kept.socket.destroy())
      const wire = new Wire(kept, { answerMaxBytes: 10_000, onRetired: () => {} })
      const got = await wire.exchange({ ...sent, ...changed, timeoutMs: 5_000, silenceMs: 5_000 }).outcome
      return { status: got.type === 'answered' ? got.status : 0 }
    },
  }
}

function pick({ code, message, details, fields, retryAfterSeconds }: GatewayError) {
  return { code, message, details, fields, retryAfterSeconds }
}
