/** Answers `GET /health` on a port of its own, or on a socket, from a thread that runs while the event loop of the main thread is blocked. */
import { rmSync } from 'node:fs'
import { createServer, get, type Server } from 'node:http'

// Bound: 16,384, the target of a request.

export interface HealthState {
  readonly isOverLimit: boolean
  readonly blockedMs: number
}

export type HealthPlace =
  | { readonly host: string; readonly port: number }
  /** Path of a Unix socket. */
  | { readonly path: string }

/** Probes come one at a time; a stranger's connections must not take the files of the process. */
const CONNECTIONS_MAX = 32
const TIMEOUT_MS = 5_000

export function findWorstHealth(states: readonly HealthState[]): HealthState {
  return {
    isOverLimit: states.some(({ isOverLimit }) => isOverLimit),
    blockedMs: Math.max(0, ...states.map(({ blockedMs }) => blockedMs)),
  }
}

/** @param read Returns the state at the time of the request. @param failed Called when the place cannot be listened on */
export function serveHealth(
  place: HealthPlace,
  read: () => HealthState | Promise<HealthState>,
  failed: (error: NodeJS.ErrnoException) => void,
): Server {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    response.setHeader('connection', 'close')
    response.setHeader('cache-control', 'no-store')
    if (request.url?.split('?', 1)[0] !== '/health') return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
    void Promise.resolve(read()).then(
      ({ isOverLimit, blockedMs }) => {
        response.writeHead(isOverLimit ? 503 : 200, { 'content-type': 'application/json; charset=utf-8' })
        response.end(JSON.stringify({ status: isOverLimit ? 'blocked' : 'ok', blockedMs: Math.round(blockedMs) }))
      },
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = CONNECTIONS_MAX
  server.on('error', failed)
  // A killed process leaves its socket.
  if ('path' in place) rmSync(place.path, { force: true })
  return server.listen(place)
}

const ASK_MS = 1_000
const ANSWER_BYTES_MAX = 1_000

/** Returns the state that the thread of another process answers on its socket; null if it does not: a process that starts has none. */
export function askHealth(path: string): Promise<HealthState | null> {
  return new Promise((resolve) => {
    const request = get({ socketPath: path, path: '/health', timeout: ASK_MS }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
        if (text.length > ANSWER_BYTES_MAX) request.destroy()
      })
      response.once('close', () => resolve(stateFrom(response.statusCode, text)))
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(null))
  })
}

function stateFrom(status: number | undefined, text: string): HealthState | null {
  try {
    const { blockedMs } = JSON.parse(text) as { blockedMs?: unknown }
    return typeof blockedMs === 'number' ? { isOverLimit: status === 503, blockedMs } : null
  } catch {
    return null
  }
}
