/**
 * Opens connections to the network that can be reset.
 *
 * If a socket is closed, the kernel goes on sending its buffered bytes, on a blocked route for minutes: long after another node has logged in for
 * the instance. A reset drops them (RFC 9293, 3.10.5). The library's websocket knows only the TLS stream of a connection, but only the TCP
 * socket under it can be reset.
 */
import { Agent, type AgentOptions } from 'node:https'
import { connect, Socket } from 'node:net'
import { type ConnectionOptions, rootCertificates, connect as startTls, TLSSocket } from 'node:tls'
import { findBottom, noteBeneath } from '../route/beneath.js'

export class Connector extends Agent {
  constructor(options: AgentOptions = {}) {
    // A connection becomes a websocket at once, so none is kept for another request.
    super({ ...options, keepAlive: false })
  }

  override createConnection(options: ConnectionOptions): TLSSocket {
    const { host, port, lookup } = options
    const tcp = connect({ host: host ?? 'localhost', port: port ?? 443, ...(lookup === undefined ? {} : { lookup }) })
    const secure = startTls({ ...options, socket: tcp })
    noteBeneath(secure, tcp)
    return secure
  }
}

/** Makes the connector for a network. `authority`: its own root certificate in PEM, if no public authority has signed its certificate. */
export function connectorFor(authority: string | undefined): Connector {
  return new Connector(authority === undefined ? {} : { ca: [...rootCertificates, authority] })
}

/** Ends a connection now, and drops its unsent bytes. A TLS stream that the connector did not open is closed instead. */
export function reset(stream: unknown): void {
  const socket = findBottom(stream)
  if (!(socket instanceof Socket)) return
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
