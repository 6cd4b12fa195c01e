/** The pool of connections for everything but the journal, and Kysely over it. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { clientConfigAt, type DatabasePlace } from '../connect/database-place.js'
import type { Tables } from './tables.js'

export interface DatabaseConfig extends DatabasePlace {
  readonly poolMax?: number
  readonly connectTimeoutMs?: number
  /** A statement of the API that takes longer is ended, so that it cannot hold a connection for ever. */
  readonly statementTimeoutMs?: number
}

export interface Database {
  readonly pool: pg.Pool
  readonly kysely: Kysely<Tables>
  /** The same database, as plain data. */
  readonly place: DatabasePlace
  /** The settings of a single connection to it. */
  readonly clientConfig: pg.ClientConfig
  close(): Promise<void>
}

export function openDatabase(config: DatabaseConfig, log: Logger): Database {
  const clientConfig = toClientConfig(config)
  const pool = new pg.Pool({
    ...clientConfig,
    max: config.poolMax ?? 10,
    idleTimeoutMillis: 30_000,
    // Client-side: a session setting would not survive a connection pooler.
    query_timeout: config.statementTimeoutMs ?? 30_000,
  })
  // Without a listener the end of PostgreSQL would end this process; the pool itself replaces the connection.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle connection to PostgreSQL was lost'))
  // A connection that dies while it is out of the pool reports here as well as in its query.
  pool.on('connect', (client) => client.on('error', () => {}))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    pool,
    kysely,
    place: { connectionString: config.connectionString, ...(config.tls === undefined ? {} : { tls: config.tls }) },
    clientConfig,
    close: () => kysely.destroy(),
  }
}

function toClientConfig(config: DatabaseConfig): pg.ClientConfig {
  return {
    ...clientConfigAt(config),
    connectionTimeoutMillis: config.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    application_name: 'posthorn',
    types: { getTypeParser },
  }
}

const INT8 = 20

/** Our bigints count rows and milliseconds and stay below 2^53: as numbers they need no care. */
function getTypeParser(oid: number, format?: string): (value: string) => unknown {
  if (oid === INT8) return Number
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
}
