/** The columns whose values are encrypted, and the statements that read and replace their values. */
import type pg from 'pg'
import { bytesArray, textArray } from './arrays.js'

export interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly keys: readonly string[]
  readonly types: readonly string[]
  /** Returns the texts to which a value is bound, from the row's keys and `extra`. */
  readonly place: (...parts: string[]) => string[]
  readonly extra?: string
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'instance_credentials',
    column: 'data',
    keys: ['instance_id'],
    types: ['text'],
    place: (instance = '') => [instance, 'credentials'],
  },
  {
    table: 'instance_proxy',
    column: 'settings',
    keys: ['instance_id'],
    types: ['text'],
    place: (instance = '') => [instance, 'proxy'],
  },
  {
    table: 'dialect_instance',
    column: 'token',
    keys: ['instance_id', 'dialect'],
    types: ['text', 'text'],
    place: (instance = '', dialect = '') => [instance, 'dialect', dialect],
  },
  {
    table: 'instance_token_copy',
    column: 'sealed',
    keys: ['instance_id'],
    types: ['text'],
    place: (instance = '') => [instance, 'token'],
  },
  {
    table: 'chatbot_settings',
    column: 'openai_key',
    keys: ['instance_id'],
    types: ['text'],
    place: (instance = '') => [instance, 'openai'],
  },
  {
    table: 'chatwoot_config',
    column: 'secrets',
    keys: ['instance_id'],
    types: ['text'],
    place: (instance = '') => [instance, 'chatwoot'],
  },
  {
    table: 'agent',
    column: 'apikey',
    keys: ['instance_id', 'id'],
    types: ['text', 'text'],
    place: (instance = '', id = '') => [instance, 'agent', id],
  },
  {
    table: 'agent_function',
    column: 'headers_sealed',
    keys: ['instance_id', 'id'],
    types: ['text', 'text'],
    place: (instance = '', id = '') => [instance, 'function', id],
  },
  {
    table: 'signal_key',
    column: 'data',
    keys: ['instance_id', 'kind', 'id'],
    types: ['text', 'text', 'text'],
    place: (...parts) => parts,
  },
  { table: 'webhook', column: 'secret', keys: ['id'], types: ['uuid'], place: (id = '') => ['webhook', id] },
  { table: 'webhook', column: 'access', keys: ['id'], types: ['uuid'], place: (id = '') => ['webhook', id, 'access'] },
  {
    table: 'message',
    column: 'proto',
    keys: ['instance_id', 'id'],
    types: ['text', 'text'],
    extra: '"messageid"',
    place: (instance = '', _id = '', messageid = '') => [instance, 'proto', messageid],
  },
  {
    table: 'scheduled_send',
    column: 'request',
    keys: ['instance_id', 'messageid'],
    types: ['text', 'text'],
    place: (instance = '', messageid = '') => [instance, 'scheduled', messageid],
  },
  {
    table: 'kept_answer',
    column: 'reply',
    keys: ['instance_id', 'idempotency_key'],
    types: ['text', 'text'],
    place: (instance = '', key = '') => [instance, 'answer', key],
  },
]

export interface SealedRow {
  /** The row's keys and `extra`, as text. */
  readonly parts: string[]
  /** The value, when it is under another key than the present one. */
  readonly stale: Buffer | null
}

export interface Resealed {
  readonly parts: string[]
  readonly old: Buffer
  readonly now: Buffer
}

/** Maximum time for a count, which reads a whole table. Longer than a call may take. */
const COUNT_TIMEOUT_MS = 60 * 60_000

/** Counts values under another key than the present one. */
export async function countStale(pool: pg.Pool, { table, column }: SealedColumn, keyId: Buffer): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    text: `SELECT count(*) AS count FROM ${table} WHERE substring(${column} FROM 2 FOR 4) <> $1`,
    values: [keyId],
    query_timeout: COUNT_TIMEOUT_MS,
  } as pg.QueryConfig)
  return rows[0]?.count ?? 0
}

/** Reads a page of rows in the order of their keys, after those given. */
export async function readSealedPage(
  pool: pg.Pool,
  { table, column, keys, types, extra }: SealedColumn,
  { keyId, after, limit }: { keyId: Buffer; after: readonly string[] | null; limit: number },
): Promise<readonly SealedRow[]> {
  const list = keys.join(', ')
  const parameters = types.map((type, index) => `$${index + 2}::${type}`).join(', ')
  const parts = [...keys, ...(extra === undefined ? [] : [extra])].map((key) => `${key}::text`).join(', ')
  const { rows } = await pool.query<SealedRow>(
    `SELECT ARRAY[${parts}] AS parts,
       CASE WHEN substring(${column} FROM 2 FOR 4) <> $1 THEN ${column} END AS stale
     FROM ${table} ${after === null ? '' : `WHERE (${list}) > (${parameters})`}
     ORDER BY ${list} LIMIT ${limit}`,
    [keyId, ...(after ?? [])],
  )
  return rows
}

/** Replaces values that are still the same. A value that a writer replaced meanwhile is under the present key already, and newer. */
export async function replaceSealed(
  pool: pg.Pool,
  { table, column, keys, types }: SealedColumn,
  values: readonly Resealed[],
): Promise<void> {
  const arrays = keys.map((_, index) => `$${index + 3}::text[]`).join(', ')
  const names = keys.map((_, index) => `key_${index}`).join(', ')
  const isSameRow = keys.map((key, index) => `t.${key} = u.key_${index}::${types[index]}`).join(' AND ')
  await pool.query(
    `UPDATE ${table} AS t SET ${column} = u.now
     FROM unnest(${arrays}, $1::bytea[], $2::bytea[]) AS u(${names}, old, now)
     WHERE ${isSameRow} AND t.${column} = u.old`,
    [
      bytesArray(values.map(({ old }) => old)),
      bytesArray(values.map(({ now }) => now)),
      ...keys.map((_, index) => textArray(values.map(({ parts }) => parts[index]))),
    ],
  )
}
