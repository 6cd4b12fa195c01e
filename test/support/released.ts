/** The release before this version, as `scripts/release.ts` has recorded it: its schema, rows that it wrote, and its program from git. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ClientBase } from 'pg'
import { packageRoot } from '../../lib/package-root.js'
import type { Migration } from '../../runtime/store/migrate.js'

const run = promisify(execFile)

export const RECORD_FILE = path.join(packageRoot, 'test/upgrade/released.json')

export interface Released {
  readonly version: string
  readonly commit: string
  /** The migrations that it knows, by name, with the SHA-256 of their text. */
  readonly migrations: Readonly<Record<string, string>>
  readonly columns: Columns
  /** Base64, of the key under which its rows are sealed. */
  readonly encryptionKey: string
  /** The rows of each table that has some. */
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/** `table.column` with its type, and whether a row may be written without it. */
export type Columns = Readonly<Record<string, { readonly type: string; readonly isOptional: boolean }>>

export function readReleased(): Released {
  return JSON.parse(readFileSync(RECORD_FILE, 'utf8')) as Released
}

export function computeHashes(
  migrations: readonly Pick<Migration, 'name' | 'sql'>[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(migrations.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]))
}

export async function columnsIn(client: ClientBase): Promise<Columns> {
  const { rows } = await client.query<{ name: string; type: string; optional: boolean }>(
    `SELECT c.table_name || '.' || c.column_name AS name, c.udt_name AS type,
       c.is_nullable = 'YES' OR c.column_default IS NOT NULL OR c.is_identity = 'YES' OR c.is_generated = 'ALWAYS' AS optional
     FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> 'migration' ORDER BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, type, optional }) => [name, { type, isOptional: optional }]))
}

/** Null in a copy of the tree without the history. */
export async function findCommit(commit: string): Promise<string | null> {
  const git = (...given: string[]) => run('git', ['-C', packageRoot, ...given])
  return await git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}

/** Returns the program in the folder of a built commit. Commits up to release 0.2.0 have it at the top. */
export function chooseProgram(built: string): string {
  const [former, present] = [path.join(built, 'dist/main.js'), path.join(built, 'dist/runtime/main.js')]
  return existsSync(former) ? former : present
}

/** Builds the program of a commit, with the packages of this tree; resolves with its folder. */
export async function buildCommit(commit: string, folder: string): Promise<string> {
  const built = path.join(folder, commit)
  if (existsSync(chooseProgram(built))) return built
  mkdirSync(built, { recursive: true })
  const archive = path.join(folder, `${commit}.tar`)
  await run('git', ['-C', packageRoot, 'archive', '--output', archive, commit])
  await run('tar', ['-xf', archive, '-C', built])
  symlinkSync(path.join(packageRoot, 'node_modules'), path.join(built, 'node_modules'))
  writeFileSync(
    path.join(built, 'tsconfig.program.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      include: ['main.ts', ...['actors', 'api', 'runtime', 'schemas'].map((room) => `${room}/**/*.ts`)],
      exclude: ['**/*.test.ts', '**/*.integration.ts', '**/*.faults.ts', '**/*.long.ts'],
    }),
  )
  await run(
    process.execPath,
    [path.join(packageRoot, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.program.json'],
    {
      cwd: built,
    },
  )
  return built
}
