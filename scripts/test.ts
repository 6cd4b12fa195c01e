/**
 * Runs the compiled tests: `node dist/scripts/test.js quick|all|faults|browser|chosen|long [filter...]`; `test/README.md` says which test
 * goes where. quick: `*.test.js`; all: also `*.integration.js`, then `*.browser.js` where a browser is found; faults: `*.faults.js` alone; browser: `*.browser.js` alone; chosen: all
 * these; long: also `*.long.js`. A filter is a part of a path. Short files share processes (`test-groups.ts`); what they started ends with them.
 * Tests that need servers share one PostgreSQL, in a folder that is removed afterwards: that of the package, or the one whose
 * programs are in POSTHORN_TEST_POSTGRES, or the running one at POSTHORN_TEST_DATABASE_URL (it must be allowed to create databases).
 * POSTHORN_TEST_AWAY_MS is how long stores are away in tests of clusters that take one away from all nodes.
 * POSTHORN_TEST_BALANCER=haproxy puts HAProxy, found or fetched, before clusters that are restarted or rolled out, instead of our own
 * small balancer.
 * POSTHORN_TEST_TIMES=write writes how long the files took into `test-times.json`, by which the next runs plan.
 * POSTHORN_TEST_PAGES=apart leaves the tests of pages out of all tests: another run has them.
 * POSTHORN_TEST_AGAIN=N lets a run pass in which up to N files failed, if each passes when it runs again alone, and names them at its end
 * (`test-again.ts`). POSTHORN_TEST_AGAIN_LIST is a file to which their names are added, for a report over several runs.
 * SEED repeats a random test. Without it random tests use the same seed in each run, and another one each time in a long run.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../lib/package-root.js'
import { redisAt } from '../runtime/connect/redis-place.js'
import { findRedis } from '../runtime/embedded/redis-binary.js'
import { startEmbedded } from '../runtime/embedded/start.js'
import { createLogger } from '../runtime/logging.js'
import { OperatorError } from '../schemas/operator-error.js'
import { recordChildren } from '../test/support/children.js'
import { findChromium, HOW_TO_GET_ONE } from '../test/support/chromium-program.js'
import { makeTemplate } from '../test/support/embedded.js'
import { TEST_NODE_OPTIONS } from '../test/support/node-options.js'
import { makeMemoryFolder } from './memory-folder.js'
import { type Ended, tryAgain } from './test-again.js'
import { type FileResult, runFiles } from './test-file.js'
import { groupFiles, readMarks } from './test-groups.js'
import { idlePart, type Job, processorTimes, runScheduled, type Times } from './test-schedule.js'
import { expectedTimes, slowest, usages, writeTimes } from './test-times.js'

interface Kind {
  readonly suffixes: readonly string[]
  readonly timeoutMs: number
  /** Each file has a process of its own. */
  readonly areAlone?: boolean
  /** Files that run at once, each in a process of its own. Default: as many as the processors can take (`test-schedule.ts`). */
  readonly atOnce?: number
}

// Clusters under load need the processors for themselves.
const atOnce = 2

// The limits are for files that never end: on a slow machine a file that was in order has taken half of one.
const kinds = {
  quick: { suffixes: ['.test.js'], timeoutMs: 120_000 },
  all: { suffixes: ['.test.js', '.integration.js'], timeoutMs: 480_000 },
  faults: { suffixes: ['.faults.js'], timeoutMs: 900_000, areAlone: true },
  browser: { suffixes: ['.browser.js'], timeoutMs: 480_000, areAlone: true },
  chosen: { suffixes: ['.test.js', '.integration.js', '.faults.js', '.browser.js'], timeoutMs: 300_000, atOnce },
  long: {
    suffixes: ['.test.js', '.integration.js', '.faults.js', '.browser.js', '.long.js'],
    timeoutMs: 3_000_000,
    atOnce,
  },
} as const satisfies Record<string, Kind>

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const preloads = ['end-at-once', 'children']
const OF_DASHBOARD = `dashboard-tests${path.sep}`
const skippedFolders = new Set(['node_modules', '.tmp'])

async function main(kindName: string | undefined, filters: readonly string[]): Promise<number> {
  if (kindName !== 'all') return runKind(kindName, filters)
  const pages = process.env.POSTHORN_TEST_PAGES === 'apart' ? [] : listFiles('browser', filters)
  // A filter may name tests of pages only.
  const code = pages.length > 0 && listFiles('all', filters).length === 0 ? 0 : await runKind('all', filters)
  if (code !== 0 || pages.length === 0) return code
  if ((await findChromium()) !== undefined) return runKind('browser', filters)
  process.stdout.write(`The tests of pages were left out: ${HOW_TO_GET_ONE}.\n`)
  return 0
}

function listFiles(kindName: keyof typeof kinds, filters: readonly string[]): string[] {
  return testFiles(built, kinds[kindName].suffixes).filter((file) => isWanted(file, filters))
}

async function runKind(kindName: string | undefined, filters: readonly string[]): Promise<number> {
  if (kindName === undefined || !(kindName in kinds)) {
    throw new OperatorError(
      `Say which tests: ${Object.keys(kinds).join(', ')}; then, if not all of them, parts of their paths.`,
    )
  }
  if (isBundleOld())
    throw new OperatorError('The bundle dist/main.js is older than the compiled modules: npm run build makes both.')
  const kind: Kind = kinds[kindName as keyof typeof kinds]
  const files = listFiles(kindName as keyof typeof kinds, filters)
  if (files.length === 0) throw new OperatorError('There is no such test.')
  const needsServers = files.some((file) => !file.endsWith('.test.js'))
  // A socket in it must have a short path, whatever TMPDIR is.
  const folder = mkdtempSync(path.join(os.tmpdir().length > 40 ? '/tmp' : os.tmpdir(), 'posthorn-test-'))
  const memoryFolder = needsServers ? makeMemoryFolder() : undefined
  const leftovers = startEndingLeftovers(memoryFolder === undefined ? [folder] : [folder, memoryFolder])
  const stopRecording = recordChildren(folder)
  let servers: Awaited<ReturnType<typeof startServers>> | undefined
  const before = processorTimes()
  let verdict = { passes: false, text: '' }
  try {
    servers = needsServers ? await startServers(folder, memoryFolder ?? folder) : undefined
    verdict = await runTests(files, kind, {
      POSTHORN_TEST_FOLDER: folder,
      ...(kindName === 'long' ? { POSTHORN_TEST_SEEDS: 'random' } : {}),
      ...servers?.environment,
    })
  } finally {
    const all = usages(folder, readName)
    process.stdout.write(slowest(all, files.map(readName), 1 - idlePart(before, processorTimes())))
    process.stdout.write(verdict.text)
    if (process.env.POSTHORN_TEST_TIMES === 'write') writeTimes(all)
    await servers?.stop()
    stopRecording()
    await leftovers.end()
  }
  return verdict.passes ? 0 : 1
}

/** A process of its own, so that it does its work also when this one is killed. It removes the folders in the end. */
function startEndingLeftovers(folders: readonly string[]): { end(): Promise<void> } {
  const program = fileURLToPath(new URL('end-leftovers.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...folders], {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  })
  return {
    async end() {
      child.stdin.end()
      await awaitEnd(child)
    },
  }
}

async function startServers(
  folder: string,
  postgresFolder: string,
): Promise<{ environment: NodeJS.ProcessEnv; stop: () => Promise<void> }> {
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
    dataDir: path.join(postgresFolder, 'postgresql'),
    redis: redisAt('redis://127.0.0.1:1'),
    logger,
    postgresBinaries: process.env.POSTHORN_TEST_POSTGRES,
    // Its data need not outlive a power cut.
    postgresSettings: { fsync: 'off', max_connections: '300' },
  })
  const { connectionString } = embedded.database
  environment.POSTHORN_TEST_DATABASE_URL = connectionString
  try {
    environment.POSTHORN_TEST_TEMPLATE = (await makeTemplate(connectionString)).name
  } catch (error) {
    // It would keep this process alive.
    await embedded.stop()
    throw error
  }
  return { environment, stop: () => embedded.stop() }
}

/** Prints the report of each file when it ends, the sums and the failures after the last one. Resolves with the verdict and its reasons. */
async function runTests(
  files: readonly string[],
  { timeoutMs, atOnce, areAlone = atOnce !== undefined }: Kind,
  environment: NodeJS.ProcessEnv & { POSTHORN_TEST_FOLDER: string },
): Promise<{ passes: boolean; text: string }> {
  const options = [
    ...TEST_NODE_OPTIONS,
    ...preloads.map((name) => `--import=${new URL(`../test/support/${name}.js`, import.meta.url).href}`),
  ]
  const env = { ...process.env, ...environment }
  const ended: Ended<TestJob>[] = []
  const run = ({ files }: TestJob): Promise<FileResult> => {
    const named = files.map((file) => ({ name: readName(file), file }))
    return runFiles(named, { options, env, timeoutMs, folder: environment.POSTHORN_TEST_FOLDER })
  }
  const print = (text: string): void => void process.stdout.write(text)
  // Everything that was started ends then (`end-leftovers.ts`).
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await runScheduled(createJobs(files, areAlone), {
    atOnce,
    getTimes: (job) => job,
    async run(job) {
      const result = await run(job)
      ended.push({ job, result })
      print(`${result.report}\n`)
    },
  })
  print(summary(ended.map(({ result }) => result)))
  const { POSTHORN_TEST_AGAIN: filesMax = '0', POSTHORN_TEST_AGAIN_LIST: list } = process.env
  const { passes, late, summary: text } = await tryAgain(ended, { filesMax: Number(filesMax), run, print })
  if (list !== undefined) appendFileSync(list, late.map((name) => `${name}\n`).join(''))
  return { passes, text }
}

type TestJob = Job & { readonly files: readonly string[] }

/** Groups the files that share a process, if they are not alone. */
function createJobs(files: readonly string[], areAlone: boolean): TestJob[] {
  const expected = expectedTimes()
  const getTimes = (file: string): Times => expected(readName(file))
  const marks = new Map(files.map((file) => [file, readMarks(findSource(file))]))
  const isAlone = (file: string): boolean => areAlone || marks.get(file)?.ownProcess === true
  const chooseKind = (file: string): string => `${path.extname(readName(file))} ${marks.get(file)?.ownProcessors}`
  const groups = groupFiles(files, { getTimes, chooseKind, isAlone, processors: os.availableParallelism() })
  return groups.map((group) => ({
    files: group,
    wallMs: group.reduce((sum, file) => sum + getTimes(file).wallMs, 0),
    cpuMs: group.reduce((sum, file) => sum + getTimes(file).cpuMs, 0),
    ownProcessors: group.some((file) => marks.get(file)?.ownProcessors),
  }))
}

/** Returns the sums and the failures of all files in the form of the reporter of Node.js. */
function summary(results: readonly FileResult[]): string {
  const names = [...new Set(results.flatMap(({ sums }) => Object.keys(sums)))]
  const lines = names.map((name) => `ℹ ${name} ${results.reduce((sum, { sums }) => sum + (sums[name] ?? 0), 0)}`)
  lines.push(`ℹ duration_ms ${performance.now().toFixed(0)}`)
  const failures = results.map(({ failures }) => failures).filter(Boolean)
  return [...lines, ...(failures.length > 0 ? ['\n✖ failing tests:\n', ...failures] : []), ''].join('\n')
}

function awaitEnd(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Returns true when the modules were compiled again since the program was put together (`bundle.ts`). */
function isBundleOld(): boolean {
  const [compiled, bundled] = ['.tsbuildinfo', 'main.js'].map(
    (name) => statSync(path.join(built, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  ) as [number, number]
  return built === path.join(packageRoot, 'dist') && bundled < compiled
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
  return existsSync(findSource(file))
}

function findSource(file: string): string {
  return path.join(packageRoot, `${readName(file)}.ts`)
}

/** Returns the path as in the source tree, without its ending. */
function readName(file: string): string {
  const name = path.relative(built, file).replace(/\.js$/, '')
  // The tests of the dashboard are compiled by themselves.
  return name.startsWith(OF_DASHBOARD) ? name.slice(OF_DASHBOARD.length) : name
}

function isWanted(file: string, filters: readonly string[]): boolean {
  return (
    filters.length === 0 ||
    filters.some((filter) => path.relative(built, file).includes(filter.replace(/\.ts$/, '.js')))
  )
}

try {
  process.exitCode = await main(process.argv[2], process.argv.slice(3))
} catch (error) {
  process.stderr.write(`${error instanceof OperatorError ? error.message : String((error as Error).stack)}\n`)
  process.exitCode = 1
}
