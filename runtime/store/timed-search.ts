import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import { noteReplicaRead } from '../../schemas/replica-reads.js'
import type { Place } from '../work/place.js'
import { WorkLine } from '../work/work-line.js'
import { type Replica, replicaFor } from './read-replica.js'
import { countPlaces, hasFreeConnection, laneFor } from './shared-pool.js'

/** Searches for the instance, or another owner, that the first value names: owners have fair shares of the connections. */
export type Search = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>

export const SEARCH_TIMEOUT_MS = 10_000
const QUERY_CANCELED = '57014'
const RETRY_AFTER_SECONDS = 5
/** Time of a search among the quick ones. One that takes longer has a place among the long ones, so that it delays none of the quick ones. */
const QUICK_MS = 1_000
/** Maximum of searches of one owner that wait for a connection. The API lets fewer of them in at once. */
const OWNER_WAITING_MAX = 100
/** Maximum wait for a connection that searches of others have. */
const WAIT_MAX_MS = 5_000

const lines = new WeakMap<pg.Pool, WorkLine>()

/**
 * Runs statements whose cost callers choose, each for `timeoutMs` at most. PostgreSQL ends them itself: a time-out of ours would leave them
 * running there. `mayLag`: a replica that is not too far behind may answer, which is noted for the caller (`schemas/replica-reads.ts`).
 */
export function createSearch(pool: pg.Pool, timeoutMs: number, { mayLag = false } = {}): Search {
  const quick = laneFor(pool, 'searches')
  const long = laneFor(pool, 'long')
  const isTwice = quick !== long && timeoutMs > QUICK_MS
  return async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const statement = { text, values, owner: typeof values[0] === 'string' ? values[0] : '' }
    try {
      const replica = mayLag ? replicaFor(pool) : undefined
      const rows = replica === undefined ? null : await searchAt<Row>(replica, timeoutMs, statement)
      if (rows !== null) return rows
      if (!isTwice) return await searchIn<Row>(quick, timeoutMs, statement)
      return (
        (await searchOnce<Row>({ quick, long }, timeoutMs, statement)) ??
        (await searchIn<Row>(long, timeoutMs, statement))
      )
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

/** Returns null if the replica is away or too far behind, or fails: the primary answers then. @throws GatewayError, and the error of a time-out */
async function searchAt<Row extends pg.QueryResultRow>(
  replica: Replica,
  timeoutMs: number,
  statement: SearchStatement,
): Promise<Row[] | null> {
  const lagMs = replica.lagMs()
  if (lagMs === null) {
    replica.noteRead('primary')
    return null
  }
  try {
    const startedMs = performance.now()
    const rows = await searchIn<Row>(replica.pool, timeoutMs, statement)
    replica.noteRead('replica')
    noteReplicaRead(lagMs + performance.now() - startedMs)
    return rows
  } catch (error) {
    if (isStopped(error) || error instanceof GatewayError) throw error
    replica.noteRead('primary', error as Error)
    return null
  }
}

interface SearchStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly owner: string
}

/**
 * Runs a search that begins among the quick ones. If a place of the long ones is free it has that too, and gives the quick one back when it is no
 * longer quick. Otherwise it is stopped then, and null is returned.
 */
async function searchOnce<Row extends pg.QueryResultRow>(
  { quick, long }: { readonly quick: pg.Pool; readonly long: pg.Pool },
  timeoutMs: number,
  statement: SearchStatement,
): Promise<Row[] | null> {
  const place = await placeIn(quick, statement.owner)
  const isLong = findLine(long).hasPlaceFor(statement.owner) && hasFreeConnection(long)
  const longPlace = isLong ? await findLine(long).take(statement.owner) : null
  const timer = longPlace === null ? undefined : setTimeout(() => place.end(), QUICK_MS)
  try {
    if (longPlace !== null) return await searchOn<Row>(await long.connect(), timeoutMs, statement)
    return await searchOn<Row>(await quick.connect(), QUICK_MS, statement)
  } catch (error) {
    if (longPlace === null && isStopped(error)) return null
    throw error
  } finally {
    clearTimeout(timer)
    place.end()
    longPlace?.end()
  }
}

async function searchIn<Row extends pg.QueryResultRow>(
  lane: pg.Pool,
  timeoutMs: number,
  statement: SearchStatement,
): Promise<Row[]> {
  const place = await placeIn(lane, statement.owner)
  try {
    return await searchOn<Row>(await lane.connect(), timeoutMs, statement)
  } finally {
    place.end()
  }
}

/** Waits for a place of a lane. @throws GatewayError RATE_LIMITED */
async function placeIn(lane: pg.Pool, owner: string): Promise<Place> {
  const line = findLine(lane)
  const isBusy = line.counts().running >= countPlaces(lane)
  const signal = isBusy ? AbortSignal.timeout(WAIT_MAX_MS) : undefined
  return await line.take(owner, signal).catch((error: unknown) => {
    throw error === signal?.reason ? tooMany() : error
  })
}

/** All searches of a lane wait in one line. Of an owner so many run at once that a place is left to others. */
function findLine(lane: pg.Pool): WorkLine {
  const atOnce = countPlaces(lane)
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
  { text, values }: SearchStatement,
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
