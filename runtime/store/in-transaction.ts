/** Transactions of all parts but the journal. */
import pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { DatabaseClientConfig } from '../connect/database-place.js'
import { isLockTimeout } from './journal/statement-errors.js'
import { connectFor, laneFor, whileHolding } from './shared-pool.js'
import { askOutcome, readIdentity, type ServerIdentity } from './transaction-outcome.js'

/**
 * Maximum wait for a row or table that another transaction has locked. A waiting call keeps a connection of a pool that all share. If only
 * our side gave up, PostgreSQL would go on to wait, once more for each retry of the caller.
 */
const LOCK_TIMEOUT_MS = 5_000
const BEGIN = `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SELECT pg_current_xact_id()::text AS xid`

/** The server of each connection, read once. */
const servers = new WeakMap<pg.PoolClient, ServerIdentity>()

/**
 * Does this work in a transaction. Resolves when it is durable. Any change that is confirmed to a caller of the API belongs in one, also a
 * single statement: if the connection breaks during a statement outside a transaction, its outcome cannot be found out.
 * @throws the error of `work`, and then nothing is written; GatewayError STORE_UNAVAILABLE (likewise), OUTCOME_UNKNOWN
 */
export function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return runInTransaction('', pool, work)
}

/** Does the same in the share of the connections that this instance has. */
export async function runInTransaction<T>(
  instance: string,
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connectFor(laneFor(pool, 'writes'), instance)
  let xid: string
  let result: T
  try {
    xid = await begin(pool, client)
    result = await whileHolding(() => work(client))
  } catch (error) {
    if (!(await isRolledBack(client, error))) client.release(true)
    throw isLockTimeout(error) ? new GatewayError('STORE_UNAVAILABLE', { cause: error }) : error
  }
  try {
    const { command } = await client.query('COMMIT')
    // A transaction that failed answers COMMIT with ROLLBACK, without an error.
    if (command !== 'COMMIT') throw new pg.DatabaseError('The transaction was rolled back.', 0, 'error')
    client.release()
  } catch (error) {
    await settle(pool, client, xid, error)
  }
  return result
}

/** Executes one statement that changes rows. Its first value names the instance, if it is of one. */
export async function writeOnce<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  const [instance] = values
  return await runInTransaction(String(instance), pool, async (client) => await client.query<Row>(text, [...values]))
}

async function begin(pool: pg.Pool, client: pg.PoolClient): Promise<string> {
  const { isPooled = false }: DatabaseClientConfig = pool.options
  if (!servers.has(client)) servers.set(client, { ...(await readIdentity(client)), mayBeOld: isPooled })
  const [, , id] = (await client.query(BEGIN)) as unknown as pg.QueryResult<{ xid: string }>[]
  return id?.rows[0]?.xid ?? ''
}

/** Returns when the transaction was committed all the same. @throws GatewayError, or the error by which PostgreSQL refused the commit */
async function settle(pool: pg.Pool, client: pg.PoolClient, xid: string, error: unknown): Promise<void> {
  if (await isRolledBack(client, error)) throw error
  const server = servers.get(client) ?? { cluster: null, recovered: null }
  const { password } = pool.options
  const config = { ...pool.options, ...(password === undefined ? {} : { password }) }
  // Its place in the pool stays taken, since the question needs a connection too.
  client.end().catch(() => {})
  const outcome = await askOutcome(config, { xid, server }).finally(() => client.release(true))
  if (outcome === 'committed') return
  throw new GatewayError(outcome === 'aborted' ? 'STORE_UNAVAILABLE' : 'OUTCOME_UNKNOWN', { cause: error })
}

/** Ends a transaction that failed. Returns true when PostgreSQL has refused it, so that nothing is written; the connection is released then. */
async function isRolledBack(client: pg.PoolClient, error: unknown): Promise<boolean> {
  // After trouble of the connection an answer would come late or never, and might belong to an earlier statement.
  if (error instanceof pg.DatabaseError || error instanceof GatewayError) {
    try {
      await client.query('ROLLBACK')
      client.release()
      return true
    } catch {}
  }
  return false
}
