/**
 * Real servers for tests. PostgreSQL is one per run (scripts/test.ts starts it and names it in POSTHORN_TEST_DATABASE_URL) or,
 * for a file that is run by itself, one per process; each test gets a database of its own. Redis starts in 30 ms, so each test
 * gets a server of its own: nothing crosses, not even pub/sub, and a test may kill it.
 */

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, Pool } from 'pg'
import { pino } from 'pino'
import { redisAt } from '../../runtime/connect/redis-place.js'
import {
  databaseName,
  type PostgresServerOptions,
  preparePostgres,
  startPostgres,
} from '../../runtime/embedded/postgres.js'
import { findPostgres } from '../../runtime/embedded/postgres-binaries.js'
import { databaseUser } from '../../runtime/embedded/postgres-cluster.js'
import { choosePostgresUser } from '../../runtime/embedded/postgres-user.js'
import { findParentPid, hasEndedWithin, isRunning, signalProcess } from '../../runtime/embedded/processes.js'
import { startRedis } from '../../runtime/embedded/redis.js'
import { findRedis } from '../../runtime/embedded/redis-binary.js'
import { infoField, redisInfo } from '../../runtime/embedded/redis-probe.js'
import { type Embedded, startEmbedded } from '../../runtime/embedded/start.js'
import { createEncryption } from '../../runtime/store/encryption.js'
import { migrate } from '../../runtime/store/migrate.js'
import type { Cleanup } from './cleanup.js'
import { within } from './waits.js'

const logger = pino({ level: process.env.POSTHORN_TEST_LOG_LEVEL ?? 'silent' })
const run = promisify(execFile)
let perProcess: Promise<Embedded> | undefined

/**
 * `node:test` runs the hooks of a test in the order in which they were registered, so ours, the first, come before those that
 * close the connections of the test. Ours therefore only begin to wait until nobody is connected; what is still
 * connected after this time was left open, is cut off, and fails the run.
 */
const leftOpenAfterMs = 10_000

/** A new, empty database; dropped when the test has ended and its connections are closed. */
export function testDatabase(t: Cleanup): Promise<{ connectionString: string }> {
  return newDatabase(t)
}

/**
 * A new database with the schema of this version, copied from a template, in half the time that migrations take. Empty if no template was
 * made (a file that is run by itself): who opens it migrates it in any case.
 */
export function migratedDatabase(t: Cleanup): Promise<{ connectionString: string }> {
  return newDatabase(t, process.env.POSTHORN_TEST_TEMPLATE)
}

async function newDatabase(t: Cleanup, template?: string): Promise<{ connectionString: string }> {
  const server = await postgresServer()
  const name = `test_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  t.after(() => void dropWhenUnused(server, name))
  return { connectionString: withDatabase(server, name) }
}

/** Makes the template of `migratedDatabase` on a server. */
export async function makeTemplate(server: string): Promise<{ name: string; drop(): Promise<void> }> {
  const name = `template_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}`)
  const pool = new Pool({ connectionString: withDatabase(server, name), max: 1 })
  await migrate(pool, createEncryption(randomBytes(32)))
  // The first who opens a copy makes the installation's id, and says which key and how many shards it has.
  await pool.query('delete from meta; delete from cluster_shards')
  await pool.end()
  return { name, drop: () => query(server, `drop database ${name}`) }
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

export interface TestRedis {
  /** For `new Redis(url)`. */
  readonly url: string
  /** For tests that kill or pause it. */
  readonly pid: number
  /** As a crash does: kill -9. */
  kill(): Promise<void>
  /** Starts it again after `kill`, with what it held when it `keepsData`, or empty. */
  start(how?: { empty?: boolean }): Promise<void>
}

/** A new, empty Redis server; ended when the test has ended and its connections are closed. */
export async function testRedis(
  t: Cleanup,
  { keepsData = false, options = [] }: { keepsData?: boolean; options?: readonly string[] } = {},
): Promise<TestRedis> {
  const folder = mkdtempSync(path.join(runFolder(), 't-'))
  const url = path.join(folder, 'redis.sock')
  const data = path.join(folder, 'redis')
  const place = {
    folder: data,
    socket: url,
    logFile: path.join(folder, 'redis.log'),
    binary: await findRedis(cacheFolder(), logger),
    options: [...(keepsData ? [] : ['--appendonly', 'no']), ...options],
  }
  let server = await within('The start of Redis', startRedis(place))
  const atExit = () => signalProcess(server.pid, 'SIGKILL')
  process.once('exit', atExit)
  t.after(() => {
    void stopWhenUnused(url, server.pid).then(async () => {
      await server.stop()
      process.off('exit', atExit)
      rmSync(folder, { recursive: true, force: true })
    })
  })
  return {
    url,
    get pid() {
      return server.pid
    },
    async kill() {
      signalProcess(server.pid, 'SIGKILL')
      await server.ended
    },
    async start({ empty = false } = {}) {
      if (empty) rmSync(data, { recursive: true, force: true })
      server = await startRedis(place)
    },
  }
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

export interface TestPostgres {
  readonly connectionString: string
  /** Its data folder. */
  readonly data: string
  readonly pid: number
  /** As a crash does: kill -9 of the postmaster and all its children. */
  kill(): Promise<void>
  start(): Promise<void>
  /** A base backup while it runs, as `pg_basebackup` makes it (wal_level must be `replica`); what it resolves with puts the server back there. */
  backup(): Promise<() => Promise<void>>
}

/** Makes what its settings name in a folder, and gives it to the user that PostgreSQL runs as. */
type PreparePostgres = (folder: string, own: (folder: string) => void) => Readonly<Record<string, string>>

/** A PostgreSQL server that only this test uses, so that it may kill it; nobody starts it again but the test. */
export function testPostgres(
  t: Cleanup,
  prepare: PreparePostgres = () => ({}),
  binaries = process.env.POSTHORN_TEST_POSTGRES,
): Promise<TestPostgres> {
  return startTestPostgres(t, prepare, async () => {}, binaries)
}

/** A standby of a server that runs with `wal_level` `replica`; it reads its log at `primaryPort`. */
export async function testStandby(
  t: Cleanup,
  primary: TestPostgres,
  { primaryPort, settings = {} }: { primaryPort: number; settings?: Readonly<Record<string, string>> },
): Promise<TestPostgres> {
  const place = `host=127.0.0.1 port=${primaryPort} user=${databaseUser} application_name=standby`
  const following = { primary_conninfo: place, hot_standby: 'on', wal_retrieve_retry_interval: '200ms' }
  return await startTestPostgres(
    t,
    () => ({ ...following, ...settings }),
    async (data) => {
      await baseBackup(primary.connectionString, primary.data, data)
      writeFileSync(path.join(data, 'standby.signal'), '')
    },
  )
}

/** @param fill puts data into the folder, which is not there yet, or nothing for an empty database */
async function startTestPostgres(
  t: Cleanup,
  prepare: PreparePostgres,
  fill: (data: string) => Promise<void>,
  binaries = process.env.POSTHORN_TEST_POSTGRES,
): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(runFolder(), 't-'))
  const data = path.join(folder, 'postgresql')
  const sockets = path.join(folder, 's')
  const found = await findPostgres({ folder: binaries, librariesFolder: path.join(folder, 'libraries') })
  mkdirSync(sockets)
  const program = await choosePostgresUser(folder, sockets, data, found)
  const { user } = program
  const place: PostgresServerOptions = {
    folder: data,
    socketFolder: sockets,
    logFile: path.join(folder, 'postgresql.log'),
    ...program,
    // Its processes are killed, its machine is not.
    settings: { fsync: 'off', ...prepare(folder, (file) => user.own(file)) },
  }
  await fill(data)
  await within('The preparation of PostgreSQL', preparePostgres(place))
  let server = await within('The start of PostgreSQL', startPostgres(place))
  const kill = async () => {
    for (const pid of [server.pid, ...listChildren(server.pid)]) signalProcess(pid, 'SIGKILL')
    // Unlike `ended`, it keeps this process waiting when nothing else does.
    await hasEndedWithin(server.pid, leftOpenAfterMs)
  }
  const connectionString = `postgresql://${databaseUser}@/${databaseName}?host=${encodeURIComponent(sockets)}`
  t.after(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  return {
    connectionString,
    data,
    get pid() {
      return server.pid
    },
    kill,
    async start() {
      server = await startPostgres(place)
    },
    async backup() {
      const copy = path.join(folder, 'backup')
      await baseBackup(connectionString, data, copy)
      return async () => {
        await kill()
        rmSync(data, { recursive: true })
        renameSync(copy, data)
        server = await startPostgres(place)
      }
    },
  }
}

/** PostgreSQL, "Making a Base Backup Using the Low Level API": the files as they are, the log up to the end, and where to begin in it. */
async function baseBackup(connectionString: string, data: string, copy: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query("SELECT pg_backup_start('test', fast => true)")
    // A file that goes meanwhile is not needed.
    await run('cp', ['-a', data, copy]).catch((error: { stderr: string }) => {
      if (
        !error.stderr
          .trim()
          .split('\n')
          .every((line) => line.includes('No such file'))
      )
        throw error
    })
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()')
    await run('rm', ['-rf', `${copy}/postmaster.pid`, `${copy}/pg_wal`])
    await run('cp', ['-a', `${data}/pg_wal`, copy])
    await run('cp', ['-a', `${data}/PG_VERSION`, `${copy}/backup_label`])
    writeFileSync(`${copy}/backup_label`, rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}

/** The processes that `pid` has started and that still run. */
function listChildren(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return all.filter((child) => findParentPid(child) === pid)
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
    redis: redisAt('redis://127.0.0.1:1'),
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
    await within('A connection to PostgreSQL', client.connect())
    await within(`PostgreSQL, of \`${statement}\`,`, client.query(statement))
  } finally {
    await within('The end of a connection to PostgreSQL', client.end())
  }
}

function withDatabase(connectionString: string, name: string): string {
  return connectionString.replace(/^(postgres(?:ql)?:\/\/[^/?]*\/)[^?]*/, `$1${name}`)
}

/** Where a fetched Redis is kept when there is no writable home folder. */
export function cacheFolder(): string {
  return process.env.POSTHORN_TEST_CACHE ?? path.join(os.tmpdir(), `posthorn-test-cache-${process.getuid?.() ?? 0}`)
}
