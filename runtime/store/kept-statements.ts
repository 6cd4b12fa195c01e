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
 * A plan that was made when its tables were small would stay until PostgreSQL has analysed them: it is made anew with each doubling of the uses, as
 * long as tables can be that small.
 */
function doublings(uses: number): number {
  return Math.min(31 - Math.clz32(uses), DOUBLINGS_MAX)
}
