/** Writes an instance from its lines (read-instance.ts): all of it or nothing. */
import type pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { Encryption } from '../encryption.js'
import { CARRIED_TABLES, type CarriedTable } from './carried-tables.js'
import { giveBack } from './give-back.js'
import { columnsOf, type TransferHead } from './read-instance.js'
import { damaged, refused } from './sealed-file.js'

type Row = Record<string, unknown>

const ROWS_AT_ONCE = 500
const BATCH_CHARS = 4 * 2 ** 20
const UNIQUE_VIOLATION = '23505'

/** @throws GatewayError INVALID_EXPORT, INSTANCE_EXISTS */
export async function writeInstance(
  pool: pg.Pool,
  encryption: Encryption,
  file: AsyncIterable<Uint8Array>,
): Promise<InstanceId> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const id = await writeLines(client, encryption, linesOf(file))
    await client.query('COMMIT')
    client.release()
    return id
  } catch (error) {
    await giveBack(client, error)
    // Its token, or the id of a webhook.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) throw new GatewayError('INSTANCE_EXISTS')
    throw error
  }
}

async function writeLines(
  client: pg.PoolClient,
  encryption: Encryption,
  lines: AsyncGenerator<string>,
): Promise<InstanceId> {
  const first = await lines.next()
  if (first.done === true) throw damaged()
  const head = JSON.parse(first.value) as TransferHead
  await refuseKnown(client, head.instance)
  const tables = await tablesOf(client, head)

  const chats = new Map<number, number>()
  const counts: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]))
  let batch: { table: CarriedTable; rows: Row[]; chars: number } | undefined
  let told: unknown
  const flush = async (): Promise<void> => {
    if (batch === undefined) return
    const { table, rows } = batch
    batch = undefined
    await number(client, table, rows, chats)
    await insert(client, table, head.columns[table.name] ?? [], rows)
  }
  for await (const line of lines) {
    const [name, row] = JSON.parse(line) as [string, Row]
    if (name === 'end') {
      await flush()
      told = row
      continue
    }
    const table = tables.find((one) => one.name === name)
    if (table === undefined || told !== undefined) throw damaged()
    if (batch?.table !== table || batch.rows.length >= ROWS_AT_ONCE || batch.chars > BATCH_CHARS) await flush()
    batch ??= { table, rows: [], chars: 0 }
    batch.rows.push(sealedAgain(row, table, encryption))
    batch.chars += line.length
    counts[name] = (counts[name] ?? 0) + 1
  }
  if (JSON.stringify(told) !== JSON.stringify(counts)) throw damaged()
  return head.instance as InstanceId
}

/** Ids are never used again: what a deletion has left would be taken away from the new one. */
async function refuseKnown(client: pg.PoolClient, id: string): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM instance WHERE id = $1 UNION ALL SELECT FROM deleted_instance WHERE id = $1',
    [id],
  )
  if ((rowCount ?? 0) > 0) throw new GatewayError('INSTANCE_EXISTS')
}

/** Columns that an older program did not have get their default. */
async function tablesOf(client: pg.PoolClient, { columns, schema }: TransferHead): Promise<readonly CarriedTable[]> {
  const tables: CarriedTable[] = []
  for (const [name, has] of Object.entries(columns)) {
    const table = CARRIED_TABLES.find((one) => one.name === name)
    const known = new Set(table === undefined ? [] : await columnsOf(client, table))
    if (table === undefined || !has.every((column) => known.has(column)))
      throw refused(`The file comes from a newer version (schema ${schema}); bring this installation up to it first.`)
    tables.push(table)
  }
  return tables
}

function sealedAgain(row: Row, { sealed }: CarriedTable, encryption: Encryption): Row {
  const value = sealed === undefined ? undefined : row[sealed.column]
  if (sealed === undefined || typeof value !== 'string') return row
  const bytes = encryption.seal(Buffer.from(value, 'base64'), ...sealed.place(row))
  return { ...row, [sealed.column]: `\\x${bytes.toString('hex')}` }
}

/** Gives chats their numbers here, and what names them those. */
async function number(
  client: pg.PoolClient,
  table: CarriedTable,
  rows: readonly Row[],
  chats: Map<number, number>,
): Promise<void> {
  if (table.chat === undefined) return
  if (table.name === 'chat') {
    const { rows: made } = await client.query<{ id: number }>(
      "SELECT nextval(pg_get_serial_sequence('chat', 'id')) AS id FROM generate_series(1, $1)",
      [rows.length],
    )
    for (const [index, row] of rows.entries()) chats.set(Number(row.id), made[index]?.id ?? 0)
  }
  for (const row of rows) {
    const id = chats.get(Number(row[table.chat]))
    if (id === undefined) throw damaged()
    row[table.chat] = id
  }
}

async function insert(
  client: pg.PoolClient,
  { name }: CarriedTable,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const list = columns.map((column) => `"${column}"`).join(', ')
  await client.query(
    `INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1::json)`,
    [JSON.stringify(rows)],
  )
}

async function* linesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let held = ''
  for await (const part of file) {
    const lines = (held + decoder.decode(part, { stream: true })).split('\n')
    held = lines.pop() ?? ''
    yield* lines
  }
  if (held !== '') throw damaged()
}
