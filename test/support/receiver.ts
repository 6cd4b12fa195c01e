/** A webhook receiver that keeps what it got, and refuses, misbehaves or is away on request. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Cleanup } from './cleanup.js'
import { eventually } from './eventually.js'
import { lastingPort, listenOn } from './port.js'

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly body: Record<string, unknown> & { EventType: string; eventId: string; sequence: number }
}

export interface Receiver {
  readonly url: string
  /** Deliveries that it answered with 2xx. */
  readonly got: readonly Received[]
  /** Requests that came whole, whatever was answered. */
  readonly attempts: number
  of(kind: string): Received[]
  /** Waits for the event of a message with this id; returns the message of the first one. */
  message(id: unknown): Promise<Record<string, unknown>>
  /** Sets its answer. */
  answer(status: number): void
  /** Does this instead of answering, from now on. */
  misbehave(how: ((response: ServerResponse, request: IncomingMessage) => void) | undefined): void
  /** Nothing listens, and what is under way is cut. */
  leave(): Promise<void>
  /** Listens again, on the same port. */
  comeBack(): Promise<void>
}

export async function startReceiver(t: Cleanup): Promise<Receiver> {
  const got: Received[] = []
  let status = 200
  let attempts = 0
  let misbehaviour: ((response: ServerResponse, request: IncomingMessage) => void) | undefined
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      attempts += 1
      if (misbehaviour !== undefined) {
        misbehaviour(response, request)
        return
      }
      if (status < 300) {
        const text = Buffer.concat(parts).toString()
        got.push({
          path: request.url ?? '/',
          headers: request.headers,
          text,
          body: JSON.parse(text) as Received['body'],
        })
      }
      response.statusCode = status
      response.end()
    })
  })
  const port = await lastingPort()
  await listenOn(server, port)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    get attempts() {
      return attempts
    },
    of: (kind) => got.filter(({ body }) => body.EventType === kind),
    async message(id) {
      const records = () => got.filter(({ body }) => body.EventType === 'messages').map(({ body }) => body.message)
      const isIt = (message: unknown) => (message as { messageid: unknown }).messageid === id
      return (await eventually(() => records().find(isIt))) as Record<string, unknown>
    },
    answer(next) {
      misbehaviour = undefined
      status = next
    },
    misbehave(how) {
      misbehaviour = how
    },
    async leave() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async comeBack() {
      await listenOn(server, port)
    },
  }
}
