import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Target } from './target.js'

// Ours: errors of our own connections.

type Opened = (error: Error | null, socket: Duplex) => void

/** Opens the websocket of one connection through its route. A connection becomes a websocket at once, so none is kept for another request. */
export class TunnelAgent extends HttpAgent {
  /** Compared with the protocol of the request. */
  readonly protocol: string
  readonly defaultPort: number
  readonly #open: (target: Target) => Promise<Socket>

  constructor(open: (target: Target) => Promise<Socket>, isSecure: boolean) {
    super({ keepAlive: false })
    this.protocol = isSecure ? 'https:' : 'http:'
    this.defaultPort = isSecure ? 443 : 80
    this.#open = open
  }

  override createConnection({ host, port }: ClientRequestArgs, opened?: Opened): undefined {
    const bare = (host ?? '').replace(/^\[|\]$/g, '')
    this.#open({ host: bare, port: Number(port ?? this.defaultPort) }).then(
      (socket) => opened?.(null, socket),
      // Node.js reads no stream beside an error.
      (error: unknown) => opened?.(error instanceof Error ? error : new Error('failed'), undefined as never),
    )
    // Node.js waits for the callback.
    return undefined
  }
}
