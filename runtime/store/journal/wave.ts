/**
 * Statements that travel together: sent as a whole, with one synchronization at their end, so that PostgreSQL answers all of them at once.
 * A query of `pg` each would have an answer each, to be sent, waited for and read by itself, and the description of its columns in it,
 * which is the same each time.
 */
import pg from 'pg'

// Ours: statements.

/** A statement as its connection knows it: prepared once, or each time if its name is empty. Its columns cannot change: PostgreSQL would refuse to run it (0A000). */
export interface Prepared {
  readonly name: string
  readonly text: string
  isSent: boolean
  /** As soon as one execution was answered. */
  columns: Columns | undefined
}

interface Columns {
  readonly names: readonly string[]
  readonly parsers: readonly ((value: string) => unknown)[]
  /** All columns, null: rows of one shape. */
  readonly empty: Readonly<Record<string, null>>
}

const NONE: Columns = { names: [], parsers: [], empty: {} }

export type Value = Buffer | string | number | null

export interface StatementResult<Row> {
  /** The command as PostgreSQL names it: mostly the first word of the statement. */
  readonly command: string
  readonly rows: readonly Row[]
}

interface Statement {
  readonly prepared: Prepared
  readonly values: readonly Value[]
  /** Prepared with this wave. */
  isFirst: boolean
  columns: Columns | undefined
  command: string
  /** A value that could not be read. */
  unreadable: unknown
  readonly rows: Record<string, unknown>[]
  readonly resolve: (answer: StatementResult<never>) => void
  readonly reject: (error: unknown) => void
}

/** One query to `pg`, whose client calls `submit` and then, with what comes, the handlers. */
export class Wave extends pg.Query {
  readonly #getParser: pg.CustomTypesConfig['getTypeParser']
  readonly #statements: Statement[] = []
  #answered = 0
  /** Set by the client: ends its timer. */
  declare callback?: (error: Error | null) => void

  constructor(getParser: pg.CustomTypesConfig['getTypeParser']) {
    super('')
    this.#getParser = getParser
  }

  add<Row>(prepared: Prepared, values: readonly Value[]): Promise<StatementResult<Row>> {
    return new Promise<StatementResult<Row>>((resolve, reject) => {
      this.#statements.push({
        prepared,
        values,
        isFirst: false,
        columns: undefined,
        command: '',
        unreadable: undefined,
        rows: [],
        resolve,
        reject,
      })
    })
  }

  override submit = (connection: pg.Connection): void => {
    connection.stream.cork()
    for (const statement of this.#statements) send(connection, statement)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const statement = this.#statements[this.#answered]
    if (statement === undefined) return
    statement.columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this.#getParser(dataTypeID, 'text')),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const statement = this.#statements[this.#answered]
    if (statement?.columns === undefined) return
    try {
      statement.rows.push(readRow(statement.columns, fields))
    } catch (error) {
      // Thrown, it would end the process: this is called by the stream.
      statement.unreadable ??= error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const statement = this.#statements[this.#answered++]
    if (statement === undefined) return
    statement.prepared.columns ??= statement.columns ?? NONE
    statement.command = text.split(' ', 1)[0] ?? ''
  }

  /** Settles the requests when the connection is ready for more. */
  handleReadyForQuery(): void {
    this.#resolveAnswered()
    for (const { reject, prepared } of this.#statements.splice(0))
      reject(new Error(`A statement was not answered: ${prepared.text.slice(0, 80)}`))
    this.callback?.(null)
  }

  /** Rejects the statements behind one that failed: PostgreSQL skips them without an answer. */
  handleError(error: Error): void {
    this.#resolveAnswered()
    for (const [index, { prepared, isFirst, reject }] of this.#statements.splice(0).entries()) {
      if (isFirst) prepared.isSent = false
      reject(index === 0 ? error : afterFailure(error))
    }
    this.callback?.(error)
  }

  #resolveAnswered(): void {
    for (const { command, rows, unreadable, resolve, reject } of this.#statements.splice(0, this.#answered)) {
      if (unreadable === undefined) resolve({ command, rows: rows as never[] })
      else reject(unreadable)
    }
    this.#answered = 0
  }
}

function readRow({ names, parsers, empty }: Columns, fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = { ...empty }
  for (let index = 0; index < fields.length; index++) {
    const value = fields[index]
    if (value !== null && value !== undefined) row[names[index] as string] = parsers[index]?.(value)
  }
  return row
}

function send(connection: pg.Connection, statement: Statement): void {
  const { prepared, values } = statement
  const { name, text } = prepared
  if (name === '') {
    // A change of the schema may have changed its columns since.
    prepared.columns = undefined
    connection.parse({ name, text, types: [] }, true)
  } else if (!prepared.isSent) {
    // A statement that failed may have been prepared or not; to close one that is not there is no error.
    connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
    prepared.isSent = true
    statement.isFirst = true
  }
  connection.bind({ statement: name, values: values.map(toParameter) }, true)
  if (prepared.columns === undefined) connection.describe({ type: 'P', name: '' }, true)
  else statement.columns = prepared.columns
  connection.execute(null, true)
}

function toParameter(value: Value): Buffer | string | null {
  return typeof value === 'number' ? String(value) : value
}

/** Makes the error that PostgreSQL gives for a statement in a failed transaction, unless the connection has failed. */
function afterFailure(error: Error): Error {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') return error
  const message = 'current transaction is aborted, commands ignored until end of transaction block'
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code: '25P02', severity: 'ERROR' })
}
