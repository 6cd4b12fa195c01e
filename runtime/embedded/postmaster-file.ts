/** PostgreSQL's own lock, `postmaster.pid`: who serves a folder, and at which socket. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, isZombie, programName } from './processes.js'

// Ours: a file of PostgreSQL.

export interface Postmaster {
  readonly pid: number
  readonly socketFolder: string
}

const zombiePatienceMs = 5_000

/** The living postmaster of `folder`, if there is one. What remains of a dead one is put right, so that a new one can start. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const file = path.join(folder, 'postmaster.pid')
  const [pidText, servedFolder, , , socketFolder] = readLines(file)
  const pid = Number(pidText)
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if (isRunning(pid) && isPostgres(pid) && isSame(servedFolder, folder))
    return { pid, socketFolder: socketFolder ?? '' }
  const deadline = performance.now() + zombiePatienceMs
  while (isZombie(pid) && performance.now() < deadline) await pause(50)
  disown(file, pid)
  return undefined
}

/**
 * PostgreSQL believes in any living process under the old pid, also when the pid now belongs to another program (in a container
 * that is the rule) or to a zombie that nobody reaps. It never believes in its own parent, so we write our pid there.
 * The rest of the file stays: by it PostgreSQL finds backends that outlived their postmaster, and waits for them.
 */
function disown(file: string, pid: number): void {
  const lines = readLines(file)
  if (Number(lines[0]) !== pid) return
  writeFileSync(file, [process.pid, ...lines.slice(1)].join('\n'))
}

function isPostgres(pid: number): boolean {
  const name = programName(pid)
  return name === undefined || name.startsWith('postgres')
}

function isSame(served: string | undefined, folder: string): boolean {
  try {
    return realpathSync(served ?? '') === realpathSync(folder)
  } catch {
    return false
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
