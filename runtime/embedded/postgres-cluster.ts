/** The folder in which PostgreSQL keeps its data: made once and whole, or checked that it is one of this version. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../schemas/operator-error.js'
import type { PostgresBinaries } from './postgres-binaries.js'
import type { PostgresUser } from './postgres-user.js'

// Ours: files and answers of our own programs.

export const databaseUser = 'posthorn'

const run = promisify(execFile)
const draftPrefix = 'postgresql.new-'
/** Stands in the name of the folder that a restore has put aside. */
export const FORMER_MARK = '.before-'

/** @throws OperatorError when the folder is damaged, of another version, or cannot be made */
export async function ensureCluster(folder: string, binaries: PostgresBinaries, user: PostgresUser): Promise<void> {
  const entries = listEntries(folder)
  if (entries === undefined) refuseCutOffRestore(folder)
  removeDrafts(path.dirname(folder))
  if (entries === undefined || entries.length === 0) return await initialise(folder, binaries, user)
  const version = readVersion(folder)
  if (version === undefined) {
    throw new OperatorError(
      `The folder ${folder} is damaged: it has no PG_VERSION. Restore the data folder from a backup, or set DATA_DIR to a new one.`,
    )
  }
  if (version !== String(binaries.major)) {
    throw new OperatorError(
      `The folder ${folder} was made by PostgreSQL ${version}, this gateway carries ${binaries.major}; go back to the version of the gateway that made it and move the data with pg_dump, or set DATA_DIR to a new folder.`,
    )
  }
  user.own(folder)
}

/**
 * Size of a file of PostgreSQL's log. In a young database there is no old file to use again, and a COMMIT waits until a new one is filled with zeros: 50 to
 * 100 ms for 16 MB, the default.
 */
const WAL_SEGMENT_MB = 4

/** Made beside its place and moved there when it is whole, so that a crash amid it leaves nothing half-made. */
async function initialise(folder: string, binaries: PostgresBinaries, user: PostgresUser): Promise<void> {
  const draft = path.join(path.dirname(folder), `${draftPrefix}${process.pid}`)
  mkdirSync(draft, { mode: 0o700 })
  user.own(draft)
  const command = user.command(binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${databaseUser}`,
    '--encoding=UTF8',
    `--wal-segsize=${WAL_SEGMENT_MB}`,
    ...localeArguments(binaries.major),
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ])
  const { program, arguments: args, ...identity } = command
  try {
    await run(program, [...args], { env: binaries.environment, cwd: '/', timeout: 120_000, ...identity })
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw new OperatorError(`PostgreSQL could not make its folder ${folder}: ${reason(error)}`, { cause: error })
  }
}

/** Letters of every language have upper and lower case, and the order is that of code points, on each machine the same. */
function localeArguments(major: number): string[] {
  if (major >= 17) return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return ['--locale=C.UTF-8']
}

/** A restore that was cut off between its two moves left no folder: an empty database in its place would look like the loss of everything. */
function refuseCutOffRestore(folder: string): void {
  const mark = `${path.basename(folder)}${FORMER_MARK}`
  const former = readdirSync(path.dirname(folder)).filter((name) => name.startsWith(mark))
  if (former.length === 0) return
  throw new OperatorError(
    `A restore was cut off: ${folder} is missing, and its former content is in ${former.sort().at(-1)} beside it. Run posthorn restore again, or rename that folder to ${path.basename(folder)}.`,
  )
}

function removeDrafts(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(draftPrefix)) rmSync(path.join(parent, name), { recursive: true, force: true })
  }
}

function listEntries(folder: string): string[] | undefined {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return undefined
  return readdirSync(folder)
}

function readVersion(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return undefined
  }
}

function reason(error: unknown): string {
  const stderr = (error as { stderr?: string }).stderr ?? ''
  if (/No space left/i.test(stderr)) return 'the disk is full; free some space and start again.'
  const line = stderr.split('\n').find((text) => /error|fatal|could not/i.test(text))
  return line?.replace(/^.*?(FATAL|PANIC|error):\s*/, '').trim() ?? (error as Error).message
}
