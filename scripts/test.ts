/**
 * Runs the compiled tests: `node dist/scripts/test.js quick|all|long [filter...]`.
 * quick: `*.test.js`; all: also `*.integration.js`; long: also `*.long.js`. A filter is a part of a path.
 * Tests that need servers share one PostgreSQL, in a folder that is removed afterwards: that of the package, or the one whose
 * programs are in POSTHORN_TEST_POSTGRES, or the running one at POSTHORN_TEST_DATABASE_URL (it must be allowed to create databases).
 * POSTHORN_TEST_AWAY_MS is how long stores are away in tests of clusters that take one away from all nodes.
 * POSTHORN_TEST_WAY (up, down) is the direction in which links of clusters are cut where one at a time is; by chance when it is not set.
 * POSTHORN_TEST_TURN (first, second) is which of long tests that are much alike a whole run makes; by chance when it is not set.
 * POSTHORN_TEST_BALANCER=haproxy puts HAProxy, found or fetched, before clusters that are restarted or rolled out, instead of our own
 * small balancer.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { redisAt } from '../runtime/connect/redis-place.js'
import { isRunning, programName, signalProcess } from '../runtime/embedded/processes.js'
import { findRedis } from '../runtime/embedded/redis-binary.js'
import { startEmbedded } from '../runtime/embedded/start.js'
import { createLogger } from '../runtime/logging.js'
import { OperatorError } from '../schemas/operator-error.js'

const kinds = {
  quick: { suffixes: ['.test.js'], timeoutMs: 60_000 },
  all: { suffixes: ['.test.js', '.integration.js'], timeoutMs: 300_000 },
  long: { suffixes: ['.test.js', '.integration.js', '.long.js'], timeoutMs: 3_000_000 },
} as const

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const skippedFolders = new Set(['node_modules', '.tmp'])

async function main(kindName: string | undefined, filters: readonly string[]): Promise<number> {
  if (kindName === undefined || !(kindName in kinds)) {
    throw new OperatorError(
      `Say which tests: ${Object.keys(kinds).join(', ')}; then, if not all of them, parts of their paths.`,
    )
  }
  const kind = kinds[kindName as keyof typeof kinds]
  const files = testFiles(built, kind.suffixes).filter((file) => isWanted(file, filters))
  if (files.length === 0) throw new OperatorError('There is no such test.')
  const needsServers = files.some((file) => !file.endsWith('.test.js'))
  // A socket in it must have a short path, whatever TMPDIR is.
  const folder = mkdtempSync(path.join(os.tmpdir().length > 40 ? '/tmp' : os.tmpdir(), 'posthorn-test-'))
  const servers = needsServers ? await startServers(folder) : undefined
  try {
    const turn = kindName === 'all' && filters.length === 0 ? { POSTHORN_TEST_TURN: turnOfThisRun() } : {}
    return await runTests(files, kind.timeoutMs, { POSTHORN_TEST_FOLDER: folder, ...turn, ...servers?.environment })
  } finally {
    await servers?.stop()
    endLeftovers(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

function turnOfThisRun(): string {
  const { POSTHORN_TEST_TURN: asked } = process.env
  return asked ?? (Math.random() < 0.5 ? 'first' : 'second')
}

async function startServers(folder: string): Promise<{ environment: NodeJS.ProcessEnv; stop: () => Promise<void> }> {
  const logger = createLogger({ level: 'error' })
  // Once here, rather than in each test file at the same time.
  const cache = path.join(folder, 'cache')
  await findRedis(cache, logger)
  const environment: NodeJS.ProcessEnv = { POSTHORN_TEST_CACHE: cache }
  if (process.env.POSTHORN_TEST_DATABASE_URL !== undefined) return { environment, stop: async () => undefined }
  const embedded = await startEmbedded({
    dataDir: path.join(folder, 'postgresql'),
    redis: redisAt('redis://127.0.0.1:1'),
    logger,
    postgresBinaries: process.env.POSTHORN_TEST_POSTGRES,
    // Its data need not outlive a power cut.
    postgresSettings: { fsync: 'off', max_connections: '300' },
  })
  environment.POSTHORN_TEST_DATABASE_URL = embedded.database.connectionString
  return { environment, stop: () => embedded.stop() }
}

/** Only an explicit list of files means the same to Node.js 20, 22 and 24. */
function runTests(files: readonly string[], timeoutMs: number, environment: NodeJS.ProcessEnv): Promise<number> {
  const options = [
    '--enable-source-maps',
    `--import=${new URL('../test/support/end-at-once.js', import.meta.url).href}`,
    '--test',
    '--test-reporter=spec',
    '--test-concurrency=2',
    `--test-timeout=${timeoutMs}`,
  ]
  const child = spawn(process.execPath, [...options, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

function testFiles(folder: string, suffixes: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const place = path.join(folder, entry.name)
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : testFiles(place, suffixes)
      return suffixes.some((suffix) => entry.name.endsWith(suffix)) ? [place] : []
    })
    .sort()
}

function isWanted(file: string, filters: readonly string[]): boolean {
  return (
    filters.length === 0 ||
    filters.some((filter) => path.relative(built, file).includes(filter.replace(/\.ts$/, '.js')))
  )
}

/** A test file that was killed leaves its servers behind; each has written its pid into the folder of the run. */
function endLeftovers(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true })) {
    const name = String(entry)
    if (!/(^|\/)(redis|postmaster)\.pid$/.test(name)) continue
    const pid = Number.parseInt(readFileSync(path.join(folder, name), 'utf8'), 10)
    if (pid > 0 && isRunning(pid) && /^(redis|valkey|postgres)/.test(programName(pid) ?? ''))
      signalProcess(pid, 'SIGKILL')
  }
}

try {
  process.exitCode = await main(process.argv[2], process.argv.slice(3))
} catch (error) {
  process.stderr.write(`${error instanceof OperatorError ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
