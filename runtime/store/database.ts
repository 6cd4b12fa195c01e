/** The connections of all parts but the journal and the lease thread. */
import pg from 'pg'
import type { Logger } from 'pino'
import { clientConfigAt, type DatabaseClientConfig, type DatabasePlace } from '../connect/database-place.js'
import type { LaneFigures } from './lane-slots.js'
import { SessionLocks } from './session-locks.js'
import { createSharedPool, type LaneName } from './shared-pool.js'

/** Connections of a process beside those that its parts share: the journal, the session, and the lease thread while Redis is in doubt. */
export const UNSHARED_CONNECTIONS = 3

/** Maximum wait for connections to end. */
const CLOSE_MAX_MS = 2_000

export interface DatabaseOptions extends DatabasePlace {
  /** Maximum of connections that all lanes share. */
  readonly poolMax?: number
  readonly connectTimeoutMs?: number
  /** Time after which a statement of the API is ended, so that it cannot hold a connection for ever. */
  readonly statementTimeoutMs?: number
  /** Time after which a statement of the session that is kept is ended, and maximum wait for that session. */
  readonly sessionTimeoutMs?: number
  /** Called for each caller that had to wait for a connection. */
  readonly onWaited?: (lane: LaneName, ms: number) => void
}

export interface Database {
  /** The lane of the API. */
  readonly pool: pg.Pool
  /** The pool again, for parts whose work must not delay callers of the API. */
  readonly lanes: Readonly<Record<LaneName, pg.Pool>>
  /** The same database, as plain data. */
  readonly place: DatabasePlace
  /** Settings of a single connection to it. */
  readonly clientConfig: DatabaseClientConfig
  /** Settings of a connection with a session of its own: around a pooler, if there is one. */
  readonly direct: pg.ClientConfig
  /**
   * One connection whose session is kept for as long as it lives, around a pooler: the table of shards and nodes, and locks. Its statements
   * wait for nothing but rows of that table: they decide within `sessionTimeoutMs` what this node owns.
   */
  readonly session: pg.Pool
  /** Locks of that session. */
  readonly locks: SessionLocks
  /** Ends all connections, each when it is free, so that new ones reach the server that the settings name now. */
  reconnect(): void
  /** Counts of each lane. */
  figures(): readonly LaneFigures<LaneName>[]
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
  const { poolMax = 3, statementTimeoutMs = 30_000, sessionTimeoutMs = 5_000, connectTimeoutMs = 5_000 } = config
  const shared = createSharedPool({
    clientConfig,
    max: poolMax,
    waitMaxMs: connectTimeoutMs,
    statementTimeoutMs,
    ...(config.onWaited === undefined ? {} : { onWaited: config.onWaited }),
  })
  handleLosses(shared.connections, log)
  const ofSession = direct === undefined ? ofPlace : toClientConfig(direct, config)
  const session = openSession(ofSession, sessionTimeoutMs)
  const closed = [whenClosed(shared.connections), whenClosed(session)]
  return {
    pool: shared.lanes.api,
    lanes: shared.lanes,
    place,
    clientConfig,
    direct: ofSession,
    session,
    locks: new SessionLocks(session),
    reconnect() {
      shared.renew()
      session.connect().then(
        (client) => client.release(true),
        () => {},
      )
    },
    figures: () => shared.figures(),
    async close() {
      await Promise.all([shared.end(), session.end()])
      await Promise.all(closed.map((wait) => wait()))
    },
  }
}

function handleLosses(pool: pg.Pool, log: Logger): void {
  // Without a listener the end of PostgreSQL would end this process; the pool itself replaces the connection.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error: error.message }, 'An idle connection to PostgreSQL was lost.')
  })
  // A connection that dies while it is out of the pool reports here as well as in its query.
  pool.on('connect', (client) => client.on('error', () => {}))
}

function openSession(clientConfig: pg.ClientConfig, timeoutMs: number): pg.Pool {
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
