/**
 * Real servers for tests. PostgreSQL is one per run (scripts/test.ts starts it and names it in POSTHORN_TEST_DATABASE_URL) or,
 * for a file that is run by itself, one per process; each test gets a database of its own. Redis starts in 30 ms, so each test
 * gets a server of its own: nothing crosses, not even pub/sub, and a test may kill it.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { isRunning, signalProcess } from '../../runtime/embedded/processes.js'
import { startRedis } from '../../runtime/embedded/redis.js'
import { findRedis } from '../../runtime/embedded/redis-binary.js'
import { infoField, redisInfo } from '../../runtime/embedded/redis-probe.js'
import { type Embedded, startEmbedded } from '../../runtime/embedded/start.js'

/** A test context, or `{ after }` of `node:test` inside a `describe` or `before`. */
export interface Cleanup {
  after(work: () => Promise<void> | void): void
}

const logger = pino({ level: process.env.POSTHORN_TEST_LOG_LEVEL ?? 'silent' })
let perProcess: Promise<Embedded> | undefined

/**
 * `node:test` runs the hooks of a test in the order in which they were registered, so ours, the first, come before those that
 * close the connections of the test. Ours therefore only begin to wait until nobody is connected any more; what is still
 * connected after this time was left open, is cut off, and fails the run.
 */
const leftOpenAfterMs = 10_000

/** A new, empty database; dropped when the test has ended and its connections are closed. */
export async function testDatabase(t: Cleanup): Promise<{ connectionString: string }> {
  const server = await postgresServer()
  const name = `test_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}`)
  t.after(() => void dropWhenUnused(server, name))
  return { connectionString: withDatabase(server, name) }
}

async function dropWhenUnused(server: string, name: string): Promise<void> {
  const deadline = performance.now() + leftOpenAfterMs
  for (;;) {
    try {
      await query(server, `drop database if exists ${name}${performance.now() < deadline ? '' : ' with (force)'}`)
      return
    } catch (error) {
      if (!isInUse(error)) return
      await sleep(50)
    }
  }
}

function isInUse(error: unknown): boolean {
  return (error as { code?: string }).code === '55006'
}

/**
 * A new, empty Redis server; ended when the test has ended and its connections are closed.
 * `url` is for `new Redis(url)`; `pid` for tests that kill or pause it.
 */
export async function testRedis(t: Cleanup): Promise<{ url: string; pid: number }> {
  const folder = mkdtempSync(path.join(runFolder(), 't-'))
  const url = path.join(folder, 'redis.sock')
  const server = await startRedis({
    folder: path.join(folder, 'redis'),
    socket: url,
    logFile: path.join(folder, 'redis.log'),
    binary: await findRedis(cacheFolder(), logger),
    options: ['--appendonly', 'no'],
  })
  const atExit = () => signalProcess(server.pid, 'SIGKILL')
  process.once('exit', atExit)
  t.after(() => {
    void stopWhenUnused(url, server.pid).then(async () => {
      await server.stop()
      process.off('exit', atExit)
      rmSync(folder, { recursive: true, force: true })
    })
  })
  return { url, pid: server.pid }
}

async function stopWhenUnused(url: string, pid: number): Promise<void> {
  const deadline = performance.now() + leftOpenAfterMs
  // One that the test has paused must run to end.
  signalProcess(pid, 'SIGCONT')
  while (isRunning(pid) && performance.now() < deadline) {
    const info = await redisInfo(url)
    if (info !== undefined && infoField(info, 'connected_clients') === '1') return
    await sleep(50)
  }
}

/** A new folder with a short path, removed after the test. */
export function testFolder(t: Cleanup): string {
  const folder = mkdtempSync(path.join(runFolder(), 't-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return folder
}

/** scripts/test.ts names a folder for the run, so that it can end what a killed test file has left there. */
function runFolder(): string {
  const folder = process.env.POSTHORN_TEST_FOLDER ?? os.tmpdir()
  mkdirSync(folder, { recursive: true })
  return folder
}

async function postgresServer(): Promise<string> {
  const given = process.env.POSTHORN_TEST_DATABASE_URL
  if (given !== undefined) return given
  perProcess ??= startPerProcess()
  return (await perProcess).database.connectionString
}

async function startPerProcess(): Promise<Embedded> {
  const dataDir = mkdtempSync(path.join(runFolder(), 'pg-'))
  const embedded = await startEmbedded({
    dataDir,
    redisUrl: 'redis://127.0.0.1:1',
    logger,
    postgresBinaries: process.env.POSTHORN_TEST_POSTGRES,
    postgresSettings: { fsync: 'off' },
  })
  // No hook of node:test comes after all tests of a file, so the server ends with the process: at once, its data are of no use.
  process.once('exit', () => {
    const pid = embedded.status().postgres?.pid
    if (pid !== undefined) signalProcess(pid, 'SIGQUIT')
    rmSync(dataDir, { recursive: true, force: true })
  })
  return embedded
}

async function query(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withDatabase(connectionString: string, name: string): string {
  return connectionString.replace(/^(postgres(?:ql)?:\/\/[^/?]*\/)[^?]*/, `$1${name}`)
}

/** Where a fetched Redis is kept when there is no writable home folder. */
function cacheFolder(): string {
  return process.env.POSTHORN_TEST_CACHE ?? path.join(os.tmpdir(), `posthorn-test-cache-${process.getuid?.() ?? 0}`)
}
