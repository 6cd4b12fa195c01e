/**
 * Redis from the packages of Debian and its children, without root and without touching the system: apt downloads them with
 * its own configuration and checks their signatures, in folders of ours; dpkg-deb unpacks them. Some 4 s and 14 MB.
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
import type { RedisBinary } from './redis-binary.js'

const run = promisify(execFile)
const programInside = path.join('usr', 'bin', 'redis-server')
const timeoutMs = 180_000

/** Part of every system that has dpkg. */
const alwaysThere = new Set(['libc6', 'libgcc-s1', 'libstdc++6'])

/** One that was fetched before, for this release of the distribution. */
export function cachedRedis(dataFolder: string): RedisBinary | undefined {
  const found = [homeCache(), path.join(dataFolder, 'cache')]
    .flatMap((cache) => (cache === undefined ? [] : [path.join(cache, cacheName())]))
    .find((folder) => existsSync(path.join(folder, programInside)))
  return found === undefined ? undefined : binaryIn(found)
}

/**
 * Fetch it into the user's cache folder, or into the data folder when there is none.
 * @throws what apt says
 */
export async function fetchRedis(dataFolder: string): Promise<RedisBinary> {
  const cache = writableCache(dataFolder)
  const work = mkdtempSync(path.join(cache, 'fetching-'))
  try {
    const apt = createApt(work)
    const archives = path.join(work, 'archives')
    mkdirSync(archives)
    try {
      await download(apt.withSystemLists, archives)
    } catch {
      await apt.update()
      await download(apt.withOwnLists, archives)
    }
    const root = path.join(work, 'root')
    for (const archive of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', path.join(archives, archive), root], { timeout: timeoutMs })
    }
    const draft = binaryIn(root)
    await run(draft.program, ['--version'], { env: draft.environment, timeout: timeoutMs })
    return binaryIn(moveIntoPlace(root, path.join(cache, cacheName())))
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

/** The libraries have other names in each release, so apt is asked for them. */
async function download(apt: Tool, archives: string): Promise<void> {
  const packages = ['redis-server', 'redis-tools']
  const depends = await apt('apt-cache', ['depends', ...packages])
  const libraries = [...depends.matchAll(/^\s*\|?(?:Pre)?Depends: ((?:lib|lua)[a-z0-9.+-]+)$/gm)]
    .map((match) => match[1]!)
    .filter((name) => !alwaysThere.has(name))
  if (libraries.length === 0) throw new Error('apt knows no redis-server')
  await apt('apt-get', ['download', '--quiet', ...new Set([...packages, ...libraries])], archives)
}

function binaryIn(root: string): RedisBinary {
  const libraries = [path.join(root, 'usr', 'lib'), path.join(root, 'lib')]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [
      folder,
      ...readdirSync(folder)
        .filter((name) => /-linux-/.test(name))
        .map((name) => path.join(folder, name)),
    ])
  return {
    program: path.join(root, programInside),
    environment: { ...process.env, LD_LIBRARY_PATH: libraries.join(path.delimiter) },
  }
}

/** Two may fetch at the same time; the one who comes second takes what the first one left. */
function moveIntoPlace(root: string, place: string): string {
  try {
    renameSync(root, place)
  } catch (error) {
    if (!existsSync(path.join(place, programInside))) throw error
  }
  return place
}

function writableCache(dataFolder: string): string {
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

function cacheName(): string {
  return `redis-${release()}-${process.arch}`
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
