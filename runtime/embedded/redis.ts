/**
 * The embedded Redis: found running or started, on a private unix socket, with an append-only file.
 * Redis has no lock on its folder, and two servers on one folder start without a word, so the socket is asked first.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { OperatorError } from '../../schemas/operator-error.js'
import { hasEndedWithin, isRunning, programName } from './processes.js'
import type { RedisBinary } from './redis-binary.js'
import { infoField, redisInfo } from './redis-probe.js'
import type { RunningServer } from './server-process.js'
import { logAfter, logEnd, runningServer, spawnServer } from './server-process.js'

// Ours: files and answers of our own programs.

export interface RedisServerOptions {
  /** Where it keeps its data. */
  readonly folder: string
  readonly socket: string
  readonly logFile: string
  readonly binary: RedisBinary
  /** Further options, as on its command line. */
  readonly options?: readonly string[] | undefined
}

const startTimeoutMs = 60_000
const silencePatienceMs = 15_000

const shutdown = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** @throws OperatorError with the reason that Redis gives */
export async function startRedis(place: RedisServerOptions): Promise<RunningServer> {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 })
  return (await adopt(place)) ?? (await startNew(place))
}

async function adopt(place: RedisServerOptions): Promise<RunningServer | undefined> {
  const recorded = recordedPid(place)
  const answeringPid = await firstAnswer(
    place.socket,
    silencePatienceMs,
    () => recorded !== undefined && isRedis(recorded),
  )
  if (answeringPid !== undefined) return runningServer(answeringPid, undefined, shutdown)
  if (recorded === undefined || !isRedis(recorded) || (await hasEndedWithin(recorded, silencePatienceMs)))
    return undefined
  throw new OperatorError(
    `Redis (process ${recorded}) runs on ${place.folder} but does not answer; end it with kill -9 ${recorded}.`,
  )
}

async function startNew(place: RedisServerOptions): Promise<RunningServer> {
  const logStart = logEnd(place.logFile)
  const child = await spawnServer({
    program: place.binary.program,
    arguments: commandLine(place),
    environment: place.binary.environment,
    logFile: place.logFile,
  })
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const pid = await firstAnswer(place.socket, startTimeoutMs, isAlive)
  if (pid !== undefined && pid === child.pid) return runningServer(pid, child, shutdown)
  if (child.pid !== undefined && isAlive()) await runningServer(child.pid, child, shutdown).stop()
  throw new OperatorError(failure(place, logAfter(place.logFile, logStart)))
}

function commandLine(place: RedisServerOptions): string[] {
  return [
    ['--port', '0'],
    ['--unixsocket', place.socket],
    ['--unixsocketperm', '600'],
    ['--dir', place.folder],
    ['--pidfile', pidFile(place)],
    ['--daemonize', 'no'],
    ['--save', ''],
    // At most a second is lost, and only in a power cut; what must not be lost is in SQL.
    ['--appendonly', 'yes'],
    ['--appendfsync', 'everysec'],
    // A queue that forgets entries when memory is short would be worse than one that refuses them.
    ['--maxmemory-policy', 'noeviction'],
    place.options ?? [],
  ].flat()
}

function failure(place: RedisServerOptions, said: string): string {
  if (/No space left/i.test(said)) {
    return `Redis does not start, since the disk of ${place.folder} is full; free some space and start again.`
  }
  const reason = said.split('\n').findLast((line) => / # |fatal|error/i.test(line)) ?? said.split('\n').at(-1) ?? ''
  return `Redis does not start: ${reason.replace(/^.*? # /, '').trim()} See ${place.logFile}; the truth is in PostgreSQL, so if ${place.folder} is damaged, move it away and start again.`
}

function pidFile(place: RedisServerOptions): string {
  return path.join(place.folder, 'redis.pid')
}

function recordedPid(place: RedisServerOptions): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile(place), 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isRedis(pid: number): boolean {
  if (!isRunning(pid)) return false
  const name = programName(pid)
  return name === undefined || /^(redis|valkey)/.test(name)
}

/** The pid of the server at `socket` once it has loaded its data; undefined when nobody answers and `isAlive` says that nobody will. */
async function firstAnswer(socket: string, patienceMs: number, isAlive: () => boolean): Promise<number | undefined> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const answer = await ask(socket)
    if (typeof answer === 'number') return answer
    if (answer === 'silent' && (!isAlive() || performance.now() > deadline)) return undefined
    await pause(10)
  }
}

/** A server that loads its data answers INFO, but nothing else. */
async function ask(socket: string): Promise<number | 'loading' | 'silent'> {
  const info = await redisInfo(socket)
  if (info === undefined) return 'silent'
  return infoField(info, 'loading') === '1' ? 'loading' : Number(infoField(info, 'process_id'))
}
