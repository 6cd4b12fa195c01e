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
  /** Makes each answer end its connection from now on, so that its client connects anew, through a balancer to another node. */
  dismiss(): void
  /** Takes no more connections, lets calls finish for `closeTimeoutMs`, then cuts the others. */
  close(): Promise<void>
}

const refusedLingerMs = 2_000

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export function createApiServer(handler: Handler, options: ApiOptions): ApiServer {
  let isLeaving = false
  const sockets = new Set<Socket>()
  const busy = new Set<Socket>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    busy.add(socket)
    response.once('close', () => busy.delete(socket))
    if (isLeaving) response.setHeader('Connection', 'close')
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
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    listen: (where) => listen(server, where),
    dismiss() {
      isLeaving = true
    },
    close() {
      isLeaving = true
      return close(server, options.closeTimeoutMs, () => {
        for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
      })
    },
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
