import type pg from 'pg'
import type { CarriedTable } from './carried-tables.js'

/** A column as PostgreSQL describes it. */
export interface Column {
  readonly name: string
  /** As in `information_schema`: `text`, `bigint`, `timestamp with time zone`, … */
  readonly type: string
  readonly isNullable: boolean
  readonly hasDefault: boolean
}

/** Returns the columns that travel, in their order; without those that PostgreSQL makes by itself. */
export async function columnsOf(client: pg.ClientBase, { name, left = [] }: CarriedTable): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable",
       column_default IS NOT NULL OR is_identity = 'YES' AS "hasDefault"
     FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [name],
  )
  return rows.filter((column) => !left.includes(column.name))
}
