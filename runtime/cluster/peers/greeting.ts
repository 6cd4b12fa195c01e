/** Requests over a connection of their own: one request and its answer, or the request to keep the connection as a wire. */
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'
import { type Answered, type LossReason, type LostCall, notSent } from './answer.js'

// Ours: addresses and errors of our own nodes.

export interface Greeting {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly authorization: string
  /** NODE_ID of the caller, for the logs of the other node. */
  readonly from: string
  readonly body: string
  readonly timeoutMs: number
}

/** The protocol that a connection is kept for (RFC 9110, 7.8). */
export const WIRE_PROTOCOL = 'posthorn-peer'

const ANSWER_MAX_BYTES = 64 * 1_024

/** Sends one request. Never rejects. A greeting may be repeated, since it changes nothing. */
export function greet(address: string, greeting: Greeting): Promise<Answered | LostCall> {
  return overOwnConnection<Answered>(address, greeting, {}, (asked, settle) => {
    asked.once('response', (response) => void readAnswer(response).then(settle, () => settle(notSent('garbled'))))
  })
}

/** Opens a connection that is kept for frames. Never rejects. */
export function requestWire(address: string, greeting: Greeting): Promise<KeptConnection | LostCall> {
  const headers = { connection: 'Upgrade', upgrade: WIRE_PROTOCOL }
  return overOwnConnection<KeptConnection>(address, greeting, headers, (asked, settle) => {
    asked.once('upgrade', (_response, socket, first) => settle({ type: 'kept', socket: socket as Socket, first }))
    // A node that leaves refuses new wires.
    asked.once('response', () => settle(notSent('unreachable')))
  })
}

export interface KeptConnection {
  readonly type: 'kept'
  readonly socket: Socket
  /** Bytes that arrived together with the consent. */
  readonly first: Buffer
}

function overOwnConnection<Outcome extends { readonly type: string }>(
  address: string,
  { method, path, authorization, from, body, timeoutMs }: Greeting,
  headers: Readonly<Record<string, string>>,
  listen: (asked: ClientRequest, settle: (outcome: Outcome | LostCall) => void) => void,
): Promise<Outcome | LostCall> {
  return new Promise((resolve) => {
    const asked = request({
      ...toRequestOptions(address),
      method,
      path,
      agent: false,
      headers: { ...headers, authorization, 'user-agent': `posthorn ${from}`, 'content-type': 'application/json' },
    })
    const timer = setTimeout(() => settle(notSent('silent')), timeoutMs)
    const settle = (outcome: Outcome | LostCall): void => {
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
    asked.on('error', (error) => settle(notSent(findLossReason(error, wasConnected))))
    listen(asked, settle)
    asked.end(body)
  })
}

async function readAnswer(response: IncomingMessage): Promise<Answered> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > ANSWER_MAX_BYTES) throw new Error('The answer is too long for a greeting.')
    parts.push(part)
  }
  const signature = String(response.headers['posthorn-signature'] ?? '')
  return { type: 'answered', status: response.statusCode ?? 0, signature, body: Buffer.concat(parts) }
}

function toRequestOptions(address: string): RequestOptions {
  const { hostname, port } = new URL(`http://${address}`)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 80 : Number(port) }
}

function findLossReason(error: Error, wasConnected: boolean): LossReason {
  if (findCode(error) === 'ECONNREFUSED') return 'refused'
  return wasConnected ? 'reset' : 'unreachable'
}

/** Returns the code of an error. If a name has several addresses, each has its own error, and they must agree. */
function findCode(error: unknown): string | undefined {
  if (error instanceof AggregateError) {
    const codes = new Set(error.errors.map(findCode))
    return codes.size === 1 ? [...codes][0] : undefined
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
