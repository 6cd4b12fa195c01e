/** Which Redis to run: one of the machine, one fetched before, or one fetched now. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../schemas/operator-error.js'
import type { Logger } from '../logging.js'
import { cachedProgram, type DebianProgram, fetchProgram } from './debian-program.js'

// Ours: files and answers of our own programs.

export interface RedisBinary {
  readonly program: string
  readonly environment: NodeJS.ProcessEnv
}

const run = promisify(execFile)
const names = ['redis-server', 'valkey-server']
const extraFolders = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/opt/homebrew/bin']

/**
 * @param dataFolder where a fetched one is kept when there is no writable home folder
 * @throws OperatorError that says what to install
 */
export async function findRedis(dataFolder: string, logger: Logger): Promise<RedisBinary> {
  for (const program of candidates()) {
    if (await isNewEnough(program)) return { program, environment: process.env }
  }
  const cached = cachedRedis(dataFolder)
  if (cached !== undefined) return cached
  logger.info('no Redis on this machine, it is fetched from the signed packages of the distribution')
  try {
    return await fetchRedis(dataFolder)
  } catch (error) {
    throw new OperatorError(
      `Redis was not found and could not be fetched (${reason(error)}); install it (Debian and Ubuntu: apt-get install redis-server; Fedora: dnf install valkey; Alpine: apk add redis; macOS: brew install redis), or set REDIS_URL.`,
      { cause: error },
    )
  }
}

function candidates(): string[] {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...extraFolders].filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isExecutable)
}

/** Older ones lack commands that we use (6.2: GETDEL, LMOVE, SET with GET). */
async function isNewEnough(program: string): Promise<boolean> {
  try {
    const { stdout } = await run(program, ['--version'], { timeout: 10_000 })
    const [, major = 0, minor = 0] = (/v=(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number)
    return major > 6 || (major === 6 && minor >= 2)
  } catch {
    return false
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  const line = (stderr ?? '').split('\n').find((text) => text.startsWith('E:'))
  return line?.slice(2).trim() ?? message.split('\n')[0] ?? 'unknown reason'
}

// Redis from the packages of Debian and its children. Some 4 s and 14 MB.

const redis: DebianProgram = {
  name: 'redis',
  packages: ['redis-server', 'redis-tools'],
  file: 'usr/bin/redis-server',
  showVersion: '--version',
}

/** One that was fetched before, for this release of the distribution. */
export function cachedRedis(dataFolder: string): RedisBinary | undefined {
  return cachedProgram(redis, dataFolder)
}

/**
 * Fetch it into the user's cache folder, or into the data folder when there is none.
 * @throws what apt says
 */
export function fetchRedis(dataFolder: string): Promise<RedisBinary> {
  return fetchProgram(redis, dataFolder)
}
