/** The server for the other nodes: greetings by HTTP/1.1, calls by frames over wires, every request and answer signed. */
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type ListenOptions,
  type Socket,
  type Server as SocketServer,
} from 'node:net'
import type { Logger } from 'pino'
import { GatewayError } from '../../../schemas/errors.js'
import type { MinuteReading } from '../../../schemas/ports/cluster.js'
import type { StoreIdentity } from '../lease-scripts.js'
import { WIRE_PROTOCOL } from './greeting.js'
import {
  type EncodedAnswer,
  encodeJson,
  type NodeState,
  type PeerCommand,
  type PeerReply,
  type PullAnswer,
  type PullRequest,
  type StoreNewsAnswer,
  writeError,
} from './protocol.js'
import { ServedCalls } from './served-calls.js'
import { createRequestCheck, type RequestCheck, ServedSessions, ServedWire, type WireProof } from './served-wire.js'
import { answerSignature, readAuthorization } from './signature.js'

// Bound: 4,096, a greeting.

export interface PeerServerOptions {
  /** CLUSTER_SECRET. */
  readonly secret: string
  readonly state: () => NodeState
  /** Carries a command out, or says where the shard is. A rejection is the command's failure. */
  readonly serve: (command: PeerCommand) => Promise<PeerReply>
  readonly pull: (request: PullRequest) => Promise<PullAnswer>
  /** Returns how this process did in the last hour. */
  readonly readings: () => readonly MinuteReading[]
  /** Takes the news of another node, of which store is the newest. */
  readonly store: (news: StoreIdentity) => StoreNewsAnswer
  /** Returns the error for callers that stands for an error of the program, if there is one: when a store is away, for example. */
  readonly explain?: (error: unknown) => GatewayError | undefined
  readonly logger: Logger
  /** Maximum of commands under way at once; those above it are refused with NODE_BUSY. Default 2000. */
  readonly inFlightMax?: number
  /** Maximum size of a request. Default 8 MiB. */
  readonly bodyMaxBytes?: number
  /** Time in which a request must have arrived. Default 10000. */
  readonly requestTimeoutMs?: number
  /** Time between two signs of life for a caller that waits. Default 2000. */
  readonly signOfLifeMs?: number
  /** Time that `close` gives to commands under way. Default 10000. */
  readonly closeTimeoutMs?: number
}

export interface PeerServer {
  /**
   * Resolves with the port, once connections are taken. `port: 0` takes a free one.
   * @param where `localPath`: a unix socket for the other processes of this machine, in a folder that only the user of the gateway can enter
   */
  listen(where: PeerServerPlace): Promise<{ port: number }>
  /** Number of commands under way. */
  readonly inFlight: number
  /** Refuses further commands (NODE_BUSY), lets those under way finish for `closeTimeoutMs`, then cuts the rest. */
  close(): Promise<void>
}

interface PeerServerPlace {
  readonly host: string
  readonly port: number
  readonly localPath?: string | undefined
}

const CONNECTIONS_MIN = 64
/** A command carries what one call of the API may, and a preview. */
const BODY_MAX_BYTES = 8 * 2 ** 20
const GREETING_MAX_BYTES = 4_096
const REFUSAL = 'HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
const CONSENT = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${WIRE_PROTOCOL}\r\n\r\n`

export class HttpPeerServer implements PeerServer {
  readonly #options: PeerServerOptions
  readonly #log: Logger
  readonly #sessions: ServedSessions
  readonly #calls: ServedCalls
  readonly #isSound: RequestCheck
  readonly #wires = new Set<ServedWire>()
  readonly #server: Server
  readonly #local: SocketServer
  #isClosing = false

  constructor(options: PeerServerOptions) {
    const { serve, pull, readings, store, explain, inFlightMax = 2_000, signOfLifeMs = 2_000 } = options
    this.#options = options
    this.#log = options.logger.child({ part: 'peers' })
    this.#sessions = new ServedSessions(options.secret)
    this.#calls = new ServedCalls({ serve, pull, readings, store, explain, inFlightMax, signOfLifeMs, log: this.#log })
    this.#isSound = createRequestCheck(this.#log)
    this.#server = createServer({ maxHeaderSize: 8_192, connectionsCheckingInterval: 1_000 }, (request, response) =>
      this.#onRequest(request, response),
    )
    this.#server.requestTimeout = options.requestTimeoutMs ?? 10_000
    this.#server.headersTimeout = this.#server.requestTimeout
    // Leaves room for probes, whatever the limit of calls. Zero would refuse every connection since Node.js 22, and none before.
    this.#server.maxConnections = Math.max(CONNECTIONS_MIN, 4 * inFlightMax)
    this.#local = createSocketServer((socket) => this.#openLocalWire(socket))
    this.#server.on('upgrade', (request, socket, first) => this.#openWire(request, socket as Socket, first))
  }

  get inFlight(): number {
    return this.#calls.inFlight
  }

  async listen({ host, port, localPath }: PeerServerPlace): Promise<{ port: number }> {
    // `exclusive`: the processes of NODE_PROCESSES share no port but that of the API.
    await listening(this.#server, { host, port, backlog: 1_024, exclusive: true })
    if (localPath !== undefined) {
      // A process that was killed has left its socket.
      rmSync(localPath, { force: true })
      await listening(this.#local, { path: localPath, exclusive: true })
    }
    return { port: (this.#server.address() as AddressInfo).port }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#calls.close()
    for (const wire of this.#wires) wire.leave()
    const cut = setTimeout(() => {
      this.#server.closeAllConnections()
      for (const wire of this.#wires) wire.cut()
    }, this.#options.closeTimeoutMs ?? 10_000)
    const closed = Promise.all([ended(this.#server), ended(this.#local)])
    this.#server.closeIdleConnections()
    await closed
    clearTimeout(cut)
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isClosing) response.setHeader('Connection', 'close')
    this.#answer(request, response).catch((error: unknown) => {
      this.#log.debug({ err: error }, 'A request of another node ended before its answer.')
      response.destroy()
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { ownKey } = this.#sessions
    const signed = readAuthorization(request.headers.authorization)
    const body = await readBody(request)
    const { method = '', url: path = '', headers } = request
    if (
      signed === null ||
      body === null ||
      !this.#isSound(ownKey, signed, { method, path, body }, request.socket, headers['user-agent'])
    ) {
      response.writeHead(401, { Connection: 'close', 'Content-Length': 0 })
      response.end()
      return
    }
    const answer = this.#answerGreeting(`${method} ${path}`, body)
    if (response.destroyed) return
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answer.body),
      'Posthorn-Signature': answerSignature(ownKey, signed.credential, answer.status, answer.body),
    })
    response.end(answer.body)
  }

  #answerGreeting(route: string, body: Buffer): EncodedAnswer {
    const { state } = this.#options
    switch (route) {
      case 'GET /probe':
        return encodeJson(state())
      case 'POST /session': {
        const { nonce } = JSON.parse(body.toString()) as { nonce: string }
        return encodeJson({ ...this.#sessions.open(nonce), incarnation: state().incarnation })
      }
      default:
        return writeError(new GatewayError('ROUTE_NOT_FOUND'))
    }
  }

  /** Keeps the connection of a node for frames. A stranger learns nothing about this node, and keeps no connection. */
  #openWire(request: IncomingMessage, socket: Socket, first: Buffer): void {
    const signed = readAuthorization(request.headers.authorization)
    const content = { method: request.method ?? '', path: request.url ?? '', body: Buffer.alloc(0) }
    const isWire = content.path === '/wire' && request.headers.upgrade === WIRE_PROTOCOL
    socket.on('error', () => {})
    if (
      this.#isClosing ||
      !isWire ||
      signed === null ||
      !this.#isSound(this.#sessions.ownKey, signed, content, socket, request.headers['user-agent'])
    ) {
      socket.end(REFUSAL)
      return
    }
    socket.write(CONSENT)
    this.#keepWire(socket, first, { sessions: this.#sessions, isSound: this.#isSound })
  }

  #openLocalWire(socket: Socket): void {
    socket.on('error', () => {})
    if (this.#isClosing) socket.destroy()
    else this.#keepWire(socket, Buffer.alloc(0), null)
  }

  #keepWire(socket: Socket, first: Buffer, proof: WireProof | null): void {
    const { bodyMaxBytes = BODY_MAX_BYTES } = this.#options
    const onClosed = (closed: ServedWire): void => void this.#wires.delete(closed)
    this.#wires.add(new ServedWire(socket, first, { calls: this.#calls, proof, bodyMaxBytes, onClosed }))
  }
}

/** Resolves once the server takes connections. @throws the error of the system */
function listening(server: SocketServer, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Resolves when the server has no connection; at once if it does not listen. */
function ended(server: SocketServer): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Returns null when the body is longer than a greeting. */
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
