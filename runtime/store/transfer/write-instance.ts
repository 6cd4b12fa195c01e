/**
 * Writes an instance from its lines (read-instance.ts): all of it or nothing. Only the one instance that the head names is written,
 * whatever the rows say: see `checkedRow`.
 */
import type pg from 'pg'
import { isObject } from '../../../lib/is-object.js'
import { exceededLimit } from '../../../lib/json-shape.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { intArray, textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { inTransaction } from '../in-transaction.js'
import { laneFor } from '../shared-pool.js'
import { CARRIED_BY_NAME, CARRIED_TABLES, type CarriedTable } from './carried-tables.js'
import type { TransferHead } from './read-instance.js'
import { type Column, checkedRow, readColumns, type TransferRow } from './row-checks.js'
import { damagedExport, invalidExport } from './sealed-file.js'

// Bound: 1,048,576, a value of an imported row.

/** A webhook as the API would get it. */
export interface ImportedWebhook {
  readonly url: string
  readonly events: readonly string[]
  readonly secret: string
}

export interface WriteOptions {
  readonly pool: pg.Pool
  readonly encryption: Encryption
  readonly lines: AsyncGenerator<Buffer>
  readonly webhooksMax: number
  /** @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED as the API does */
  readonly checkWebhook: (webhook: ImportedWebhook) => Promise<void>
}

const ROWS_AT_ONCE = 500
const BATCH_BYTES = 2 * 2 ** 20
/** A row is flat but for one list in it: `["group_info",{"members":["…"]}]`. */
const ROW_SHAPE = { depthMax: 3, keysMax: 200, valuesMax: 50_000 }
const HEAD_BYTES_MAX = 64 * 1024
/** In the transaction, where the client's own time-out would leave the statement running. */
const STATEMENT_TIMEOUT = "SET LOCAL statement_timeout = '25s'"
const UNIQUE_VIOLATION = '23505'
/** Constraints that rows of other instances can be in the way of. */
const OF_OTHERS = new Set(['instance_pkey', 'instance_token_hash', 'access_key_hash', 'webhook_pkey'])
/** Errors of PostgreSQL that the values of a row cause: data, constraints, limits such as that of an index. */
const CAUSED_BY_ROW = /^(22|23|54)/

/** @throws GatewayError INVALID_EXPORT, INSTANCE_EXISTS */
export async function writeInstance(options: WriteOptions): Promise<InstanceId> {
  try {
    return await inTransaction(laneFor(options.pool, 'long'), async (client) => {
      await client.query(STATEMENT_TIMEOUT)
      return await writeLines(client, options)
    })
  } catch (error) {
    throw asRefusal(error)
  }
}

function asRefusal(error: unknown): unknown {
  const { code = '', constraint = '', table = '' } = error as { code?: string; constraint?: string; table?: string }
  if (error instanceof GatewayError || !CAUSED_BY_ROW.test(code)) return error
  if (code === UNIQUE_VIOLATION && OF_OTHERS.has(constraint)) return new GatewayError('INSTANCE_EXISTS')
  const what = code === UNIQUE_VIOLATION ? 'is there twice' : 'has a value that the database refuses'
  return invalidExport(`A row ${table === '' ? '' : `of ${table} `}${what}.`)
}

async function writeLines(client: pg.PoolClient, options: WriteOptions): Promise<InstanceId> {
  const { encryption, lines } = options
  const first = await lines.next()
  if (first.done === true) throw damagedExport()
  const head = parseHead(first.value)
  await refuseKnown(client, head.instance)
  const columns = await columnsOfFile(client, head)

  const chats = new Map<number, number>()
  const campaigns = new CampaignTally()
  const counts = new Map([...columns.keys()].map((table) => [table, { rows: 0, bytes: 0 }]))
  let batch: { readonly table: CarriedTable; readonly rows: TransferRow[]; bytes: number } | undefined
  let announced: unknown
  const flush = async (): Promise<void> => {
    if (batch === undefined) return
    const { table, rows } = batch
    batch = undefined
    await refuseOthers(client, table, rows, options)
    await renameTaken(client, table, rows)
    for (const row of rows) sealAgain(row, table, encryption)
    await numberChats(client, table, rows, chats)
    await insert(client, table, columns.get(table) ?? [], rows)
  }
  for await (const line of lines) {
    const [name, given] = parseRow(line)
    if (announced !== undefined) throw damagedExport()
    if (name === 'end') {
      await flush()
      announced = given
      continue
    }
    const table = CARRIED_BY_NAME.get(name)
    const known = table === undefined ? undefined : columns.get(table)
    if (table === undefined || known === undefined)
      throw invalidExport('A row is of a table that the head does not name.')
    if (batch !== undefined && CARRIED_TABLES.indexOf(batch.table) > CARRIED_TABLES.indexOf(table))
      throw invalidExport(`Rows of ${name} come after rows of ${batch.table.name}.`)
    if (
      batch !== undefined &&
      (batch.table !== table || batch.rows.length >= ROWS_AT_ONCE || batch.bytes > BATCH_BYTES)
    )
      await flush()
    count(table, line, counts, options)
    batch ??= { table, rows: [], bytes: 0 }
    const row = checkedRow(table, known, given, head.instance)
    campaigns.take(name, row)
    batch.rows.push(row)
    batch.bytes += line.length
  }
  refuseMissing(counts, announced)
  await campaigns.correct(client, head.instance)
  await disownFiles(client, head.instance)
  return head.instance
}

/** @throws GatewayError INVALID_EXPORT */
function parseHead(line: Buffer): TransferHead & { instance: InstanceId } {
  const head = line.length > HEAD_BYTES_MAX ? null : parsed(line)
  if (!isObject(head) || !isObject(head.columns)) throw invalidExport('The head of the file is not that of an export.')
  const { instance, schema, columns } = head
  if (typeof instance !== 'string' || !/^i[a-z0-9]{15}$/.test(instance))
    throw invalidExport('The head of the file names no instance: i and 15 lower-case letters or digits.')
  const areLists = Object.values(columns).every(
    (list) =>
      Array.isArray(list) && list.every((name) => typeof name === 'string') && new Set(list).size === list.length,
  )
  if (!Number.isSafeInteger(schema) || !areLists) throw invalidExport('The head of the file is not that of an export.')
  return head as unknown as TransferHead & { instance: InstanceId }
}

function parseRow(line: Buffer): [name: string, row: unknown] {
  const row = parsed(line)
  if (!Array.isArray(row) || row.length !== 2 || typeof row[0] !== 'string')
    throw invalidExport('A line of the file is not a row.')
  return [row[0], row[1]]
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parsed(line: Buffer): unknown {
  if (exceededLimit(line, ROW_SHAPE) !== null)
    throw invalidExport('A line of the file is not a row: it has too many parts.')
  try {
    // Ours: a file that the administrator brings; its values are counted before.
    return JSON.parse(decoder.decode(line)) as unknown
  } catch {
    throw invalidExport('A line of the file is not JSON.')
  }
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
async function columnsOfFile(
  client: pg.PoolClient,
  head: TransferHead,
): Promise<ReadonlyMap<CarriedTable, readonly Column[]>> {
  const found = new Map<CarriedTable, readonly Column[]>()
  for (const [name, names] of Object.entries(head.columns)) {
    const table = CARRIED_BY_NAME.get(name)
    const all = table === undefined ? [] : await readColumns(client, table)
    const columns = names.map((one) => all.find((column) => column.name === one))
    if (table === undefined || !columns.every((column) => column !== undefined))
      throw invalidExport(
        `The file comes from a newer version (schema ${head.schema}); bring this installation up to it first.`,
      )
    const missing = all.find(
      (column) =>
        !names.includes(column.name) && (column.name === table.instance || !(column.isNullable || column.hasDefault)),
    )
    if (missing !== undefined) throw invalidExport(`The head of the file leaves out ${name}.${missing.name}.`)
    found.set(table, columns)
  }
  return found
}

/** @throws GatewayError INVALID_EXPORT when a table gets more than its limits allow */
function count(
  table: CarriedTable,
  line: Buffer,
  counts: ReadonlyMap<CarriedTable, { rows: number; bytes: number }>,
  { webhooksMax }: WriteOptions,
): void {
  const counted = counts.get(table) ?? { rows: 0, bytes: 0 }
  counted.rows += 1
  counted.bytes += line.length
  const rowsMax = table.name === 'webhook' ? Math.min(table.rowsMax, webhooksMax) : table.rowsMax
  if (counted.rows > rowsMax) throw invalidExport(`The file has more than ${rowsMax} rows of ${table.name}.`)
  if (table.bytesMax !== undefined && counted.bytes > table.bytesMax)
    throw invalidExport(`The rows of ${table.name} have more than ${table.bytesMax} bytes.`)
}

function refuseMissing(counts: ReadonlyMap<CarriedTable, { rows: number }>, announced: unknown): void {
  const lacking = CARRIED_TABLES.find((table) => (counts.get(table)?.rows ?? 0) < (table.rowsMin ?? 0))
  if (lacking !== undefined) throw invalidExport(`The file has no row of ${lacking.name}.`)
  const isAll =
    isObject(announced) &&
    Object.keys(announced).length === counts.size &&
    [...counts].every(([{ name }, { rows }]) => announced[name] === rows)
  if (!isAll) throw damagedExport()
}

// $1 hashes. A token that opens something here already would open something else from now on.
const KNOWN_TOKENS = `
  SELECT FROM instance WHERE token_hash = ANY($1::bytea[]) AND id <> $2
  UNION ALL SELECT FROM access_key WHERE hash = ANY($1::bytea[]) AND instance_id <> $2
  UNION ALL SELECT FROM admin_token WHERE hash = ANY($1::bytea[])`
// $1 ids. What waits for a webhook, or was given up for it, would go to whoever has its id.
const KNOWN_WEBHOOKS = `
  SELECT FROM webhook WHERE id = ANY($1::uuid[])
  UNION ALL SELECT FROM delivery WHERE webhook_id = ANY($1::uuid[])
  UNION ALL SELECT FROM dead_letter WHERE webhook_id = ANY($1::uuid[])
  UNION ALL SELECT FROM webhook_error WHERE webhook_id = ANY($1::uuid[])
  UNION ALL SELECT FROM webhook_success WHERE webhook_id = ANY($1::uuid[])
  UNION ALL SELECT FROM receiver_hour WHERE webhook_id = ANY($1::uuid[])`

/** @throws GatewayError INSTANCE_EXISTS, INVALID_EXPORT for rows that would reach beyond their instance */
async function refuseOthers(
  client: pg.PoolClient,
  { name }: CarriedTable,
  rows: readonly TransferRow[],
  { checkWebhook }: WriteOptions,
): Promise<void> {
  if (name === 'instance' || name === 'access_key') {
    const [hash, instance] = name === 'instance' ? ['token_hash', 'id'] : ['hash', 'instance_id']
    await refuseFound(client, KNOWN_TOKENS, [rows.map((row) => row[hash]), rows[0]?.[instance]])
  }
  if (name !== 'webhook') return
  await refuseFound(client, KNOWN_WEBHOOKS, [rows.map(({ id }) => id)])
  // Names are resolved side by side: silent name servers cost their time once.
  await Promise.all(
    rows.map(async ({ url, events, secret }: TransferRow) => {
      const webhook = { url, events, secret: Buffer.from(String(secret), 'base64').toString() } as ImportedWebhook
      await checkWebhook(webhook).catch((error: unknown) => {
        if (!(error instanceof GatewayError)) throw error
        const said = `The webhook to ${webhook.url.slice(0, 200)} is refused: ${error.message}`
        throw invalidExport(`${said} Change it first, or export the instance without its webhooks.`)
      })
    }),
  )
}

/** Gives an instance another name in a dialect, where another instance has its name. */
async function renameTaken(client: pg.PoolClient, { name }: CarriedTable, rows: readonly TransferRow[]): Promise<void> {
  if (name !== 'dialect_instance') return
  for (const row of rows) {
    const { rowCount } = await client.query('SELECT FROM dialect_instance WHERE dialect = $1 AND name = $2', [
      row.dialect,
      row.name,
    ])
    if (rowCount !== 0) row.name = `${String(row.name).slice(0, 80)}-${String(row.instance_id)}`
  }
}

async function refuseFound(client: pg.PoolClient, text: string, values: unknown[]): Promise<void> {
  const { rowCount } = await client.query(`${text} LIMIT 1`, values)
  if ((rowCount ?? 0) > 0) throw new GatewayError('INSTANCE_EXISTS')
}

function sealAgain(row: TransferRow, { sealed = [] }: CarriedTable, encryption: Encryption): void {
  for (const { column, place } of sealed) {
    const value = row[column]
    if (value === null || value === undefined) continue
    const bytes = encryption.seal(Buffer.from(String(value), 'base64'), ...place(row))
    row[column] = `\\x${bytes.toString('hex')}`
  }
}

/** Gives chats their numbers here, and what names them those. @throws GatewayError INVALID_EXPORT for a chat that is not in the file */
async function numberChats(
  client: pg.PoolClient,
  table: CarriedTable,
  rows: readonly TransferRow[],
  chats: Map<number, number>,
): Promise<void> {
  if (table.chat === undefined) return
  if (table.name === 'chat') {
    const { rows: made } = await client.query<{ id: number }>(
      "SELECT nextval(pg_get_serial_sequence('chat', 'id')) AS id FROM generate_series(1, $1)",
      [rows.length],
    )
    for (const [index, row] of rows.entries()) {
      if (chats.has(Number(row.id))) throw invalidExport(`The chat ${String(row.id)} is there twice.`)
      chats.set(Number(row.id), made[index]?.id ?? 0)
    }
  }
  for (const row of rows) {
    const id = chats.get(Number(row[table.chat]))
    if (id === undefined) throw invalidExport(`${table.name}.${table.chat} names a chat that is not in the file.`)
    row[table.chat] = id
  }
}

async function insert(
  client: pg.PoolClient,
  { name }: CarriedTable,
  columns: readonly Column[],
  rows: readonly TransferRow[],
): Promise<void> {
  const list = columns.map((column) => `"${column.name}"`).join(', ')
  await client.query(
    `INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1::json)`,
    [JSON.stringify(rows)],
  )
}

/** Files that a former instance of this id has left in the storage are not the new one's; the sweep removes them. */
async function disownFiles(client: pg.PoolClient, id: string): Promise<void> {
  await client.query('UPDATE media_file SET stored = false WHERE owner_id = $1 AND stored', [id])
}

interface Tally {
  rows: number
  taken: number
  parked: number
}

// $2 campaigns   $3 recipients   $4 under way   $5 parked
const CORRECT = `
  UPDATE campaign_progress AS p SET total = p.deleted + u.total, taken = u.taken, parked = u.parked
  FROM unnest($2::text[], $3::int[], $4::int[], $5::int[]) AS u(folder_id, total, taken, parked)
  WHERE p.instance_id = $1 AND p.folder_id = u.folder_id`

/** Counts the recipients of an imported file. Counters that said otherwise would keep a campaign from ending, or evade the limits. */
class CampaignTally {
  readonly #found = new Map<unknown, Tally>()
  readonly #counted = new Set<unknown>()

  /** Takes a row of any table. @throws GatewayError INVALID_EXPORT if it is of no campaign of the file */
  take(table: string, row: TransferRow): void {
    if (table === 'campaign') this.#found.set(row.id, { rows: 0, taken: 0, parked: 0 })
    if (table !== 'campaign_progress' && table !== 'campaign_recipient') return
    const { folder_id: id, status, place } = row
    const tally = this.#found.get(id)
    if (tally === undefined)
      throw invalidExport(`A row of ${table} names the campaign ${String(id)}, which is not in the file.`)
    if (table === 'campaign_progress') {
      this.#counted.add(id)
      return
    }
    tally.rows += 1
    if (status === 1) tally.taken += 1
    if (place === 2) tally.parked += 1
  }

  /** Writes what was counted. @throws GatewayError INVALID_EXPORT if a campaign has no counters */
  async correct(client: pg.ClientBase, instance: InstanceId): Promise<void> {
    const ids = [...this.#found.keys()].map(String)
    const lacking = ids.find((id) => !this.#counted.has(id))
    if (lacking !== undefined) throw invalidExport(`The campaign ${lacking} has no counters in the file.`)
    if (ids.length === 0) return
    const tallies = [...this.#found.values()]
    await client.query(CORRECT, [
      instance,
      textArray(ids),
      ...(['rows', 'taken', 'parked'] as const).map((one) => intArray(tallies.map((tally) => tally[one]))),
    ])
  }
}
