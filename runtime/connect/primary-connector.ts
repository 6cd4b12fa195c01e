import { connect as connectTcp, type Socket, Socket as TcpSocket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { AbstractConnector, type RedisOptions } from 'ioredis'
import type { FindPrimary } from './primary.js'
import type { Address } from './redis-place.js'

/**
 * Connects for ioredis, and listens for errors as long as the socket lives. The library listens once; but TLS may tell a second one, such as
 * the alert of a server whose certificate was refused (`_emitTLSError` of Node.js), and without a listener that would end the process.
 */
abstract class LastingConnector extends AbstractConnector {
  readonly options: RedisOptions

  constructor(options: unknown) {
    super((options as RedisOptions).disconnectTimeout ?? 0)
    this.options = options as RedisOptions
  }

  async connect(): Promise<Socket | TLSSocket> {
    this.connecting = true
    const stream = await this.open()
    stream.once('error', (error) => {
      this.firstError = error
    })
    stream.on('error', () => {})
    this.stream = stream
    return stream
  }

  protected abstract open(): Promise<Socket | TLSSocket>
}

/** Makes a connection to the server that its options name, with TLS. */
export class TlsConnector extends LastingConnector {
  protected async open(): Promise<TLSSocket | Socket> {
    const { host = 'localhost', port = 6379, tls } = this.options
    // As the library does: what ends the connection in the same moment is heard of.
    await Promise.resolve()
    return this.connecting ? connectTls({ host, port, ...tls }) : new TcpSocket().destroy()
  }
}

/**
 * Makes a connection of ioredis ask, each time that it connects, where the primary is. That nobody knows is a failed attempt like any
 * other, so that commands fail as they do when a single server is away; ioredis' own way with Sentinels tries for ever meanwhile.
 */
export function primaryConnector(
  find: FindPrimary,
  tlsTo: (address: Address) => ConnectionOptions | undefined,
): { readonly Connector: NonNullable<RedisOptions['Connector']>; connectedTo(): Address | undefined } {
  let present: Address | undefined

  class PrimaryConnector extends LastingConnector {
    protected async open(): Promise<Socket | TLSSocket> {
      present = undefined
      try {
        const address = await find()
        if (!this.connecting) return new TcpSocket().destroy()
        present = address
        const tls = tlsTo(address)
        return tls === undefined ? connectTcp(address) : connectTls({ ...address, ...tls })
      } catch (error) {
        this.firstError = error as Error
        return new TcpSocket().destroy()
      }
    }
  }

  return { Connector: PrimaryConnector, connectedTo: () => present }
}
