/** Runs the HTTP server under the API: its time and size limits, and an end that cuts no call short. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { GatewayError } from '../schemas/errors.js'
import { errorBody } from './middleware/error-boundary.js'
import { SECURITY_HEADERS } from './middleware/security-headers.js'
import type { ApiOptions } from './options.js'

export interface ApiServer {
  /** Resolves with the port, once connections are taken. `port: 0` takes a free one. */
  listen(where: { host: string; port: number }): Promise<{ port: number }>
  /** Makes each answer end its connection from now on, so that its client connects again, through a balancer to another node. */
  dismiss(): void
  /** Takes no more connections, lets calls finish for `closeTimeoutMs`, then cuts the others. */
  close(): Promise<void>
}

const refusedLingerMs = 2_000
/** An unread body of this size is read and thrown away, since that costs less than another connection. */
const UNREAD_MAX_BYTES = 65_536
/** Part of all connections, of 1, that is made free at once when there is no room for another. */
const FREED = 0.01

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export function createApiServer(handler: Handler, options: ApiOptions): ApiServer {
  let isLeaving = false
  const sockets = new Connections(options.connectionsMax)
  const { busy } = sockets
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    busy.add(socket)
    response.once('close', () => busy.delete(socket))
    if (isLeaving) response.setHeader('Connection', 'close')
    leaveUnread(request, response)
    handler(request, response)
  }
  const server = createServer({ maxHeaderSize: options.headersBytesMax, connectionsCheckingInterval: 1_000 }, handle)
  server.requestTimeout = options.requestTimeoutMs
  server.headersTimeout = Math.min(options.headersTimeoutMs, options.requestTimeoutMs)
  server.keepAliveTimeout = options.keepAliveTimeoutMs
  server.maxConnections = options.connectionsMax
  // Without these, Node.js would invite a large body before the token is checked, or refuse without JSON.
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('clientError', refuseClient)
  server.on('connection', (socket: Socket) => sockets.add(socket))

  return {
    listen: (where) => listen(server, where),
    dismiss() {
      isLeaving = true
    },
    close() {
      isLeaving = true
      return close(server, options.closeTimeoutMs, () => sockets.endIdle())
    },
  }
}

/**
 * The open connections, by address. Before they are too many, those end that carry no call, of the address that has the most: an address that
 * opens all that it can, and asks for nothing, shuts nobody out.
 */
class Connections {
  /** Those with a call under way. */
  readonly busy = new Set<Socket>()
  readonly #byAddress = new Map<string, Set<Socket>>()
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const own = this.#byAddress.get(address) ?? new Set()
    this.#byAddress.set(address, own.add(socket))
    this.#count += 1
    socket.once('close', () => {
      this.#count -= 1
      own.delete(socket)
      if (own.size === 0 && this.#byAddress.get(address) === own) this.#byAddress.delete(address)
    })
    if (this.#count >= this.#max) this.#makeRoom(socket)
  }

  endIdle(): void {
    for (const own of this.#byAddress.values()) for (const socket of own) if (!this.busy.has(socket)) socket.destroy()
  }

  #makeRoom(newest: Socket): void {
    let most: ReadonlySet<Socket> = new Set()
    for (const own of this.#byAddress.values()) if (own.size > most.size) most = own
    let left = Math.max(1, Math.floor(this.#max * FREED))
    for (const socket of most) {
      if (left === 0) return
      if (socket === newest || this.busy.has(socket)) continue
      socket.destroy()
      left -= 1
    }
  }
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject)
      resolve({ port: (server.address() as AddressInfo).port })
    })
  })
}

function close(server: Server, timeoutMs: number, closeIdle: () => void): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    // Looks for idle connections until none is left: one whose last call began before the end stays open after it. Node.js itself does
    // not count a connection as idle that has made no request yet, such as those that clients open in advance.
    const sweep = setInterval(closeIdle, 50)
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
  })
}

/**
 * Ends the connection of a call that is answered before its larger body has come. Node.js would read all that the caller sends and throw it
 * away, which costs as much as a call that does something, and needs no token.
 */
function leaveUnread(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && Number(length) <= UNREAD_MAX_BYTES) return
  // From now on the body waits in a buffer of some kilobytes, and Node.js leaves it to us.
  request.read(0)
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
  response.writeHead = (...given: unknown[]): ServerResponse => {
    if (!request.complete) endAfter(request, response)
    return writeHead(...given)
  }
}

/** Tells the caller that the connection ends with this answer, so that it sends nothing else over it. */
function endAfter(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  response.setHeader('Connection', 'close')
  // Not at once, as Node.js does: that would take the answer from a caller that is still sending.
  socket.destroySoon = () => {
    request.pause()
    socket.end()
    setTimeout(() => socket.destroy(), refusedLingerMs).unref()
  }
}

/** Answers input that is no HTTP, and so never becomes a request, in the same form as everything else. */
function refuseClient(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const told = clientError(error.code)
  const body = JSON.stringify(errorBody(told))
  const guarding = Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${told.status} ${STATUS_CODES[told.status]}\r\nContent-Type: application/json; charset=utf-8\r\n${guarding.join('')}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // Leaves the end of the connection to the client, but not for long.
  setTimeout(() => socket.destroy(), refusedLingerMs).unref()
}

function clientError(code: string | undefined): GatewayError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError('HEADERS_TOO_LARGE')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GatewayError('REQUEST_TIMEOUT')
    default:
      return new GatewayError('MALFORMED_HTTP')
  }
}
