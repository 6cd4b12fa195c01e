/** The embedded PostgreSQL: found running or started, on a private unix socket, ended by a fast shutdown. */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { OperatorError } from '../../schemas/operator-error.js'
import type { PostgresBinaries } from './postgres-binaries.js'
import { databaseUser, ensureCluster } from './postgres-cluster.js'
import type { PostgresUser } from './postgres-user.js'
import { isRunning, isZombie, programName } from './processes.js'
import type { RunningServer } from './server-process.js'
import { logAfter, logEnd, runningServer, spawnServer, waitForEnd } from './server-process.js'

// Ours: files and answers of our own programs.

export interface PostgresServerOptions {
  /** PostgreSQL's own folder. */
  readonly folder: string
  readonly socketFolder: string
  readonly logFile: string
  readonly binaries: PostgresBinaries
  readonly user: PostgresUser
  /** Added to, or instead of, ours. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

export const databaseName = 'posthorn'

/** Small: one gateway is the only client. Durability stays as PostgreSQL has it by default, written out because it matters. */
const ownSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  huge_pages: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** Crash recovery of 160 MB of log took 3.8 s; a slow disk may need far longer. */
const startTimeoutMs = 120_000
const leftoverPatienceMs = 20_000
const probeTimeoutMs = 2_000
/** Under a heavy load on the disk a first connection took more than 2 s. */
const connectTimeoutMs = 30_000

const shutdown = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** Prepare the folders, once; @throws OperatorError */
export async function preparePostgres(place: PostgresServerOptions): Promise<void> {
  await ensureCluster(place.folder, place.binaries, place.user)
  mkdirSync(place.socketFolder, { recursive: true, mode: 0o700 })
  place.user.own(place.socketFolder)
}

/**
 * Adopt the postmaster of the folder, or start one; resolves when it answers and our database exists.
 * @throws OperatorError with PostgreSQL's own reason
 */
export async function startPostgres(place: PostgresServerOptions): Promise<RunningServer> {
  const server = (await adopt(place)) ?? (await startNew(place))
  await ensureDatabase(place.socketFolder)
  return server
}

async function adopt(place: PostgresServerOptions): Promise<RunningServer | undefined> {
  const postmaster = await findPostmaster(place.folder)
  if (postmaster === undefined) return undefined
  const server = runningServer(postmaster.pid, undefined, shutdown)
  if (postmaster.socketFolder !== place.socketFolder) {
    await server.stop()
    return undefined
  }
  const hasAnswered = await answers(place.socketFolder, () => isRunning(postmaster.pid))
  return hasAnswered ? server : undefined
}

/** Starts a server, and waits some seconds for the backends or the zombie that a killed postmaster left behind. */
async function startNew(place: PostgresServerOptions): Promise<RunningServer> {
  const deadline = performance.now() + leftoverPatienceMs
  for (;;) {
    // Nobody serves the folder (adopt), so what a dead one left in our private folder is in the way only: its pid may live again.
    for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
      rmSync(path.join(place.socketFolder, name), { force: true })
    const logStart = logEnd(place.logFile)
    const child = await spawnPostgres(place)
    if (await answers(place.socketFolder, () => child.exitCode === null && child.signalCode === null)) {
      return runningServer(requirePid(child), child, shutdown)
    }
    if (child.exitCode === null && child.signalCode === null) {
      await runningServer(requirePid(child), child, shutdown).stop()
      throw new OperatorError(`PostgreSQL did not answer within ${startTimeoutMs / 1000} s; see ${place.logFile}.`)
    }
    await waitForEnd(child)
    const said = logAfter(place.logFile, logStart)
    const isLeftover = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/.test(said)
    if (!isLeftover || performance.now() > deadline) throw new OperatorError(failure(place, said))
    await pause(250)
  }
}

async function spawnPostgres(place: PostgresServerOptions): Promise<ChildProcess> {
  const settings = { ...ownSettings, unix_socket_directories: place.socketFolder, ...place.settings }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return await spawnServer({
    ...place.user.command(place.binaries.postgres, ['-D', place.folder, ...options]),
    environment: place.binaries.environment,
    logFile: place.logFile,
  })
}

function requirePid(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('a spawned process has a pid')
  return child.pid
}

function failure(place: PostgresServerOptions, said: string): string {
  // Our own questions are answered by a FATAL of their own while it starts.
  const lines = said.split('\n').filter((line) => !/the database system is/.test(line))
  const reasons = lines.filter((line) => /FATAL|PANIC|error while loading|No space left/.test(line))
  const reason = (reasons.at(-1) ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC):\s*/, '')
  if (/No space left/i.test(said)) {
    return `PostgreSQL does not start, since the disk of ${place.folder} is full; free some space and start again.`
  }
  return `PostgreSQL does not start in ${place.folder}: ${reason}. See ${place.logFile}; if the folder is damaged, restore the data folder from a backup or set DATA_DIR to a new one.`
}

/** True when a server at the socket takes queries; false when `isAlive` says that nobody will, or the time is over. */
async function answers(socketFolder: string, isAlive: () => boolean): Promise<boolean> {
  const deadline = performance.now() + startTimeoutMs
  while (performance.now() < deadline) {
    try {
      await withClient(socketFolder, probeTimeoutMs, (client) => client.query('select 1'))
      return true
    } catch {
      if (!isAlive()) return false
      await pause(20)
    }
  }
  return false
}

async function ensureDatabase(socketFolder: string): Promise<void> {
  await withClient(socketFolder, connectTimeoutMs, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [databaseName])
    if (found.rowCount === 0) await client.query(`create database ${databaseName}`)
  })
}

async function withClient<T>(host: string, timeoutMs: number, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    host,
    database: 'postgres',
    user: databaseUser,
    connectionTimeoutMillis: timeoutMs,
  })
  // A connection that breaks later than its query is of no interest here, but must not end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

// PostgreSQL's own lock, `postmaster.pid`: who serves a folder, and at which socket.

// Ours: a file of PostgreSQL.

interface Postmaster {
  readonly pid: number
  readonly socketFolder: string
}

const zombiePatienceMs = 5_000

/** The living postmaster of `folder`, if there is one. What remains of a dead one is put right, so that a new one can start. */
async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
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
