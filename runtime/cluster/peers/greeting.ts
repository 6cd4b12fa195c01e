/** What is said over a connection of its own: one request and its answer, or the wish to keep the connection as a wire. */
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'

export interface Answered {
  readonly type: 'answered'
  readonly status: number
  readonly signature: string
  readonly body: Buffer
}

/**
 * `refused`: nobody listens at the address. `unreachable`: there is no connection for another reason. `reset`: it broke. `silent`: no
 * sign of life. `late`: no answer within the time. `aborted`: by the caller. `garbled`: no answer of a node of ours.
 */
export type LostWhy = 'refused' | 'unreachable' | 'reset' | 'silent' | 'late' | 'aborted' | 'garbled'

export interface Lost {
  readonly type: 'lost'
  readonly why: LostWhy
  /** False: surely nothing of the request has left, so nothing was done. */
  readonly wasSent: boolean
}

export interface Greeting {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly authorization: string
  /** Who asks, for the logs of who is asked. */
  readonly from: string
  readonly body: string
  readonly timeoutMs: number
}

/** The protocol that a connection is kept for (RFC 9110, 7.8). */
export const WIRE_PROTOCOL = 'posthorn-peer'

const ANSWER_MAX_BYTES = 64 * 1_024

/** Never rejects. What was asked so may be asked again: it changes nothing. */
export function greet(address: string, greeting: Greeting): Promise<Answered | Lost> {
  return overOwnConnection<Answered>(address, greeting, {}, (asked, settle) => {
    asked.once('response', (response) => void readAnswer(response).then(settle, () => settle(lost('garbled'))))
  })
}

/** Resolves with the connection, kept open and spoken over by frames. Never rejects. */
export function askForWire(address: string, greeting: Greeting): Promise<KeptConnection | Lost> {
  const headers = { connection: 'Upgrade', upgrade: WIRE_PROTOCOL }
  return overOwnConnection<KeptConnection>(address, greeting, headers, (asked, settle) => {
    asked.once('upgrade', (_response, socket, first) => settle({ type: 'kept', socket: socket as Socket, first }))
    // A node that leaves opens none.
    asked.once('response', () => settle(lost('unreachable')))
  })
}

export interface KeptConnection {
  readonly type: 'kept'
  readonly socket: Socket
  /** What came with the consent. */
  readonly first: Buffer
}

function overOwnConnection<Outcome extends { readonly type: string }>(
  address: string,
  { method, path, authorization, from, body, timeoutMs }: Greeting,
  headers: Readonly<Record<string, string>>,
  listen: (asked: ClientRequest, settle: (outcome: Outcome | Lost) => void) => void,
): Promise<Outcome | Lost> {
  return new Promise((resolve) => {
    const asked = request({
      ...placeOf(address),
      method,
      path,
      agent: false,
      headers: { ...headers, authorization, 'user-agent': `posthorn ${from}`, 'content-type': 'application/json' },
    })
    const timer = setTimeout(() => settle(lost('silent')), timeoutMs)
    const settle = (outcome: Outcome | Lost): void => {
      clearTimeout(timer)
      resolve(outcome)
      if (outcome.type !== 'kept') asked.destroy()
    }
    let wasConnected = false
    asked.once('socket', (socket) =>
      socket.once('connect', () => {
        wasConnected = true
      }),
    )
    asked.on('error', (error) => settle(lost(whyOf(error, wasConnected))))
    listen(asked, settle)
    asked.end(body)
  })
}

async function readAnswer(response: IncomingMessage): Promise<Answered> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > ANSWER_MAX_BYTES) throw new Error('No greeting has so long an answer.')
    parts.push(part)
  }
  const signature = String(response.headers['posthorn-signature'] ?? '')
  return { type: 'answered', status: response.statusCode ?? 0, signature, body: Buffer.concat(parts) }
}

function placeOf(address: string): RequestOptions {
  const { hostname, port } = new URL(`http://${address}`)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 80 : Number(port) }
}

function lost(why: LostWhy): Lost {
  return { type: 'lost', why, wasSent: false }
}

function whyOf(error: Error, wasConnected: boolean): LostWhy {
  if (codeOf(error) === 'ECONNREFUSED') return 'refused'
  return wasConnected ? 'reset' : 'unreachable'
}

/** Where a name has several addresses, each has its own error. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) {
    const codes = new Set(error.errors.map(codeOf))
    return codes.size === 1 ? [...codes][0] : undefined
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
