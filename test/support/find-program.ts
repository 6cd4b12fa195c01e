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
/** The folders of packages of servers are in the PATH of root only. */
const FOLDERS = ['', '/usr/sbin/', '/usr/local/sbin/']

/** Returns the program of the machine, one fetched before, or one fetched now. @throws what apt says when there is none */
export async function findProgram(wanted: DebianProgram): Promise<FetchedProgram> {
  for (const folder of FOLDERS) {
    const program = `${folder}${wanted.name}`
    if (await runs(program, wanted.showVersion)) return { program, environment: process.env }
  }
  // For where there is no writable home folder.
  const folder = testCacheFolder()
  return cachedProgram(wanted, folder) ?? (await fetchProgram(wanted, folder))
}

async function runs(program: string, showVersion: string): Promise<boolean> {
  return run(program, [showVersion], { timeout: 60_000 }).then(
    () => true,
    () => false,
  )
}
