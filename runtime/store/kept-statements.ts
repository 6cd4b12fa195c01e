/**
 * Small reads that come with every message or every new person, prepared once on each connection of the pool: to parse and plan one costs
 * PostgreSQL three times what it takes to run it.
 */
import type pg from 'pg'
import type { DatabaseClientConfig } from '../connect/database-place.js'

const DOUBLINGS_MAX = 12

export interface KeptStatement {
  readonly name: string
  readonly text: string
  uses: number
}

/** @param name unique among all statements that are kept */
export function keptStatement(name: string, text: string): KeptStatement {
  return { name, text, uses: 0 }
}

/** Runs it. Behind a pooler, which changes the session between transactions, it has no name and is prepared each time. */
export async function queryKept<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: KeptStatement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { isPooled = false }: DatabaseClientConfig = pool.options
  const { name, text } = statement
  const kept = isPooled ? {} : { name: `${name}_${doublings(++statement.uses)}` }
  const { rows } = await pool.query<Row>({ ...kept, text, values: [...values] })
  return rows
}

/**
 * Returns how often the number of uses has doubled. The name changes with it, so that PostgreSQL plans again: it would keep the plan of a small table
 * until it has analysed the table. Tables behind 4,096 uses are not small.
 */
function doublings(uses: number): number {
  return Math.min(31 - Math.clz32(uses), DOUBLINGS_MAX)
}
