/**
 * The journal's own connection: statements are sent without waiting for each other's results, and run in order.
 * They are prepared once per connection: parsing and planning a dozen statements of forty columns costs PostgreSQL three times
 * as much as running them for one message (bench/journal.ts: 4.6 ms against 1.3 ms for a message by itself). Behind a pooler that changes the
 * session between transactions they have no name, and each transaction brings its settings with it.
 */

import type { Socket } from 'node:net'
import pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import type { DatabaseClientConfig } from '../../connect/database-place.js'
import { readIdentity, type ServerIdentity } from '../transaction-outcome.js'
import { isConnectionLost } from './statement-errors.js'
import { type Prepared, type StatementResult, type Value, Wave } from './wave.js'

/** The statements of a transaction. */
export interface Statements {
  /**
   * Sent with all that is asked for in the same turn; without values it begins or ends a transaction. A failure needs no handler of its
   * own: the commit that follows fails too.
   */
  query<Row>(text: string, values?: readonly Value[]): Promise<StatementResult<Row>>
}

export interface JournalConnection extends Statements {
  /** False once the connection broke; what was under way has failed or its outcome is unknown. */
  readonly isAlive: boolean
  readonly server: ServerIdentity
  close(): void
}

interface Timeouts {
  readonly statementMs: number
  /** Maximum wait of a statement for a row or table that another transaction has locked. */
  readonly lockMs: number
}

/**
 * A process that stands still in a transaction holds locks on the epochs of its shards, and nobody could claim them after its death.
 * Less than the time after which it is declared dead.
 */
const STANDSTILL_MAX_MS = 3_000

/** PostgreSQL ends a statement that takes too long; when nothing comes for so much longer, the connection is given up. */
const ANSWER_MARGIN_MS = 5_000

/** One plan for all values: planning for certain ones would cost more than running, each time. Nothing here gains by compilation. */
const settings = ({ statementMs, lockMs }: Timeouts): readonly (readonly [name: string, value: string])[] => [
  ['plan_cache_mode', 'force_generic_plan'],
  ['jit', 'off'],
  ['statement_timeout', String(Math.trunc(statementMs))],
  ['lock_timeout', String(Math.trunc(lockMs))],
  ['idle_in_transaction_session_timeout', String(STANDSTILL_MAX_MS)],
]

/** Makes one statement of all settings, for the session or for one transaction. */
function settingsStatement(timeouts: Timeouts, isLocal: boolean): string {
  return `SELECT ${settings(timeouts)
    .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
    .join(', ')}`
}

/**
 * A prepared statement keeps the plan that was made when its tables were small, until PostgreSQL has analysed them, which may take a
 * minute or more: after 20,000 messages in a young database each change of a status read all of them. So plans are made again when twice
 * as much has been written as before.
 */
const FIRST_REPLAN_BYTES = 64 * 2 ** 10

/**
 * @throws Error when the database cannot be reached
 */
export async function connectJournal(config: DatabaseClientConfig, timeouts: Timeouts): Promise<JournalConnection> {
  // A statement that is not answered in time destroys the connection, with all statements behind it.
  const { isPooled = false, ...clientConfig } = config
  const client = new pg.Client({
    ...clientConfig,
    pipeline: true,
    query_timeout: timeouts.statementMs + ANSWER_MARGIN_MS,
    application_name: 'posthorn journal',
  } as pg.ClientConfig)
  let isAlive = true
  client.on('error', () => {
    isAlive = false
  })
  client.on('end', () => {
    isAlive = false
  })
  await client.connect()
  if (!isPooled)
    await client.query(settingsStatement(timeouts, false)).catch((error: unknown) => {
      client.end().catch(() => {})
      throw error
    })
  const ofTransaction = settingsStatement(timeouts, true)
  const server = { ...(await readIdentity(client)), mayBeOld: isPooled }
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const findParser = (config.types ?? pg.types).getTypeParser
  const prepared = new Map<string, Prepared>()
  let wave: Wave | undefined
  let replanAtBytes = FIRST_REPLAN_BYTES

  /** Our statements are constants, so there are few. */
  function prepareStatementFor(text: string): Prepared {
    let known = prepared.get(text)
    if (known === undefined) {
      known = { name: isPooled ? '' : `journal_${prepared.size}`, text, isSent: false, columns: undefined }
      prepared.set(text, known)
    }
    return known
  }

  /** Gathers the statements of one turn of the event loop, which leave in one write. */
  function waveOfThisTurn(): Wave {
    if (wave !== undefined) return wave
    const gathering = new Wave(findParser)
    wave = gathering
    process.nextTick(() => {
      if (wave === gathering) wave = undefined
      client.query(gathering)
    })
    return gathering
  }

  return {
    get isAlive() {
      return isAlive
    },
    server,
    query<Row>(text: string, values?: readonly Value[]) {
      if (!isPooled && values === undefined && stream.bytesWritten >= replanAtBytes) {
        replanAtBytes = 2 * stream.bytesWritten
        client.query('DISCARD PLANS').catch(() => {})
      }
      // PostgreSQL skips the statements of a wave behind one that fails: the end of a failed transaction travels alone.
      const isAlone = text === 'ROLLBACK'
      if (isAlone) wave = undefined
      const answered = waveOfThisTurn().add<Row>(prepareStatementFor(text), values ?? [])
      if (isAlone) wave = undefined
      answered.catch(() => {})
      if (isPooled && text === 'BEGIN')
        waveOfThisTurn()
          .add(prepareStatementFor(ofTransaction), [])
          .catch(() => {})
      return answered
    },
    close() {
      isAlive = false
      client.end().catch(() => {})
    },
  }
}

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
