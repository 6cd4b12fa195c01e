/**
 * A program from the packages of Debian and its children, without root and without touching the system: apt downloads them with
 * its own configuration and checks their signatures, in folders of ours; dpkg-deb unpacks them.
 */
import { execFile } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

// Ours: files and answers of our own programs.

export interface DebianProgram {
  /** Of its folder in the cache. */
  readonly name: string
  /** Packages with the program. Their libraries are found by themselves. */
  readonly packages: readonly string[]
  /** Where it is in them. */
  readonly file: string
  /** Folders below those of libraries in which packages keep some for themselves. */
  readonly privateLibraries?: readonly string[]
  /** The argument with which it tells its version and ends: whether it runs here. */
  readonly showVersion: string
}

export interface FetchedProgram {
  readonly program: string
  /** With the way to its libraries. */
  readonly environment: NodeJS.ProcessEnv
}

const run = promisify(execFile)
const timeoutMs = 180_000

/** Part of every system that has dpkg. */
const alwaysThere = new Set(['libc6', 'libgcc-s1', 'libstdc++6'])

/** One that was fetched before, for this release of the distribution. */
export function cachedProgram(wanted: DebianProgram, dataFolder: string): FetchedProgram | undefined {
  const found = [homeCache(), path.join(dataFolder, 'cache')]
    .flatMap((cache) => (cache === undefined ? [] : [path.join(cache, cacheName(wanted))]))
    .find((folder) => existsSync(path.join(folder, wanted.file)))
  return found === undefined ? undefined : programIn(found, wanted)
}

/**
 * Fetch it into the user's cache folder, or into the data folder when there is none.
 * @throws what apt says
 */
export async function fetchProgram(wanted: DebianProgram, dataFolder: string): Promise<FetchedProgram> {
  const cache = writableCache(dataFolder)
  const work = mkdtempSync(path.join(cache, 'fetching-'))
  try {
    const apt = createApt(work)
    const archives = path.join(work, 'archives')
    mkdirSync(archives)
    try {
      await download(wanted, apt.withSystemLists, archives)
    } catch {
      await apt.update()
      await download(wanted, apt.withOwnLists, archives)
    }
    const root = path.join(work, 'root')
    for (const archive of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', path.join(archives, archive), root], { timeout: timeoutMs })
    }
    const draft = programIn(root, wanted)
    await run(draft.program, [wanted.showVersion], { env: draft.environment, timeout: timeoutMs })
    return programIn(moveIntoPlace(root, path.join(cache, cacheName(wanted)), wanted), wanted)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

type Tool = (program: 'apt-get' | 'apt-cache', args: readonly string[], cwd?: string) => Promise<string>

function createApt(work: string): { withSystemLists: Tool; withOwnLists: Tool; update: () => Promise<string> } {
  const state = path.join(work, 'state')
  const cache = path.join(work, 'cache')
  for (const folder of [path.join(state, 'lists', 'partial'), path.join(cache, 'archives', 'partial')]) {
    mkdirSync(folder, { recursive: true })
  }
  const common = [
    `Dir::Cache=${cache}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=30',
    'Acquire::https::Timeout=30',
    // As root apt would download as the user _apt, who cannot enter our folders.
    'APT::Sandbox::User=root',
  ]
  const withOwnLists = tool([...common, `Dir::State=${state}`])
  return { withSystemLists: tool(common), withOwnLists, update: () => withOwnLists('apt-get', ['update', '--quiet']) }
}

function tool(options: readonly string[]): Tool {
  const settings = options.flatMap((option) => ['-o', option])
  return async (program, args, cwd = '/') => {
    const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }
    const { stdout } = await run(program, [...settings, ...args], { cwd, env, timeout: timeoutMs })
    return stdout
  }
}

/** The libraries have other names in each release, so apt is asked for them, and for those that they need. */
async function download(wanted: DebianProgram, apt: Tool, archives: string): Promise<void> {
  const all = new Set(wanted.packages)
  for (let asked = wanted.packages; asked.length > 0; ) {
    const depends = await apt('apt-cache', ['depends', ...asked])
    asked = [...depends.matchAll(/^\s*\|?(?:Pre)?Depends: ((?:lib|lua)[a-z0-9.+-]+)$/gm)]
      .map((match) => match[1]!)
      .filter((name) => !alwaysThere.has(name) && !all.has(name))
    for (const name of asked) all.add(name)
  }
  if (all.size === wanted.packages.length) throw new Error(`apt knows no ${wanted.packages.join(', ')}`)
  await apt('apt-get', ['download', '--quiet', ...all], archives)
}

function programIn(root: string, { file, privateLibraries = [] }: DebianProgram): FetchedProgram {
  const folders = [path.join(root, 'usr', 'lib'), path.join(root, 'lib')]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [
      folder,
      ...readdirSync(folder)
        .filter((name) => /-linux-/.test(name))
        .map((name) => path.join(folder, name)),
    ])
  const libraries = folders.flatMap((folder) => [folder, ...privateLibraries.map((name) => path.join(folder, name))])
  return {
    program: path.join(root, file),
    environment: { ...process.env, LD_LIBRARY_PATH: libraries.join(path.delimiter) },
  }
}

/** Two may fetch at the same time; the one who comes second takes what the first one left. */
function moveIntoPlace(root: string, place: string, { file }: DebianProgram): string {
  try {
    renameSync(root, place)
  } catch (error) {
    if (!existsSync(path.join(place, file))) throw error
  }
  return place
}

/** The user's cache folder, or one in the data folder when there is none; it is made when it is not there. */
export function writableCache(dataFolder: string): string {
  const home = homeCache()
  if (home !== undefined) {
    try {
      mkdirSync(home, { recursive: true, mode: 0o700 })
      accessSync(home, constants.W_OK)
      return home
    } catch {
      // A home folder that is missing or read-only is usual for users that run services.
    }
  }
  const own = path.join(dataFolder, 'cache')
  mkdirSync(own, { recursive: true, mode: 0o700 })
  return own
}

function homeCache(): string | undefined {
  const base = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache')
  return path.isAbsolute(base) ? path.join(base, 'posthorn') : undefined
}

function cacheName({ name }: DebianProgram): string {
  return `${name}-${release()}-${process.arch}`
}

/** Such as `debian-12`: libraries of one release do not fit another. */
function release(): string {
  try {
    const text = readFileSync('/etc/os-release', 'utf8')
    const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? ''
    return `${field('ID')}-${field('VERSION_ID')}`.replaceAll(/[^\w.-]/g, '')
  } catch {
    return process.platform
  }
}
