import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import { WorkLine } from '../work/work-line.js'
import { laneFor, placesOf } from './shared-pool.js'

/** Searches for the instance, or another owner, that the first value names: owners have fair shares of the connections. */
export type Search = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>

export const SEARCH_TIMEOUT_MS = 10_000
const QUERY_CANCELED = '57014'
const RETRY_AFTER_SECONDS = 5
/** Time of a search among all others. One that takes longer begins again among the long ones, so that it delays none of the quick ones. */
const QUICK_MS = 1_000
/** Maximum of searches of one owner that wait for a connection. The API lets fewer of them in at once. */
const OWNER_WAITING_MAX = 100
/** Maximum wait for a connection that searches of others have. */
const WAIT_MAX_MS = 5_000

const lines = new WeakMap<pg.Pool, WorkLine>()

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

async function searchFor<Row extends pg.QueryResultRow>(
  lane: pg.Pool,
  timeoutMs: number,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const line = lineOf(lane)
  const isBusy = line.counts().running >= placesOf(lane)
  const signal = isBusy ? AbortSignal.timeout(WAIT_MAX_MS) : undefined
  const place = await line.take(typeof values[0] === 'string' ? values[0] : '', signal).catch((error: unknown) => {
    throw error === signal?.reason ? tooMany() : error
  })
  try {
    return await searchOn<Row>(await lane.connect(), timeoutMs, text, values)
  } finally {
    place.end()
  }
}

/** All searches of a lane wait in one line. Of an owner so many run at once that a place is left to others. */
function lineOf(lane: pg.Pool): WorkLine {
  const atOnce = placesOf(lane)
  const limits = { atOnce, ownerMax: Math.max(1, atOnce - 1), ownerWaitingMax: OWNER_WAITING_MAX }
  const line = lines.get(lane) ?? new WorkLine({ limits, refuse: tooMany })
  lines.set(lane, line)
  return line
}

function tooMany(): GatewayError {
  return new GatewayError('RATE_LIMITED', {
    message: 'Too many searches wait on this node.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    limit: 'searches',
  })
}

/** The time-out is of the transaction, since one of the session would not survive a connection pooler. */
async function searchOn<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  timeoutMs: number,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
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
