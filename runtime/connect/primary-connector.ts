import { connect as connectTcp, type Socket, Socket as TcpSocket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { AbstractConnector, type RedisOptions } from 'ioredis'
import type { FindPrimary } from './primary.js'
import type { Address } from './redis-place.js'

/**
 * Makes a connection of ioredis ask, each time that it connects, where the primary is. That nobody knows is a failed attempt like any
 * other, so that commands fail as they do when a single server is away; ioredis' own way with Sentinels tries for ever meanwhile.
 */
export function primaryConnector(
  find: FindPrimary,
  tlsTo: (address: Address) => ConnectionOptions | undefined,
): { readonly Connector: NonNullable<RedisOptions['Connector']>; connectedTo(): Address | undefined } {
  let present: Address | undefined

  class PrimaryConnector extends AbstractConnector {
    constructor(options: unknown) {
      super((options as RedisOptions).disconnectTimeout ?? 0)
    }

    async connect(): Promise<Socket | TLSSocket> {
      this.connecting = true
      present = undefined
      const stream = await this.#open()
      stream.once('error', (error) => {
        this.firstError = error
      })
      this.stream = stream
      return stream
    }

    async #open(): Promise<Socket | TLSSocket> {
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
