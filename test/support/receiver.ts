/** A webhook receiver that keeps what it got and can be told to refuse. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cleanup } from './embedded.js'

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly body: Record<string, unknown> & { EventType: string; eventId: string; sequence: number }
}

export interface Receiver {
  readonly url: string
  readonly got: readonly Received[]
  of(kind: string): Received[]
  /** What it answers from now on. */
  answer(status: number): void
}

export async function startReceiver(t: Cleanup): Promise<Receiver> {
  const got: Received[] = []
  let status = 200
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    of: (kind) => got.filter(({ body }) => body.EventType === kind),
    answer(next) {
      status = next
    },
  }
}
