/**
 * The journal's own connection: statements are sent without waiting for each other's results, and run in order.
 * They are prepared once per connection: parsing and planning a dozen statements of forty columns costs PostgreSQL three times
 * as much as running them for one message (bench/journal.ts: 4.6 ms against 1.3 ms for a message by itself). So the journal needs
 * a connection of its own, not one of a pooler that changes it between transactions; so does the owner's lock.
 */
import type { Socket } from 'node:net'
import pg from 'pg'

/** What a transaction needs of its connection. */
export interface Statements {
  /** Sent at once; without values it begins or ends a transaction. A failure needs no handler of its own: the commit that follows fails too. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>>
}

export interface JournalConnection extends Statements {
  /** False once the connection broke; what was under way has failed or its outcome is unknown. */
  readonly isAlive: boolean
  close(): void
}

/**
 * A process that stands still in a transaction holds locks on the epochs of its shards, and nobody could claim them after its death.
 * Less than the time after which it is declared dead.
 */
const STANDSTILL_MAX_MS = 3_000

/** One plan for all values: planning for certain ones would cost more than running, each time. Nothing here gains by compilation. */
const SETTINGS = 'SET plan_cache_mode = force_generic_plan; SET jit = off'
/**
 * A prepared statement keeps the plan that was made when its tables were small, until PostgreSQL has analysed them, which may take a
 * minute or more: after 20,000 messages in a young database each change of a status read all of them. So plans are made anew when twice
 * as much has been written as before.
 */
const FIRST_REPLAN_BYTES = 64 * 2 ** 10

/**
 * @throws Error when the database cannot be reached
 */
export async function connectJournal(config: pg.ClientConfig, timeoutMs: number): Promise<JournalConnection> {
  // A statement that is not answered in time destroys the connection, and with it what was pipelined behind it.
  const client = new pg.Client({
    ...config,
    pipeline: true,
    query_timeout: timeoutMs,
    idle_in_transaction_session_timeout: STANDSTILL_MAX_MS,
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
  await client.query(SETTINGS).catch((error: unknown) => {
    client.end().catch(() => {})
    throw error
  })
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let isCorked = false
  let replanAtBytes = FIRST_REPLAN_BYTES

  /** Statements that are sent in one turn leave in one write. */
  function corkForThisTurn(): void {
    if (isCorked) return
    isCorked = true
    stream.cork()
    process.nextTick(() => {
      isCorked = false
      stream.uncork()
    })
  }

  return {
    get isAlive() {
      return isAlive
    },
    query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) {
      corkForThisTurn()
      const isBoundary = values === undefined
      if (isBoundary && stream.bytesWritten >= replanAtBytes) {
        replanAtBytes = 2 * stream.bytesWritten
        client.query('DISCARD PLANS').catch(() => {})
      }
      const answered = client.query<Row>(isBoundary ? text : { name: nameOf(text), text, values: values as unknown[] })
      answered.catch(() => {})
      return answered
    },
    close() {
      isAlive = false
      client.end().catch(() => {})
    },
  }
}

const names = new Map<string, string>()

/** Our statements are constants, so there are few. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `journal_${names.size}`
    names.set(text, name)
  }
  return name
}
