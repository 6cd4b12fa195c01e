import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'

export type Search = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>

export const SEARCH_TIMEOUT_MS = 10_000
const QUERY_CANCELED = '57014'
const RETRY_AFTER_SECONDS = 5

/**
 * Runs statements whose cost callers choose, each for `timeoutMs` at most. PostgreSQL ends them itself: a time-out of ours would leave them
 * running there. The setting is of the transaction, since one of the session would not survive a connection pooler.
 */
export function createSearch(pool: pg.Pool, timeoutMs: number): Search {
  return async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const client = await pool.connect()
    try {
      await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}`)
      const { rows } = await client.query<Row>(text, [...values])
      await client.query('COMMIT')
      client.release()
      return rows
    } catch (error) {
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(error as Error),
      )
      if ((error as { code?: string }).code !== QUERY_CANCELED) throw error
      throw new GatewayError('RATE_LIMITED', {
        message: `The search was stopped after ${timeoutMs} ms: ask for less, such as fewer filters or a smaller offset.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        limit: 'search_time',
        cause: error,
      })
    }
  }
}
