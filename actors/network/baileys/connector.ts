/**
 * Opens the connections of the network so that they can be ended with nothing of them left behind.
 *
 * A socket that is closed leaves what it has not sent yet to the kernel, which goes on sending it for minutes where the way is blocked: long
 * after another node has logged in for the instance. A reset drops it (RFC 9293, 3.10.5). The library's websocket knows only the TLS
 * stream of a connection, and only the TCP socket under it can be reset.
 */
import { Agent, type AgentOptions } from 'node:https'
import { connect, Socket } from 'node:net'
import { type ConnectionOptions, connect as startTls, TLSSocket } from 'node:tls'

const beneath = new WeakMap<TLSSocket, Socket>()

export class Connector extends Agent {
  constructor(options: AgentOptions = {}) {
    // A connection becomes a websocket at once; none is ever kept for another request.
    super({ ...options, keepAlive: false })
  }

  override createConnection(options: ConnectionOptions): TLSSocket {
    const { host, port, lookup } = options
    const tcp = connect({ host: host ?? 'localhost', port: port ?? 443, ...(lookup === undefined ? {} : { lookup }) })
    const secure = startTls({ ...options, socket: tcp })
    beneath.set(secure, tcp)
    return secure
  }
}

/** Ends it now: what the other side has not been sent yet is dropped. A stream of another make is closed. */
export function reset(stream: unknown): void {
  const socket = stream instanceof TLSSocket ? (beneath.get(stream) ?? stream) : stream
  if (!(socket instanceof Socket)) return
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
