/** Which PgBouncer to run: the one of the machine, one fetched before, or one fetched now. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  cachedProgram,
  type DebianProgram,
  type FetchedProgram,
  fetchProgram,
} from '../../runtime/embedded/debian-program.js'
import { testCacheFolder } from './cache-folder.js'

const run = promisify(execFile)
const pgbouncer: DebianProgram = {
  name: 'pgbouncer',
  packages: ['pgbouncer'],
  file: 'usr/sbin/pgbouncer',
  showVersion: '--version',
}
/** The folders of its packages are in the PATH of root only. */
const ofMachine = ['pgbouncer', '/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer']

/** @throws what apt says when there is none */
export async function findPgbouncer(): Promise<FetchedProgram> {
  for (const program of ofMachine) if (await runs(program)) return { program, environment: process.env }
  // For where there is no writable home folder.
  const folder = testCacheFolder()
  return cachedProgram(pgbouncer, folder) ?? (await fetchProgram(pgbouncer, folder))
}

async function runs(program: string): Promise<boolean> {
  return run(program, [pgbouncer.showVersion], { timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}
