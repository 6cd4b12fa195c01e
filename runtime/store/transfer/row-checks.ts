/** Holds each row of an imported file against its table: nothing of the file is trusted, since whoever made it knows its passphrase. */

import type pg from 'pg'
import { isUuid } from '../uuid.js'
import type { CarriedTable } from './carried-tables.js'
import { COLUMN_RULES } from './column-rules.js'
import { invalidExport } from './sealed-file.js'

export type TransferRow = Record<string, unknown>

/** Clocks of two installations differ a little. */
const AHEAD_MAX_MS = 24 * 60 * 60_000
/** Times that may lie ahead; see `checkTime`. */
const YEARS_MAX = 200

/**
 * A new row with exactly these columns, of which that of the instance says `instance`.
 * @throws GatewayError INVALID_EXPORT that names the table and the column
 */
export function checkedRow(
  table: CarriedTable,
  columns: readonly Column[],
  given: unknown,
  instance: string,
): TransferRow {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidExport(`A row of ${table.name} is not an object.`)
  const names = Object.keys(given)
  const stranger = names.find((name) => !columns.some((column) => column.name === name))
  if (stranger !== undefined || names.length !== columns.length)
    throw invalidExport(`A row of ${table.name} has not the columns that the head of the file names.`)
  const row: TransferRow = {}
  for (const column of columns) {
    const value = (given as TransferRow)[column.name]
    const why = wrongness(table, column, value, given as TransferRow)
    if (why !== null) throw invalidExport(`${table.name}.${column.name} ${why}.`)
    row[column.name] = value
  }
  if (row[table.instance] !== instance)
    throw invalidExport(`${table.name}.${table.instance} must be ${instance}, the instance of the file.`)
  return row
}

function wrongness(table: CarriedTable, column: Column, value: unknown, row: TransferRow): string | null {
  if (value === null) return column.isNullable ? null : 'must not be null'
  const isSealed = table.sealed?.some((one) => one.column === column.name) === true
  const why = isSealed ? checkBase64(value) : checkType(table, column, value)
  if (why !== null) return why
  const rule = COLUMN_RULES[table.name]?.[column.name]
  return rule === undefined ? null : rule(value as never, row)
}

function checkType({ ahead = [] }: CarriedTable, { name, type }: Column, value: unknown): string | null {
  switch (type) {
    case 'text':
      return isText(value) ? null : 'must be a text without NUL and half characters'
    case 'bigint':
      return Number.isSafeInteger(value) ? null : 'must be a whole number'
    case 'integer':
      return isWithin(value, 2 ** 31) ? null : 'must be a whole number of 32 bits'
    case 'smallint':
      return isWithin(value, 2 ** 15) ? null : 'must be a whole number of 16 bits'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'timestamp with time zone':
      return checkTime(value, ahead.includes(name))
    case 'bytea':
      // Bound: 1,048,576, a value of an imported row.
      return typeof value === 'string' && /^\\x(?:[0-9a-f]{2})*$/.test(value) ? null : 'must be bytes in hexadecimal'
    case 'uuid':
      return typeof value === 'string' && isUuid(value) ? null : 'must be a UUID'
    case 'ARRAY':
      return Array.isArray(value) && value.every(isText) ? null : 'must be a list of texts'
    default:
      throw new Error(`Nothing is known of the type ${type} of a column that travels.`)
  }
}

function isText(value: unknown): value is string {
  // Bound: 1,048,576, a value of an imported row.
  return typeof value === 'string' && !/\p{Surrogate}|\0/u.test(value)
}

function isWithin(value: unknown, bound: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= -bound && (value as number) < bound
}

/** PostgreSQL has times that no `Date` can be made of, such as `infinity`; one reader of such a row fails for all rows. */
function checkTime(value: unknown, isOfFuture: boolean): string | null {
  // Bound: 1,048,576, a value of an imported row.
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/.test(value))
    return 'must be a time as in 2026-01-31T12:00:00+00:00'
  const timeMs = Date.parse(value)
  if (Number.isNaN(timeMs) || timeMs < 0) return 'must be a time since 1970'
  const latestMs = Date.now() + (isOfFuture ? YEARS_MAX * 366 * AHEAD_MAX_MS : AHEAD_MAX_MS)
  return timeMs <= latestMs ? null : 'must not lie in the future'
}

function checkBase64(value: unknown): string | null {
  const isBase64 = typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value
  return isBase64 ? null : 'must be base64'
}

/** A column as PostgreSQL describes it. */
export interface Column {
  readonly name: string
  /** As in `information_schema`: `text`, `bigint`, `timestamp with time zone`, … */
  readonly type: string
  readonly isNullable: boolean
  readonly hasDefault: boolean
}

/** Returns the columns that travel, in their order; without those that PostgreSQL makes by itself. */
export async function readColumns(
  client: pg.ClientBase,
  { name, left = [] }: CarriedTable,
): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable",
       column_default IS NOT NULL OR is_identity = 'YES' AS "hasDefault"
     FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [name],
  )
  return rows.filter((column) => !left.includes(column.name))
}
