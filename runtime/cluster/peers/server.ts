/** The door for the other nodes: greetings by HTTP/1.1, calls by frames over wires, every request and answer signed. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { traceIdOf } from '../../../schemas/call-context.js'
import { GatewayError } from '../../../schemas/errors.js'
import { ALIVE, ANSWER, encodeFrame, type Frame, FrameReader, LEAVING, ORDERED_REQUEST, REQUEST } from './frames.js'
import { WIRE_PROTOCOL } from './greeting.js'
import {
  type NodeState,
  type PeerCommand,
  type PeerReply,
  type PullAnswer,
  type PullRequest,
  USED,
  writeError,
  writeReply,
} from './protocol.js'
import {
  answerSignature,
  isRequestSound,
  type PeerKey,
  readAuthorization,
  readCredential,
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

/** The signs of life that a caller gets. */
interface Signs {
  /** Somebody works on the call. */
  readonly alive: () => void
  /** The first one is wanted as soon as the command has its place. */
  readonly isOrdered: boolean
}

/** One for each process that speaks to this one; a session that is forgotten is opened again by its caller. */
const SESSIONS_MAX = 1_000
const CONNECTIONS_MIN = 64
const GREETING_MAX_BYTES = 4_096
/** What a caller may wait for at most, whatever it says. */
const LEFT_MAX_MS = 15 * 60_000
/** A wire that is not closed by its caller so long after it was told that we leave is closed here: nothing can be on its way any more. */
const LEAVING_MS = 1_000
const WIRE_KEEP_ALIVE_MS = 10_000

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
  // Room for probes, whatever the limit of calls. Zero would refuse every connection since Node.js 22, and none before.
  server.maxConnections = Math.max(CONNECTIONS_MIN, 4 * inFlightMax)
  const wires = new Set<{ readonly leave: () => void; readonly cut: () => void }>()
  server.on('upgrade', (request, socket, first) => openWire(request, socket as Socket, first))

  return {
    listen: (where) => listen(server, where),
    get inFlight() {
      return inFlight
    },
    close() {
      isClosing = true
      for (const wire of wires) wire.leave()
      return close(server, options.closeTimeoutMs ?? 10_000, () => {
        for (const wire of wires) wire.cut()
      })
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = readAuthorization(request.headers.authorization)
    const body = await readBody(request)
    const { method = '', url: path = '', headers } = request
    if (
      signed === null ||
      body === null ||
      !isSound(ownKey, signed, { method, path, body }, request.socket, headers['user-agent'])
    ) {
      response.writeHead(401, { Connection: 'close', 'Content-Length': 0 })
      response.end()
      return
    }
    const answer = greet(`${method} ${path}`, body)
    if (response.destroyed) return
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answer.body),
      'Posthorn-Signature': answerSignature(ownKey, signed.credential, answer.status, answer.body),
    })
    response.end(answer.body)
  }

  function greet(route: string, body: Buffer): Answer {
    switch (route) {
      case 'GET /probe':
        return ok(state())
      case 'POST /session':
        return ok(openSession(JSON.parse(body.toString()) as { nonce: string }))
      default:
        return writeError(new GatewayError('ROUTE_NOT_FOUND'))
    }
  }

  /** A stranger hears nothing about us, and keeps no connection. */
  function openWire(request: IncomingMessage, socket: Socket, first: Buffer): void {
    const signed = readAuthorization(request.headers.authorization)
    const asked = { method: request.method ?? '', path: request.url ?? '', body: Buffer.alloc(0) }
    const isWire = asked.path === '/wire' && request.headers.upgrade === WIRE_PROTOCOL
    socket.on('error', () => {})
    if (
      isClosing ||
      !isWire ||
      signed === null ||
      !isSound(ownKey, signed, asked, socket, request.headers['user-agent'])
    ) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${WIRE_PROTOCOL}\r\n\r\n`)
    serveWire(socket, first)
  }

  function serveWire(socket: Socket, first: Buffer): void {
    const reader = new FrameReader(bodyMaxBytes)
    let underWay = 0
    let leaving: NodeJS.Timeout | undefined
    const cut = (): void => void socket.destroy()
    const end = {
      leave(): void {
        say(encodeFrame(LEAVING, 0))
        leaving = setTimeout(() => underWay === 0 && cut(), LEAVING_MS)
      },
      cut,
    }
    wires.add(end)
    if (first.length > 0) socket.unshift(first)
    socket.setNoDelay(true).setKeepAlive(true, WIRE_KEEP_ALIVE_MS).setTimeout(0)
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) void take(frame)
      } catch {
        cut()
      }
    })
    // Sockets of an HTTP server stay half open.
    socket.once('end', () => socket.end())
    socket.once('close', () => {
      clearTimeout(leaving)
      leaving = undefined
      wires.delete(end)
    })

    function say(frame: Buffer): void {
      if (socket.writable) socket.write(frame)
    }

    /** What a frame asks is begun before the next one is read. */
    async function take({ kind, call, head, body }: Frame): Promise<void> {
      const [path = '', credential = ''] = head.split(' ')
      const signed = readCredential(credential)
      if ((kind !== REQUEST && kind !== ORDERED_REQUEST) || signed === null) {
        cut()
        return
      }
      const session = sessions.get(signed.session)
      const answer = (key: PeerKey, { status, body }: Answer): void =>
        say(encodeFrame(ANSWER, call, `${status} ${answerSignature(key, credential, status, body)}`, body))
      // Signed with the secret's key, for this session's name: only a process that does not know the session says so.
      if (session === undefined) answer(ownKey, { status: 401, body: '{"unknown":"session"}' })
      else if (!isSound(session.key, signed, { method: 'POST', path, body }, socket)) cut()
      else if (!session.used.use(Number(signed.number)))
        answer(session.key, { status: USED, body: '{"used":"number"}' })
      else {
        underWay += 1
        const signs = { alive: () => say(encodeFrame(ALIVE, call)), isOrdered: kind === ORDERED_REQUEST }
        answer(session.key, await answerTo(path, body, signs).catch(failed))
        underWay -= 1
        if (underWay === 0) leaving?.refresh()
      }
    }
  }

  function isSound(
    key: PeerKey,
    signed: Signed,
    request: { method: string; path: string; body: Buffer },
    { remoteAddress: address }: Socket,
    from?: string,
  ): boolean {
    if (isRequestSound(key, signed, request)) return true
    log.warn({ path: request.path, address, from }, 'A request to the peer port was not signed as ours are.')
    return false
  }

  function failed(error: unknown): Answer {
    log.error({ err: error }, 'A request of another node failed by an error of ours')
    return writeError(new GatewayError('NODE_FAILED'))
  }

  async function answerTo(path: string, body: Buffer, signs: Signs): Promise<Answer> {
    switch (path) {
      case '/pull':
        return await counted(async () => ok(await pull(JSON.parse(body.toString()) as PullRequest)))
      case '/command':
        return await counted(() => carryOut(JSON.parse(body.toString()) as PeerCommand, signs))
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

  async function carryOut(asked: PeerCommand, { alive, isOrdered }: Signs): Promise<Answer> {
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
    if (isOrdered) alive()
    const lives = setInterval(alive, signOfLifeMs)
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

/** Null when it is longer than a greeting. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > GREETING_MAX_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
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

function close(server: Server, timeoutMs: number, cutWires: () => void): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections()
      cutWires()
    }, timeoutMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
