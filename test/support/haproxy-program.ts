/** Which HAProxy to run: the one of the machine, one fetched before, or one fetched now. */
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
const haproxy: DebianProgram = {
  name: 'haproxy',
  packages: ['haproxy'],
  file: 'usr/sbin/haproxy',
  showVersion: '-v',
}
/** The folders of its packages are in the PATH of root only. */
const ofMachine = ['haproxy', '/usr/sbin/haproxy', '/usr/local/sbin/haproxy']

/** @throws what apt says when there is none */
export async function findHaproxy(): Promise<FetchedProgram> {
  for (const program of ofMachine) if (await runs(program)) return { program, environment: process.env }
  // For where there is no writable home folder.
  const folder = testCacheFolder()
  return cachedProgram(haproxy, folder) ?? (await fetchProgram(haproxy, folder))
}

async function runs(program: string): Promise<boolean> {
  return run(program, [haproxy.showVersion], { timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}
