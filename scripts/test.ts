/**
 * Runs the compiled tests: `node dist/scripts/test.js quick|all|faults|browser|chosen|long [filter...]`; `test/README.md` says which test
 * goes where. quick: `*.test.js`; all: also `*.integration.js`; faults: `*.faults.js` alone; browser: `*.browser.js` alone; chosen: all
 * these; long: also `*.long.js`. A filter is a part of a path. Each test file runs in a process of its own; what it started ends with it.
 * Tests that need servers share one PostgreSQL, in a folder that is removed afterwards: that of the package, or the one whose
 * programs are in POSTHORN_TEST_POSTGRES, or the running one at POSTHORN_TEST_DATABASE_URL (it must be allowed to create databases).
 * POSTHORN_TEST_AWAY_MS is how long stores are away in tests of clusters that take one away from all nodes.
 * POSTHORN_TEST_BALANCER=haproxy puts HAProxy, found or fetched, before clusters that are restarted or rolled out, instead of our own
 * small balancer.
 * SEED repeats a random test. Without it random tests use the same seed in each run, and another one each time in a long run.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { redisAt } from '../runtime/connect/redis-place.js'
import { findRedis } from '../runtime/embedded/redis-binary.js'
import { startEmbedded } from '../runtime/embedded/start.js'
import { createLogger } from '../runtime/logging.js'
import { OperatorError } from '../schemas/operator-error.js'
import { packageRoot } from '../schemas/package-root.js'
import { recordChildren } from '../test/support/children.js'
import { makeTemplate } from '../test/support/embedded.js'
import type { Usage } from '../test/support/usage.js'

interface Kind {
  readonly suffixes: readonly string[]
  readonly timeoutMs: number
  /** Files that run at once. Default 2: clusters under load need the cores for themselves. */
  readonly atOnce?: number
}

const kinds = {
  quick: { suffixes: ['.test.js'], timeoutMs: 60_000 },
  // Many of these files wait for timers and servers, so that two at a time would leave two cores idle.
  all: { suffixes: ['.test.js', '.integration.js'], timeoutMs: 300_000, atOnce: 3 },
  faults: { suffixes: ['.faults.js'], timeoutMs: 480_000 },
  browser: { suffixes: ['.browser.js'], timeoutMs: 240_000 },
  chosen: { suffixes: ['.test.js', '.integration.js', '.faults.js', '.browser.js'], timeoutMs: 300_000 },
  long: { suffixes: ['.test.js', '.integration.js', '.faults.js', '.browser.js', '.long.js'], timeoutMs: 3_000_000 },
} as const satisfies Record<string, Kind>

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const preloads = ['end-at-once', 'children', 'usage']
const skippedFolders = new Set(['node_modules', '.tmp'])

async function main(kindName: string | undefined, filters: readonly string[]): Promise<number> {
  if (kindName === undefined || !(kindName in kinds)) {
    throw new OperatorError(
      `Say which tests: ${Object.keys(kinds).join(', ')}; then, if not all of them, parts of their paths.`,
    )
  }
  const kind: Kind = kinds[kindName as keyof typeof kinds]
  const files = testFiles(built, kind.suffixes).filter((file) => isWanted(file, filters))
  if (files.length === 0) throw new OperatorError('There is no such test.')
  const needsServers = files.some((file) => !file.endsWith('.test.js'))
  // A socket in it must have a short path, whatever TMPDIR is.
  const folder = mkdtempSync(path.join(os.tmpdir().length > 40 ? '/tmp' : os.tmpdir(), 'posthorn-test-'))
  const leftovers = startEndingLeftovers(folder)
  recordChildren(folder)
  const servers = needsServers ? await startServers(folder) : undefined
  try {
    return await runTests(files, kind, {
      POSTHORN_TEST_FOLDER: folder,
      ...(kindName === 'long' ? { POSTHORN_TEST_SEEDS: 'random' } : {}),
      ...servers?.environment,
    })
  } finally {
    process.stdout.write(slowest(usages(folder), files))
    await servers?.stop()
    await leftovers.end()
  }
}

/** A process of its own, so that it does its work also when this one is killed. It removes the folder in the end. */
function startEndingLeftovers(folder: string): { end(): Promise<void> } {
  const program = fileURLToPath(new URL('end-leftovers.js', import.meta.url))
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'inherit', 'inherit'], detached: true })
  return {
    async end() {
      child.stdin.end()
      await endOf(child)
    },
  }
}

async function startServers(folder: string): Promise<{ environment: NodeJS.ProcessEnv; stop: () => Promise<void> }> {
  const logger = createLogger({ level: 'error' })
  // Once here, rather than in each test file at the same time.
  const cache = path.join(folder, 'cache')
  await findRedis(cache, logger)
  const environment: NodeJS.ProcessEnv = { POSTHORN_TEST_CACHE: cache }
  const { POSTHORN_TEST_DATABASE_URL: given } = process.env
  if (given !== undefined) {
    const template = await makeTemplate(given)
    environment.POSTHORN_TEST_TEMPLATE = template.name
    return { environment, stop: () => template.drop() }
  }
  const embedded = await startEmbedded({
    dataDir: path.join(folder, 'postgresql'),
    redis: redisAt('redis://127.0.0.1:1'),
    logger,
    postgresBinaries: process.env.POSTHORN_TEST_POSTGRES,
    // Its data need not outlive a power cut.
    postgresSettings: { fsync: 'off', max_connections: '300' },
  })
  environment.POSTHORN_TEST_DATABASE_URL = embedded.database.connectionString
  environment.POSTHORN_TEST_TEMPLATE = (await makeTemplate(embedded.database.connectionString)).name
  return { environment, stop: () => embedded.stop() }
}

/** Only an explicit list of files means the same to Node.js 20, 22 and 24. */
function runTests(
  files: readonly string[],
  { timeoutMs, atOnce = 2 }: Kind,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const options = [
    '--enable-source-maps',
    ...preloads.map((name) => `--import=${new URL(`../test/support/${name}.js`, import.meta.url).href}`),
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${atOnce}`,
    `--test-timeout=${timeoutMs}`,
  ]
  const child = spawn(process.execPath, [...options, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  // Everything that was started ends then (`end-leftovers.ts`); Node.js 20 by itself goes on with the next file.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return endOf(child)
}

function endOf(child: ChildProcess): Promise<number> {
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
      return suffixes.some((suffix) => entry.name.endsWith(suffix)) && hasSource(place) ? [place] : []
    })
    .sort()
}

/** False for what an earlier build has left of a file that was renamed or removed since. */
function hasSource(file: string): boolean {
  return existsSync(path.join(packageRoot, path.relative(built, file).replace(/\.js$/, '.ts')))
}

function isWanted(file: string, filters: readonly string[]): boolean {
  return (
    filters.length === 0 ||
    filters.some((filter) => path.relative(built, file).includes(filter.replace(/\.ts$/, '.js')))
  )
}

const SHOWN = 15

function usages(folder: string): Usage[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('usage-'))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Usage)
}

/**
 * The files that took longest, the sums of all, and those that were killed, whose times nobody knows; the processor time of the PostgreSQL
 * that they share is not in it.
 */
function slowest(all: readonly Usage[], files: readonly string[]): string {
  if (all.length <= 1) return ''
  const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(8)
  const line = (name: string, { wallMs, cpuMs }: Omit<Usage, 'file'>): string =>
    `${seconds(wallMs)} ${seconds(cpuMs)}  ${name}\n`
  const sum = (of: (one: Usage) => number): number => all.reduce((total, one) => total + of(one), 0)
  const known = new Set(all.map(({ file }) => file))
  const lost = files.filter((file) => !known.has(file)).map((file) => path.relative(built, file))
  const first = all.toSorted((one, other) => other.wallMs - one.wallMs).slice(0, SHOWN)
  return [
    '\nSlowest files (seconds: passed, of processors)\n',
    ...first.map((one) => line(path.relative(built, one.file), one)),
    line(`all ${all.length} files`, { wallMs: sum(({ wallMs }) => wallMs), cpuMs: sum(({ cpuMs }) => cpuMs) }),
    ...lost.map((name) => `     not ended by itself: ${name}\n`),
  ].join('')
}

try {
  process.exitCode = await main(process.argv[2], process.argv.slice(3))
} catch (error) {
  process.stderr.write(`${error instanceof OperatorError ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
