/** An instance as lines of JSON: a head, each row as `[table, row]`, and how many there were of each. */
import type pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { CarriedParts } from '../../../schemas/ports/transfer.js'
import type { Encryption } from '../encryption.js'
import { laneFor } from '../shared-pool.js'
import { CARRIED_TABLES, type CarriedTable } from './carried-tables.js'
import { withoutFileNames } from './file-names.js'
import { LINE_BYTES_MAX } from './lines.js'
import { readColumns } from './row-checks.js'

// Ours: rows on the way of an administrator, of at most 60,000 values each.

/** A page grows and shrinks so that it holds about so much, whatever the rows hold. */
const PAGE_CHARS = 2 * 2 ** 20
const PAGE_ROWS_MAX = 200

/** The first line. */
export interface TransferHead {
  readonly instance: string
  /** The schema of the database that it comes from. */
  readonly schema: number
  /** UTC. */
  readonly made: string
  /** Columns of the rows of each table. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

/**
 * All of one moment: one transaction that sees what was there when it began.
 * @throws GatewayError INSTANCE_CONNECTED when the instance is not marked as exported: its keys would move on meanwhile
 */
export async function* readInstanceData(
  pool: pg.Pool,
  encryption: Encryption,
  id: InstanceId,
  parts: CarriedParts,
): AsyncGenerator<Buffer> {
  const client = await laneFor(pool, 'long').connect()
  let failure: unknown
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await client.query<{ exported: boolean; schema: number }>(
      'SELECT exported_at IS NOT NULL AS exported, (SELECT max(version) FROM migration) AS schema FROM instance WHERE id = $1',
      [id],
    )
    if (rows[0]?.exported !== true) throw new GatewayError('INSTANCE_CONNECTED')
    const tables = CARRIED_TABLES.filter(({ option }) => option === undefined || parts[option])
    const columns: Record<string, readonly string[]> = {}
    for (const table of tables) columns[table.name] = (await readColumns(client, table)).map(({ name }) => name)
    const head: TransferHead = { instance: id, schema: rows[0].schema, made: new Date().toISOString(), columns }
    yield Buffer.from(`${JSON.stringify(head)}\n`)
    const counts: Record<string, number> = {}
    for (const table of tables) {
      counts[table.name] = 0
      for await (const page of readPages(client, table, columns[table.name] ?? [], id)) {
        counts[table.name] = (counts[table.name] ?? 0) + page.length
        yield Buffer.concat(page.map((row) => formatLine(table, opened(withoutFiles(row, table), table, encryption))))
      }
    }
    yield Buffer.from(`${JSON.stringify(['end', counts])}\n`)
  } catch (error) {
    failure = error
    throw error
  } finally {
    await rollBackAndRelease(client, failure)
  }
}

/** @throws Error for a row that no import would take: better here, where the account still is */
function formatLine({ name }: CarriedTable, json: string): Buffer {
  const line = Buffer.from(`["${name}",${json}]\n`)
  if (line.length > LINE_BYTES_MAX)
    throw new Error(`A row of ${name} has ${line.length} bytes, more than an export holds.`)
  return line
}

async function* readPages(
  client: pg.ClientBase,
  { name, instance, order, only = 'true' }: CarriedTable,
  columns: readonly string[],
  id: InstanceId,
): AsyncGenerator<readonly string[]> {
  const list = columns.map((column) => `"${column}"`).join(', ')
  await client.query(
    `DECLARE carried NO SCROLL CURSOR FOR
     SELECT row_to_json(r)::text AS row FROM (SELECT ${list} FROM ${name} WHERE ${instance} = $1 AND ${only} ORDER BY ${order}) AS r`,
    [id],
  )
  for (let wanted = 8; ; ) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${wanted} FROM carried`)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < wanted) break
    const chars = rows.reduce((sum, { row }) => sum + row.length, 0)
    wanted = Math.max(1, Math.min(PAGE_ROWS_MAX, 2 * wanted, Math.floor((wanted * PAGE_CHARS) / chars)))
  }
  await client.query('CLOSE carried')
}

/** Empties the names of files, which stay behind. */
function withoutFiles(json: string, { files = [] }: CarriedTable): string {
  // Most of a million recipients have none.
  if (files.length === 0 || !json.includes('\\"file\\":{')) return json
  const row = JSON.parse(json) as Record<string, unknown>
  for (const column of files) {
    const value = row[column]
    if (typeof value === 'string') row[column] = withoutFileNames(value)
  }
  return JSON.stringify(row)
}

/** Opens values that are encrypted under the key of this installation. The file is encrypted as a whole. */
function opened(json: string, { sealed }: CarriedTable, encryption: Encryption): string {
  if (sealed === undefined) return json
  const row = JSON.parse(json) as Record<string, unknown>
  for (const { column, place } of sealed) {
    const value = row[column]
    if (typeof value !== 'string') continue
    row[column] = encryption.open(Buffer.from(value.slice(2), 'hex'), ...place(row)).toString('base64')
  }
  return JSON.stringify(row)
}

/** A connection whose transaction cannot be ended is closed. */
async function rollBackAndRelease(client: pg.PoolClient, error: unknown): Promise<void> {
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch {
    client.release(error as Error)
  }
}
