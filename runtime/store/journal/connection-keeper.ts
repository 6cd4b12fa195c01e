import { GatewayError } from '../../../schemas/errors.js'
import type { DatabaseClientConfig } from '../../connect/database-place.js'
import type { ServerIdentity } from '../transaction-outcome.js'
import { connectJournal, type JournalConnection, type Timeouts } from './connection.js'
import { isConnectionLost } from './statement-errors.js'

/** Decides whether a server has all that this node has stored. Nothing is written to it before. */
export interface ServerCheck {
  /** Returns false for a server that is not the one that the node uses, as after a failover. */
  isCurrent(server: ServerIdentity): boolean
  /** Looks what the server of a new connection has. Returns false when that did not become known in time. */
  look(): Promise<boolean>
}

/** Holds the connection of the journal, and makes a new one after it broke. */
export class ConnectionKeeper {
  readonly #config: DatabaseClientConfig
  readonly #timeouts: Timeouts
  readonly #check: ServerCheck | undefined
  #connection: JournalConnection | undefined

  constructor(config: DatabaseClientConfig, timeouts: Timeouts, check?: ServerCheck) {
    this.#config = config
    this.#timeouts = timeouts
    this.#check = check
  }

  get living(): JournalConnection | undefined {
    const connection = this.#connection
    if (connection === undefined || !connection.isAlive) return undefined
    if (this.#check?.isCurrent(connection.server) !== false) return connection
    connection.close()
    this.#connection = undefined
    return undefined
  }

  /** @throws Error when PostgreSQL cannot be reached; GatewayError when the server that was reached is not accepted */
  async connect(): Promise<JournalConnection> {
    const connection = await connectJournal(this.#config, this.#timeouts)
    if (this.#check !== undefined && !((await this.#check.look()) && this.#check.isCurrent(connection.server))) {
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
