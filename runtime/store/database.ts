/** The connections of all parts but the journal and the lease thread. */
import pg from 'pg'
import type { Logger } from 'pino'
import { clientConfigAt, type DatabaseClientConfig, type DatabasePlace } from '../connect/database-place.js'
import { SessionLocks } from './session-locks.js'

/** Maximum wait for connections to end. */
const CLOSE_MAX_MS = 2_000

export interface DatabaseOptions extends DatabasePlace {
  /** Maximum of connections of both pools together. */
  readonly poolMax?: number
  readonly connectTimeoutMs?: number
  /** Time after which a statement of the API is ended, so that it cannot hold a connection for ever. */
  readonly statementTimeoutMs?: number
}

export interface Database {
  readonly pool: pg.Pool
  /** For the reads of actors. Thousands of logins may wait for it, and no caller of the API waits behind them. */
  readonly actorsPool: pg.Pool
  /** The same database, as plain data. */
  readonly place: DatabasePlace
  /** Settings of a single connection to it. */
  readonly clientConfig: DatabaseClientConfig
  /** Settings of a connection with a session of its own: around a pooler, if there is one. */
  readonly direct: pg.ClientConfig
  /** One connection whose session is kept for as long as it lives, around a pooler. */
  readonly session: pg.Pool
  /** Locks of that session. */
  readonly locks: SessionLocks
  close(): Promise<void>
}

export function openDatabase(config: DatabaseOptions, log: Logger): Database {
  const { connectionString, tls, direct } = config
  const place: DatabasePlace = {
    connectionString,
    ...(tls === undefined ? {} : { tls }),
    ...(direct === undefined ? {} : { direct }),
  }
  const ofPlace = toClientConfig(place, config)
  const clientConfig = direct === undefined ? ofPlace : { ...ofPlace, isPooled: true }
  const { poolMax = 10, statementTimeoutMs = 30_000 } = config
  const ofActors = Math.max(1, Math.floor(poolMax / 2))
  const [pool, actorsPool] = [
    openPool(clientConfig, Math.max(1, poolMax - ofActors), statementTimeoutMs, log),
    openPool({ ...clientConfig, application_name: 'posthorn actors' }, ofActors, statementTimeoutMs, log),
  ]
  const ofSession = direct === undefined ? ofPlace : toClientConfig(direct, config)
  const session = openSession(ofSession, config.connectTimeoutMs)
  const closed = [whenClosed(pool), whenClosed(actorsPool), whenClosed(session)]
  return {
    pool,
    actorsPool,
    place,
    clientConfig,
    direct: ofSession,
    session,
    locks: new SessionLocks(session),
    async close() {
      await Promise.all([pool.end(), actorsPool.end(), session.end()])
      await Promise.all(closed.map((wait) => wait()))
    },
  }
}

function openPool(clientConfig: pg.ClientConfig, max: number, statementTimeoutMs: number, log: Logger): pg.Pool {
  // Client-side: a session setting would not survive a connection pooler.
  const pool = new pg.Pool({ ...clientConfig, max, idleTimeoutMillis: 30_000, query_timeout: statementTimeoutMs })
  // Without a listener the end of PostgreSQL would end this process; the pool itself replaces the connection.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error: error.message }, 'An idle connection to PostgreSQL was lost.')
  })
  // A connection that dies while it is out of the pool reports here as well as in its query.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function openSession(clientConfig: pg.ClientConfig, timeoutMs = 5_000): pg.Pool {
  const session = new pg.Pool({
    ...clientConfig,
    max: 1,
    // Never: its end would free the locks.
    idleTimeoutMillis: 0,
    application_name: 'posthorn session',
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
  })
  session.on('error', () => {})
  session.on('connect', (client) => client.on('error', () => {}))
  return session
}

/**
 * Returns a function that waits until all connections of the pool have ended. The end of a pool resolves earlier: a server that is stopped
 * then would report it to those connections, which looks like an outage.
 */
function whenClosed(pool: pg.Pool): () => Promise<void> {
  const open = new Set<pg.PoolClient>()
  let resolve = (): void => {}
  pool.on('connect', (client) => {
    open.add(client)
    client.once('end', () => {
      open.delete(client)
      if (open.size === 0) resolve()
    })
  })
  return () =>
    new Promise((done) => {
      const timer = setTimeout(done, CLOSE_MAX_MS)
      resolve = () => {
        clearTimeout(timer)
        done()
      }
      if (open.size === 0) resolve()
    })
}

function toClientConfig(place: DatabasePlace, { connectTimeoutMs = 5_000 }: DatabaseOptions): pg.ClientConfig {
  return {
    ...clientConfigAt(place),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'posthorn',
    types: { getTypeParser },
  }
}

const INT8 = 20

/** Reads bigints as numbers: ours count rows and milliseconds and stay below 2^53. */
function getTypeParser(oid: number, format?: string): (value: string) => unknown {
  if (oid === INT8) return Number
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
}
