import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import { laneFor } from './shared-pool.js'

export type Search = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>

export const SEARCH_TIMEOUT_MS = 10_000
const QUERY_CANCELED = '57014'
const RETRY_AFTER_SECONDS = 5
/** Time of a search among all others. One that takes longer begins again among the long ones, so that it delays none of the quick ones. */
const QUICK_MS = 1_000

/**
 * Runs statements whose cost callers choose, each for `timeoutMs` at most. PostgreSQL ends them itself: a time-out of ours would leave them
 * running there.
 */
export function createSearch(pool: pg.Pool, timeoutMs: number): Search {
  const quick = laneFor(pool, 'searches')
  const long = laneFor(pool, 'long')
  const isTwice = quick !== long && timeoutMs > QUICK_MS
  return async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    if (isTwice) {
      try {
        return await searchFor<Row>(quick, QUICK_MS, text, values)
      } catch (error) {
        if (!isStopped(error)) throw error
      }
    }
    try {
      return await searchFor<Row>(isTwice ? long : quick, timeoutMs, text, values)
    } catch (error) {
      if (!isStopped(error)) throw error
      throw new GatewayError('RATE_LIMITED', {
        message: `The search was stopped after ${timeoutMs} ms: ask for less, such as fewer filters or a smaller offset.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        limit: 'search_time',
        cause: error,
      })
    }
  }
}

/** The time-out is of the transaction, since one of the session would not survive a connection pooler. */
async function searchFor<Row extends pg.QueryResultRow>(
  lane: pg.Pool,
  timeoutMs: number,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await lane.connect()
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
    throw error
  }
}

function isStopped(error: unknown): boolean {
  return (error as { code?: string }).code === QUERY_CANCELED
}
