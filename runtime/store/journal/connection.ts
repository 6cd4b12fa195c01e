/** The journal's own connection: statements are sent without waiting for each other's results, and run in order. */
import pg from 'pg'

/** What a transaction needs of its connection. */
export interface Statements {
  /** Sent at once. A failure needs no handler of its own: the commit that follows fails too. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>>
}

export interface JournalConnection extends Statements {
  /** False once the connection broke; what was under way has failed or its outcome is unknown. */
  readonly isAlive: boolean
  close(): void
}

/**
 * @throws Error when the database cannot be reached
 */
export async function connectJournal(config: pg.ClientConfig, timeoutMs: number): Promise<JournalConnection> {
  // A statement that is not answered in time destroys the connection, and with it what was pipelined behind it.
  const client = new pg.Client({
    ...config,
    pipeline: true,
    query_timeout: timeoutMs,
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
  const names = new Map<string, string>()
  return {
    get isAlive() {
      return isAlive
    },
    query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) {
      let name = names.get(text)
      if (name === undefined && values !== undefined) names.set(text, (name = `j${names.size}`))
      const answered = values === undefined ? client.query<Row>(text) : client.query<Row>({ name: name!, text, values: values as unknown[] })
      answered.catch(() => {})
      return answered
    },
    close() {
      isAlive = false
      client.end().catch(() => {})
    },
  }
}
