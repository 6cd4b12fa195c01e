import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

const beneath = new WeakMap<TLSSocket, Socket>()

/** Notes the connection under a TLS stream. Only the TCP socket at the bottom can be reset. */
export function noteBeneath(secure: TLSSocket, socket: Socket): void {
  beneath.set(secure, socket)
}

/** Returns the connection at the bottom of a stream, or the stream itself. */
export function findBottom(stream: unknown): unknown {
  let lowest = stream
  while (lowest instanceof TLSSocket) {
    const under = beneath.get(lowest)
    if (under === undefined) break
    lowest = under
  }
  return lowest
}
