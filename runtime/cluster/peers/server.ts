/** The door for the other nodes: HTTP/1.1, one request at a time on a connection, every request and answer signed. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { traceIdOf } from '../../../schemas/call-context.js'
import { GatewayError } from '../../../schemas/errors.js'
import {
  type NodeState,
  type PeerCommand,
  type PeerReply,
  type PullAnswer,
  type PullRequest,
  writeError,
  writeReply,
} from './protocol.js'
import {
  answerSignature,
  isRequestSound,
  type PeerKey,
  readAuthorization,
  type Signed,
  secretKey,
  sessionKey,
  UsedNumbers,
} from './signature.js'

export interface PeerServerOptions {
  /** CLUSTER_SECRET. */
  readonly secret: string
  readonly state: () => NodeState
  /** Carries a command out, or says where the shard is. A rejection is the command's failure. */
  readonly serve: (command: PeerCommand) => Promise<PeerReply>
  readonly pull: (request: PullRequest) => Promise<PullAnswer>
  /** What an error that is no GatewayError means to a caller, when anything: the store is away, say. */
  readonly explain?: (error: unknown) => GatewayError | undefined
  readonly logger: Logger
  /** Commands under way at once; those over it are refused with NODE_BUSY. Default 2000. */
  readonly inFlightMax?: number
  /** Of a request. Default 8 MiB: a command carries what one call of the API may, and a preview. */
  readonly bodyMaxBytes?: number
  /** Until a request must have arrived. Default 10000. */
  readonly requestTimeoutMs?: number
  /** How often a caller that waits hears that the node lives. Default 2000. */
  readonly signOfLifeMs?: number
  /** How long `close` lets commands finish. Default 10000. */
  readonly closeTimeoutMs?: number
}

export interface PeerServer {
  /** Resolves with the port, once connections are taken. `port: 0` takes a free one. */
  listen(where: { host: string; port: number }): Promise<{ port: number }>
  /** Commands under way. */
  readonly inFlight: number
  /** Takes no more commands (NODE_BUSY), lets those under way finish for `closeTimeoutMs`, then cuts what is left. */
  close(): Promise<void>
}

interface Session {
  readonly key: PeerKey
  readonly used: UsedNumbers
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** One for each process that speaks to this one; a session that is forgotten is opened again by its caller. */
const SESSIONS_MAX = 1_000
/** What a caller may wait for at most, whatever it says. */
const LEFT_MAX_MS = 15 * 60_000
/** Longer than clients keep a connection, so that it is not closed under a request on its way. */
const KEEP_ALIVE_MS = 60_000

export function createPeerServer(options: PeerServerOptions): PeerServer {
  const { state, serve, pull, inFlightMax = 2_000, bodyMaxBytes = 8 * 2 ** 20, signOfLifeMs = 2_000 } = options
  const log = options.logger.child({ part: 'peers' })
  const ownKey = secretKey(options.secret)
  const sessions = new LRUCache<string, Session>({ max: SESSIONS_MAX })
  let inFlight = 0
  let isClosing = false

  const server = createServer({ maxHeaderSize: 8_192, connectionsCheckingInterval: 1_000 }, (request, response) => {
    if (isClosing) response.setHeader('Connection', 'close')
    handle(request, response).catch((error: unknown) => {
      log.debug({ err: error }, 'A request of a node was cut short.')
      response.destroy()
    })
  })
  server.requestTimeout = options.requestTimeoutMs ?? 10_000
  server.headersTimeout = server.requestTimeout
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.maxConnections = 4 * inFlightMax

  return {
    listen: (where) => listen(server, where),
    get inFlight() {
      return inFlight
    },
    close() {
      isClosing = true
      return close(server, options.closeTimeoutMs ?? 10_000)
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = readAuthorization(request.headers.authorization)
    const body = await readBody(request, bodyMaxBytes)
    if (signed === null || body === null) {
      refuse(response)
      return
    }
    const { method = '', url: path = '' } = request
    const isGreeting = path === '/session' || path === '/probe'
    const session = isGreeting ? undefined : sessions.get(signed.session)
    const key = session?.key ?? ownKey
    // Signed with the secret's key, for this session's name: only a process that does not know the session says so.
    if (!isGreeting && session === undefined) {
      answer(response, ownKey, signed, { status: 401, body: '{"unknown":"session"}' })
      return
    }
    if (!isRequestSound(key, signed, { method, path, body })) {
      log.warn(
        { path, address: request.socket.remoteAddress },
        'A request to the peer port was not signed as ours are.',
      )
      refuse(response)
      return
    }
    if (session !== undefined && !session.used.use(Number(signed.number))) {
      answer(response, key, signed, { status: 409, body: '{"used":"number"}' })
      return
    }
    answer(response, key, signed, await answerTo(`${method} ${path}`, body, response))
  }

  async function answerTo(route: string, body: Buffer, response: ServerResponse): Promise<Answer> {
    switch (route) {
      case 'GET /probe':
        return ok(state())
      case 'POST /session':
        return ok(openSession(JSON.parse(body.toString()) as { nonce: string }))
      case 'POST /pull':
        return await counted(async () => ok(await pull(JSON.parse(body.toString()) as PullRequest)))
      case 'POST /command':
        return await counted(() => carryOut(JSON.parse(body.toString()) as PeerCommand, response))
      default:
        return writeError(new GatewayError('ROUTE_NOT_FOUND'))
    }
  }

  function openSession({ nonce }: { nonce: string }): { session: string; nonce: string; incarnation: string } {
    const session = randomBytes(12).toString('base64url')
    const own = randomBytes(24).toString('base64url')
    sessions.set(session, { key: sessionKey(ownKey, nonce, own), used: new UsedNumbers() })
    return { session, nonce: own, incarnation: state().incarnation }
  }

  async function counted(work: () => Promise<Answer>): Promise<Answer> {
    if (isClosing || inFlight >= inFlightMax) return writeError(new GatewayError('NODE_BUSY', { retryAfterSeconds: 1 }))
    inFlight += 1
    try {
      return await work()
    } finally {
      inFlight -= 1
    }
  }

  async function carryOut(asked: PeerCommand, response: ServerResponse): Promise<Answer> {
    const startedMs = performance.now()
    const leftMs = Math.min(asked.leftMs, LEFT_MAX_MS)
    const fields = {
      requestId: asked.context.requestId,
      traceId: traceIdOf(asked.context.traceparent),
      instanceId: asked.instance,
      command: asked.command.type,
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<PeerReply>((resolve) => {
      timer = setTimeout(() => resolve({ type: 'failed', error: new GatewayError('OUTCOME_UNKNOWN') }), leftMs)
    })
    const served = serve(asked).catch((error: unknown): PeerReply => {
      if (error instanceof GatewayError) return { type: 'failed', error }
      const explained = options.explain?.(error)
      if (explained === undefined)
        log.error({ ...fields, err: error }, 'A call of another node failed by an error of ours')
      return { type: 'failed', error: explained ?? new GatewayError('NODE_FAILED') }
    })
    // It stands in its place now: who sends several in order may send the next.
    if (response.req.headers['posthorn-order'] !== undefined) response.writeProcessing()
    const lives = setInterval(() => response.writeProcessing(), signOfLifeMs)
    try {
      const reply = await Promise.race([served, late])
      if (log.isLevelEnabled('debug')) {
        const durationMs = performance.now() - startedMs
        const code = reply.type === 'failed' ? { code: reply.error.code } : {}
        log.debug({ ...fields, outcome: reply.type, ...code, durationMs }, 'A call of another node was answered')
      }
      return writeReply(reply)
    } finally {
      clearTimeout(timer)
      clearInterval(lives)
    }
  }
}

function ok(value: unknown): Answer {
  return { status: 200, body: JSON.stringify(value) }
}

function answer(response: ServerResponse, key: PeerKey, to: Signed, { status, body }: Answer): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Posthorn-Signature': answerSignature(key, to.credential, status, body),
  })
  response.end(body)
}

/** A stranger hears nothing about us. */
function refuse(response: ServerResponse): void {
  response.writeHead(401, { Connection: 'close', 'Content-Length': 0 })
  response.end()
}

/** Null when it is longer than allowed. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return null
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBytes) return null
    parts.push(part)
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 1_024 }, () => {
      server.off('error', reject)
      resolve({ port: (server.address() as AddressInfo).port })
    })
  })
}

function close(server: Server, timeoutMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    // A connection whose last command began before the end is kept alive after it.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
