/** Saves of records that callers make as many of as they like, up to a limit. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { countBytes, type KeptRecords, type RecordLimit, refuseBeyond } from '../../schemas/record-limits.js'
import { runInTransaction } from './in-transaction.js'

export interface LimitedSave {
  readonly limit: RecordLimit
  readonly table: string
  /** Which rows of the table count, when not all of the instance do. */
  readonly among?: string
  readonly instance: InstanceId
  readonly id: string
  /** Texts and bytes of the record that count, by its columns. */
  readonly texts: Readonly<Record<string, string | Uint8Array | null>>
  /** The field of the request that is named when they are too long. */
  readonly field: string
  /** Writes the record. */
  readonly text: string
  readonly values: readonly unknown[]
}

/** The first half of the advisory locks, which nobody else on this database uses: 'room' in ASCII. */
const SAVE_LOCK = 0x726f6f6d

/** Returns the rows of the statement. @throws GatewayError RECORD_LIMIT */
export async function limitedSave<Row extends pg.QueryResultRow>(pool: pg.Pool, save: LimitedSave): Promise<Row[]> {
  return await runInTransaction(save.instance, pool, async (client) => {
    await lockSaves(client, save)
    return await saveLocked<Row>(client, save)
  })
}

/** Waits for other saves of the table for the instance, until the end of the transaction, so that many at once do not make too many. */
export async function lockSaves(
  client: pg.PoolClient,
  { table, instance }: Pick<LimitedSave, 'table' | 'instance'>,
): Promise<void> {
  // Not the row of the instance: the journal of all accounts waits for that.
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [SAVE_LOCK, `${table} ${instance}`])
}

/** Saves in a transaction that has called `lockSaves`. @throws GatewayError RECORD_LIMIT */
export async function saveLocked<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  save: LimitedSave,
): Promise<Row[]> {
  const { limit, instance, id, texts, field, text, values } = save
  const kept = await client.query<KeptRecords>(keptRecords(save), [instance, id])
  refuseBeyond(limit, kept.rows[0] as KeptRecords, countBytes(Object.values(texts)), field)
  const { rows } = await client.query<Row>(text, [...values])
  return rows
}

/** PostgreSQL knows the length of a text without reading it. */
function keptRecords({ table, among = 'true', texts }: LimitedSave): string {
  const bytes = Object.keys(texts)
    .map((column) => `COALESCE(octet_length(${column}), 0)::bigint`)
    .join(' + ')
  return `
    SELECT count(*)::int AS count, COALESCE(sum(${bytes}), 0)::bigint AS bytes, max(${bytes}) FILTER (WHERE id = $2) AS "formerBytes"
    FROM ${table} WHERE instance_id = $1 AND ${among}`
}
