/** A PHP for the examples: that of the machine, one fetched before, or one fetched now. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { cachedProgram, type DebianProgram, fetchProgram } from '../../runtime/embedded/debian-program.js'
import { testCacheFolder } from './cache-folder.js'

const run = promisify(execFile)

/** Its package and its file bear the version, which each release of a distribution has one of. */
const VERSIONS: Readonly<Record<string, string>> = {
  'debian 12': '8.2',
  'debian 13': '8.4',
  'ubuntu 22.04': '8.1',
  'ubuntu 24.04': '8.3',
}

/**
 * Returns a folder for the PATH with a `php` in it; null if the machine has one.
 * @throws what apt says when there is none
 */
export async function folderWithPhp(): Promise<string | null> {
  const isThere = await run('php', ['--version'], { timeout: 60_000 }).then(
    () => true,
    () => false,
  )
  return isThere ? null : await fetchedPhp()
}

async function fetchedPhp(): Promise<string> {
  const cache = testCacheFolder()
  const php = chooseProgram(distribution())
  const { program, environment } = cachedProgram(php, cache) ?? (await fetchProgram(php, cache))
  const folder = path.join(cache, 'php-bin')
  mkdirSync(folder, { recursive: true })
  // Only PHP is to find its libraries there.
  const script = `#!/bin/sh\nLD_LIBRARY_PATH='${environment.LD_LIBRARY_PATH ?? ''}' exec '${program}' "$@"\n`
  writeFileSync(path.join(folder, 'php'), script, { mode: 0o755 })
  return folder
}

function chooseProgram(release: string): DebianProgram {
  const version = VERSIONS[release]
  if (version === undefined) throw new Error(`Which PHP ${release} has is not known.`)
  return { name: 'php', packages: [`php${version}-cli`], file: `usr/bin/php${version}`, showVersion: '--version' }
}

/** Such as `debian 12`. */
function distribution(): string {
  const text = readFileSync('/etc/os-release', 'utf8')
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? ''
  return `${field('ID')} ${field('VERSION_ID')}`
}
