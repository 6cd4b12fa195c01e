/** Brings the schema up to the program, over connections that lead where the settings say. */
import pg from 'pg'
import { OperatorError } from '../../schemas/operator-error.js'
import type { Database } from './database.js'
import type { Encryption } from './encryption.js'
import { type Installation, migrate, notReached } from './migrate.js'

/**
 * Migrates an external database past its pooler, if there is one: the lock of migrations belongs to a session.
 * @param shards CLUSTER_SHARDS
 * @throws OperatorError also when a pooler is where the settings name none, or the two addresses lead to two databases
 */
export async function prepareSchema(
  database: Database,
  encryption: Encryption,
  shards?: number,
): Promise<Installation> {
  const { pool, place, direct } = database
  if (place.direct === undefined) {
    await requireSession('DATABASE_URL', direct)
    return await migrate(pool, encryption, { shards })
  }
  await requireSession('DATABASE_DIRECT_URL', direct)
  const directPool = new pg.Pool({ ...direct, max: 1 })
  directPool.on('error', () => {})
  try {
    const installation = await migrate(directPool, encryption, { shards })
    await requireSame(pool, installation)
    return installation
  } finally {
    await directPool.end()
  }
}

async function requireSession(setting: string, config: pg.ClientConfig): Promise<void> {
  const isKept = await isSessionKept(config).catch((error: Error) => {
    throw notReached(error, setting)
  })
  if (isKept) return
  const remedy =
    setting === 'DATABASE_URL'
      ? 'Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to PostgreSQL itself, or let the pooler keep sessions (pool_mode = session).'
      : 'It must lead to PostgreSQL itself, past the pooler.'
  throw new OperatorError(`${setting} leads to a pooler that gives each transaction another session. ${remedy}`)
}

async function requireSame(pool: pg.Pool, { id }: Installation): Promise<void> {
  const { rows } = await pool
    .query<{ value: string }>("SELECT value FROM meta WHERE key = 'installation'")
    .catch((error: Error & { code?: string }) => {
      // The schema is there: the direct way has just made it.
      if (error.code === '42P01') return { rows: [] }
      throw new OperatorError(`The pooler of DATABASE_URL was not reached (${error.message || error.code}).`, {
        cause: error,
      })
    })
  if (rows[0]?.value !== id)
    throw new OperatorError(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to two different databases; name the same one in both.',
    )
}

const BACKEND = 'SELECT pg_backend_pid() AS pid'

/**
 * Returns false when two connections were given one session of PostgreSQL, or one connection two: a pooler changes sessions between
 * transactions. On a busy pooler this may stay hidden.
 * @throws the error of the connection
 */
export async function isSessionKept(config: pg.ClientConfig): Promise<boolean> {
  const [one, other] = [new pg.Client(config), new pg.Client(config)]
  for (const client of [one, other]) client.on('error', () => {})
  try {
    await one.connect()
    await other.connect()
    const first = await findBackend(one)
    // The session that is free now is most likely the one of before, which the transaction keeps.
    await other.query('BEGIN')
    const held = await findBackend(other)
    const second = await findBackend(one)
    await other.query('ROLLBACK')
    return first === second && first !== held
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => {})))
  }
}

async function findBackend(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>(BACKEND)).rows[0]?.pid
}
