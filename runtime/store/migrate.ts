/**
 * Brings the schema up to the program, forward only; several nodes may start at once, and older ones may be at work
 * (docs/decisions/0012-mixed-versions.md).
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { packageRoot } from '../../lib/package-root.js'
import { OperatorError } from '../../schemas/operator-error.js'
import type { Encryption } from './encryption.js'
import { recordShards } from './shard-count.js'

// Ours: names of our own files.

export interface Installation {
  /** Made once per database. */
  readonly id: string
  readonly schemaVersion: number
  /** Number of shards of the cluster. */
  readonly shards: number
}

interface MigrateOptions {
  readonly files?: readonly Migration[]
  /** CLUSTER_SHARDS: the number of shards that the cluster must have, and gets at its first start. */
  readonly shards?: number | undefined
}

/** Any number that nobody else on this database uses for an advisory lock: 'post' in ASCII. */
export const MIGRATION_LOCK = 0x706f7374

/**
 * Applies what is missing, each migration in its own transaction, under a lock of the database. One with a lower number than others that were
 * applied is made up for: it may have been finished after them.
 * @throws OperatorError: PostgreSQL was not reached or not free, the schema is too new for the program, the encryption key is another
 * one, or the cluster has another number of shards.
 */
export async function migrate(
  pool: pg.Pool,
  encryption: Encryption,
  { files = readMigrations(), shards }: MigrateOptions = {},
): Promise<Installation> {
  const client = await firstConnection(pool)
  let broken: Error | undefined
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      const { applied, oldest } = await appliedVersions(client)
      const newest = files.at(-1)?.version ?? 0
      if (oldest > newest) {
        throw new OperatorError(
          `The database has schema ${Math.max(0, ...applied)}, which only versions that know ${oldest} can use, and this one knows only ${newest}: a newer version has run on it. Start that version, or a newer one.`,
        )
      }
      for (const file of files) {
        if (!applied.has(file.version)) await apply(client, file)
      }
      const id = await checkInstallation(client, encryption)
      return { id, schemaVersion: newest, shards: await recordShards(client, shards) }
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch((error: Error) => {
        broken = error
      })
    }
  } finally {
    client.release(broken)
  }
}

/** Checks PostgreSQL at the start of a node, so that its operator learns here why it cannot be used. */
async function firstConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  return await pool.connect().catch((error: Error & { code?: string }) => {
    throw notReached(error)
  })
}

/** Explains to an operator that there is no connection. */
export function notReached(error: Error & { code?: string }, setting = 'DATABASE_URL'): OperatorError {
  return new OperatorError(
    `PostgreSQL was not reached (${error.message || error.code}); see what docs/reference/configuration.md says of ${setting} and DATABASE_TLS_CA_FILE.`,
    { cause: error },
  )
}

export interface Migration {
  readonly version: number
  readonly name: string
  /** Programs that know less than this schema cannot live with it: its first line is `--! oldest 15`. 0 when it only adds. */
  readonly oldest: number
  readonly sql: string
}

/** `migrations/0001_name.sql …`, in order. */
export function readMigrations(): readonly Migration[] {
  return migrationsIn(path.join(packageRoot, 'runtime/store/migrations'))
}

export function migrationsIn(folder: string): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ name, sql: readFileSync(path.join(folder, name), 'utf8') }))
    .map(({ name, sql }) => ({ version: Number(name.slice(0, 4)), name, oldest: readOldest(sql), sql }))
}

function readOldest(sql: string): number {
  return Number(/^--! oldest (\d+)\n/.exec(sql)?.[1] ?? 0)
}

async function appliedVersions(client: pg.PoolClient): Promise<{ applied: ReadonlySet<number>; oldest: number }> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now())',
  )
  await client.query('ALTER TABLE migration ADD COLUMN IF NOT EXISTS oldest integer NOT NULL DEFAULT 0')
  const { rows } = await client.query<{ version: number; oldest: number }>('SELECT version, oldest FROM migration')
  return {
    applied: new Set(rows.map(({ version }) => version)),
    oldest: Math.max(0, ...rows.map(({ oldest }) => oldest)),
  }
}

/**
 * A change of a table waits for whoever reads it, and everybody after that waits for the change: it gives way soon, and tries again, so
 * that nodes at work go on behind a long read.
 */
const LOCK_WAIT_MS = 2_000
const LOCK_PAUSE_MS = 1_000
const LOCK_TRIES = 30
/** Not available in time, or a deadlock that ended this side. */
const LOCK_FAILURES = new Set<string | undefined>(['55P03', '40P01'])

async function apply(client: pg.PoolClient, file: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query('BEGIN')
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`)
      await client.query(file.sql)
      await client.query('INSERT INTO migration (version, name, oldest) VALUES ($1, $2, $3)', [
        file.version,
        file.name,
        file.oldest,
      ])
      await client.query('COMMIT')
      return
    } catch (error) {
      await client.query('ROLLBACK')
      if (!LOCK_FAILURES.has((error as { code?: string }).code) || tries === LOCK_TRIES)
        throw new OperatorError(`The migration ${file.name} failed: ${(error as Error).message}`, { cause: error })
    }
    await pause(LOCK_PAUSE_MS)
  }
}

const CHECK_TEXT = 'posthorn encryption check'

async function checkInstallation(client: pg.PoolClient, encryption: Encryption): Promise<string> {
  const id = randomUUID()
  const check = encryption.seal(Buffer.from(CHECK_TEXT), 'meta', 'check').toString('base64')
  await client.query(
    "INSERT INTO meta (key, value) VALUES ('installation', $1), ('check', $2), ('format', '1') ON CONFLICT DO NOTHING",
    [id, check],
  )
  const { rows } = await client.query<{ key: string; value: string }>('SELECT key, value FROM meta')
  const meta = new Map(rows.map((row) => [row.key, row.value]))
  const sealed = Buffer.from(meta.get('check') ?? '', 'base64')
  try {
    encryption.open(sealed, 'meta', 'check')
  } catch (error) {
    throw new OperatorError(
      'ENCRYPTION_KEY is not the key with which this database was written. Set the former key, or name it in ENCRYPTION_KEYS_OLD.',
      { cause: error },
    )
  }
  if (!encryption.isCurrent(sealed)) {
    await client.query("UPDATE meta SET value = $1 WHERE key = 'check'", [check])
  }
  return meta.get('installation') ?? id
}
