/** Dumps an external database by `pg_dump`, and puts a dump back in one transaction, so that a restore that fails changes nothing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { OperatorError } from '../../schemas/operator-error.js'
import { readMigrations } from '../store/migrate.js'
import type { ClientPlace, ClientPrograms } from './client-programs.js'
import type { Manifest } from './manifest.js'

// Ours: answers of PostgreSQL's programs.

export type DumpFacts = NonNullable<Manifest['dump']>

/** Returns null when no gateway has used the database. */
export async function readDumpFacts(client: ClientBase): Promise<DumpFacts | null> {
  const { rows } = await client.query<{ schemaName: string; has: boolean; hasTrigrams: boolean }>(
    `SELECT current_schema() AS "schemaName", to_regclass('migration') IS NOT NULL AND to_regclass('meta') IS NOT NULL AS has,
       EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS "hasTrigrams"`,
  )
  const [found] = rows
  if (found === undefined || !found.has) return null
  const { rows: migrations } = await client.query<{ migration: number; oldest: number }>(
    'SELECT max(version) AS migration, max(oldest) AS oldest FROM migration',
  )
  const { migration = 0, oldest = 0 } = migrations[0] ?? {}
  return { schemaName: found.schemaName, hasTrigrams: found.hasTrigrams, migration, oldest }
}

/**
 * A backup has the whole schema, and a restore replaces all of it.
 * @throws OperatorError when other programs, or a newer release, have tables there
 */
export async function assertOnlyOurs(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class AS c WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
       AND relname <> ALL ($1) AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
     ORDER BY relname LIMIT 5`,
    [ourTables()],
  )
  if (rows.length === 0) return
  throw new OperatorError(
    `The schema of DATABASE_URL also has tables that this program does not know (${rows.map(({ name }) => name).join(', ')}). A backup and a restore take the whole schema: give the gateway a schema or a database of its own, or use the release that made these tables.`,
  )
}

function ourTables(): string[] {
  const made = readMigrations().flatMap(({ sql }) =>
    [...sql.matchAll(/^\s*CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(([, name]) => name ?? ''),
  )
  return ['migration', ...made]
}

/** Returns the time at which the dump began; everything committed before is in it. */
export async function dumpDatabase(
  { dump }: ClientPrograms,
  { url, environment }: ClientPlace,
  { schemaName }: DumpFacts,
  file: string,
): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments', '--lock-wait-timeout=60s']
  const child = spawn(dump, [...options, `--schema=${quoted(schemaName)}`, `--file=${file}`, `--dbname=${url}`], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = collect(child)
  await mustSucceed('pg_dump', child, said)
}

const TRIES = 10
/** A deadlock, a lock that did not come in time, and a transaction that cannot be ordered: PostgreSQL's words are in the language of the server. */
const LOCK_FAILURES = /\b(40P01|55P03|40001)\b/

/**
 * Replaces our tables by those of the dump. Nodes that run wait meanwhile, and see the restored tables afterwards; `finish` are statements
 * that end the same transaction.
 */
export async function restoreDump(
  programs: ClientPrograms,
  place: ClientPlace,
  facts: DumpFacts,
  { file, schemaName, finish }: { readonly file: string; readonly schemaName: string; readonly finish: string },
): Promise<void> {
  if (facts.schemaName !== schemaName)
    throw new OperatorError(
      `The backup has the schema "${facts.schemaName}" of PostgreSQL, and DATABASE_URL leads to "${schemaName}"; set search_path to the former one.`,
    )
  for (let tries = 1; ; tries += 1) {
    try {
      return await restoreOnce(programs, place, facts, file, finish)
    } catch (error) {
      // A node at work and the restore may wait for each other's tables.
      if (tries === TRIES || !LOCK_FAILURES.test(String((error as Error).message))) throw error
    }
    await pause(500)
  }
}

async function restoreOnce(
  { restore, psql }: ClientPrograms,
  { url, environment }: ClientPlace,
  { schemaName, hasTrigrams }: DumpFacts,
  file: string,
  finish: string,
): Promise<void> {
  const writer = spawn(
    psql,
    ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--set=VERBOSITY=verbose', `--dbname=${url}`],
    {
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  )
  const writerSaid = collect(writer)
  const ended = once(writer, 'close')
  // It may end before everything is written: its own words say why.
  writer.stdin?.on('error', () => undefined)
  // Notices about dropped objects would stand in the place of the error, in the language of the server.
  writer.stdin?.write(`BEGIN;\nSET LOCAL client_min_messages = error;\nSET LOCAL lock_timeout = '20s';\n${DROP_OURS}\n`)
  if (hasTrigrams) writer.stdin?.write('CREATE EXTENSION IF NOT EXISTS pg_trgm;\n')
  // Unlike pg_dump, it takes the name of the schema as it is.
  const reader = spawn(
    restore,
    ['--no-owner', '--no-privileges', '--no-comments', `--schema=${schemaName}`, '--file=-', file],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const readerSaid = collect(reader)
  const readerEnded = once(reader, 'close')
  if (reader.stdout !== null && writer.stdin !== null)
    await pipeline(reader.stdout, writer.stdin, { end: false }).catch(() => reader.kill())
  const [code] = (await readerEnded) as [number | null]
  // Without COMMIT, the end of the connection takes everything back.
  const last = `\nSET search_path TO ${quoted(schemaName)};\n${finish}\nCOMMIT;\n`
  writer.stdin?.end(code === 0 ? last : '')
  const [written] = (await ended) as [number | null]
  if (written !== 0) throw failure('psql', writerSaid())
  if (code !== 0) throw failure('pg_restore', readerSaid())
}

/** Drops what is in the schema, which is all ours (`assertOnlyOurs`), and leaves what belongs to an extension. */
const DROP_OURS = `DO $posthorn$
DECLARE one record;
BEGIN
  FOR one IN SELECT format('%I.%I', current_schema(), relname) AS name, relkind FROM pg_class AS c
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('e', 'i', 'a'))
    ORDER BY relkind, relname
  LOOP
    EXECUTE CASE one.relkind WHEN 'v' THEN 'DROP VIEW IF EXISTS ' WHEN 'm' THEN 'DROP MATERIALIZED VIEW IF EXISTS '
      WHEN 'S' THEN 'DROP SEQUENCE IF EXISTS ' ELSE 'DROP TABLE IF EXISTS ' END || one.name || ' CASCADE';
  END LOOP;
  FOR one IN SELECT oid::regprocedure::text AS name FROM pg_proc AS p WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
  LOOP
    EXECUTE 'DROP ROUTINE IF EXISTS ' || one.name || ' CASCADE';
  END LOOP;
  FOR one IN SELECT format('%I.%I', current_schema(), typname) AS name FROM pg_type AS y
    WHERE typnamespace = current_schema()::regnamespace AND typtype IN ('e', 'd')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass AND objid = y.oid AND deptype = 'e')
  LOOP
    EXECUTE 'DROP TYPE IF EXISTS ' || one.name || ' CASCADE';
  END LOOP;
END $posthorn$;`

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

const SAID_MAX = 8_192

function collect(child: ChildProcess): () => string {
  let said = ''
  child.stderr?.on('data', (data: Buffer) => (said = `${said}${data.toString()}`.slice(-SAID_MAX)))
  return () => said
}

async function mustSucceed(name: string, child: ChildProcess, said: () => string): Promise<void> {
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw failure(name, said())
}

function failure(name: string, said: string): OperatorError {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.filter((line) => /error|fatal|denied|: +[0-9A-Z]{5}: /i.test(line)).slice(0, 3)
  return new OperatorError(`${name} failed: ${(reason.length > 0 ? reason : lines.slice(-3)).join(' ')}`)
}
