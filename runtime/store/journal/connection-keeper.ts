import { GatewayError } from '../../../schemas/errors.js'
import type { DatabaseClientConfig } from '../../connect/database-place.js'
import type { ServerIdentity } from '../transaction-outcome.js'
import { connectJournal, type JournalConnection, type Timeouts } from './connection.js'
import { isConnectionLost } from './statement-errors.js'

/**
 * Returns false for a server that is not the one of which this node knows what it has: another primary, or a copy. Nothing is written to it
 * before the node has looked what is missing there.
 */
export type AcceptServer = (server: ServerIdentity) => boolean

/** Holds the connection of the journal, and makes a new one after it broke. */
export class ConnectionKeeper {
  readonly #config: DatabaseClientConfig
  readonly #timeouts: Timeouts
  readonly #accepts: AcceptServer
  #connection: JournalConnection | undefined

  constructor(config: DatabaseClientConfig, timeouts: Timeouts, accepts: AcceptServer = () => true) {
    this.#config = config
    this.#timeouts = timeouts
    this.#accepts = accepts
  }

  get living(): JournalConnection | undefined {
    const connection = this.#connection
    if (connection === undefined || !connection.isAlive) return undefined
    if (this.#accepts(connection.server)) return connection
    connection.close()
    this.#connection = undefined
    return undefined
  }

  /** @throws Error when PostgreSQL cannot be reached; GatewayError when the server that was reached is not accepted */
  async connect(): Promise<JournalConnection> {
    const connection = await connectJournal(this.#config, this.#timeouts)
    if (!this.#accepts(connection.server)) {
      connection.close()
      throw new GatewayError('STORE_UNAVAILABLE', {
        message: 'PostgreSQL has another primary; what it has is being checked.',
      })
    }
    this.#connection = connection
    return connection
  }

  /** Ends the failed transaction. Returns true when the connection is in order again, after an error that concerns a statement only. */
  async recover(connection: JournalConnection, error: unknown): Promise<boolean> {
    const isLost = !connection.isAlive || isConnectionLost(error)
    if (!isLost) {
      try {
        await connection.query('ROLLBACK')
        return true
      } catch {}
    }
    connection.close()
    if (this.#connection === connection) this.#connection = undefined
    return false
  }

  close(): void {
    this.#connection?.close()
  }
}
