import type { DatabaseClientConfig } from '../../connect/database-place.js'
import { connectJournal, type JournalConnection, type Timeouts } from './connection.js'
import { isConnectionLost } from './statement-errors.js'

/** Holds the connection of the journal, and makes a new one after it broke. */
export class ConnectionKeeper {
  readonly #config: DatabaseClientConfig
  readonly #timeouts: Timeouts
  #connection: JournalConnection | undefined

  constructor(config: DatabaseClientConfig, timeouts: Timeouts) {
    this.#config = config
    this.#timeouts = timeouts
  }

  get living(): JournalConnection | undefined {
    return this.#connection?.isAlive ? this.#connection : undefined
  }

  /** @throws Error when PostgreSQL cannot be reached */
  async connect(): Promise<JournalConnection> {
    this.#connection = await connectJournal(this.#config, this.#timeouts)
    return this.#connection
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
