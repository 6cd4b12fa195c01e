/** Runs test files in a process and splits what it prints: the report, the sums, and the failures for the end of the run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface TestFile {
  /** How the run calls the file. */
  readonly name: string
  readonly file: string
}

/** Sent by the process before each file and after the last one. */
export interface Told {
  /** Index of the file that begins. */
  readonly begun: number
  /** Exit code that the files before it have set. */
  readonly exitCode: number
}

export interface FileResult {
  readonly passed: boolean
  /** The tests and whatever else the files printed, without sums and failures. */
  readonly report: string
  /** The sums by their names: tests, pass, fail … */
  readonly sums: Readonly<Record<string, number>>
  /** The failed tests with their errors; empty if all passed. */
  readonly failures: string
  /** Names of the files that failed. */
  readonly failed: readonly string[]
}

export interface FileOptions {
  /** Of Node.js. */
  readonly options: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** A file is killed and has failed after this time. */
  readonly timeoutMs: number
  /** Holds what the files print while they run. */
  readonly folder: string
}

const SUM = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)\n/gm
const FAILURES = /^✖ failing tests:\n/m
const program = fileURLToPath(new URL('run-test-files.js', import.meta.url))
const reporters = [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...[
    `--test-reporter=${new URL('../test/support/running-tests.js', import.meta.url).href}`,
    '--test-reporter-destination=stderr',
  ],
]
/** Time in which a process that is late says what it waits for, unless it is blocked. */
const SAY_MS = 3_000

/** Runs the files one after another in one process. When one of them ends it, the files after that one run in another process. */
export async function runFiles(files: readonly TestFile[], options: FileOptions): Promise<FileResult> {
  const results: FileResult[] = []
  for (let rest = files; rest.length > 0; ) {
    const { result, begun } = await runProcess(rest, options)
    results.push(result)
    rest = rest.slice(begun + 1)
  }
  return merge(results)
}

async function runProcess(
  files: readonly TestFile[],
  { options, env, timeoutMs, folder }: FileOptions,
): Promise<{ result: FileResult; begun: number }> {
  const printed = path.join(folder, `${files[0]?.name.replaceAll(path.sep, '-')}.out`)
  // Not a pipe: a server that a file has started may hold it open after the end of the process.
  const output = openSync(printed, 'w')
  const child = spawn(process.execPath, [...options, ...reporters, program, JSON.stringify(files)], {
    stdio: ['ignore', output, output, 'ipc'],
    env,
  })
  closeSync(output)
  const progress = watchFiles(child, timeoutMs)
  const end = await awaitEnd(child).finally(progress.stop)
  const text = readFileSync(printed, 'utf8')
  rmSync(printed)
  const { begun, wrong, isLate, sinceMs } = progress.state()
  const hasEndedAll = begun === files.length
  const blamed = hasEndedAll ? wrong : begun
  const names = (blamed === undefined ? files : files.slice(blamed, blamed + 1)).map(({ name }) => name)
  const why = isLate ? `did not end within ${timeoutMs / 1_000} s` : `ended with ${end}`
  const ofFiles = `✖ ${names.join(', ')} (${sinceMs.toFixed(0)}ms)\n  ${why}\n`
  const result = parseResult(text, end === '0' && hasEndedAll, ofFiles)
  return { result: { ...result, failed: result.passed ? [] : failedFiles(files, result.report, names) }, begun }
}

interface Progress {
  /** Index of the file that runs: the number of files when the last one has ended. */
  readonly begun: number
  /** Index of the first file after which the exit code was not 0. */
  readonly wrong: number | undefined
  readonly isLate: boolean
  /** Time since the file began. */
  readonly sinceMs: number
}

/** Follows the files of a process, and kills it when one of them, or the end after the last one, takes too long. */
function watchFiles(child: ChildProcess, timeoutMs: number): { state(): Progress; stop(): void } {
  const startedMs = performance.now()
  let state: Omit<Progress, 'sinceMs'> & { atMs: number } = {
    begun: 0,
    wrong: undefined,
    isLate: false,
    atMs: startedMs,
  }
  const kill = (): void => {
    state = { ...state, isLate: true }
    child.kill('SIGUSR2')
    timer = setTimeout(() => child.kill('SIGKILL'), SAY_MS)
  }
  let timer: NodeJS.Timeout = setTimeout(kill, timeoutMs)
  child.on('message', (told) => {
    const { begun, exitCode } = told as Told
    state = { ...state, begun, wrong: state.wrong ?? (exitCode === 0 ? undefined : begun - 1), atMs: performance.now() }
    if (state.isLate) return
    clearTimeout(timer)
    timer = setTimeout(kill, timeoutMs)
  })
  return {
    state: () => ({ ...state, sinceMs: performance.now() - state.atMs }),
    stop: () => clearTimeout(timer),
  }
}

/** Resolves with the exit code or the signal, after the last message of the process. */
async function awaitEnd(child: ChildProcess): Promise<string> {
  const hasSaidAll = new Promise((resolve) => child.once('disconnect', resolve))
  const end = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(String(signal ?? code)))
  })
  await hasSaidAll
  return end
}

/** Splits the output of a process. `ofFiles` is the failure to report if the process failed without a failed test. */
export function parseResult(text: string, passed: boolean, ofFiles: string): Omit<FileResult, 'failed'> {
  const [body = '', ...failures] = text.split(FAILURES)
  const found = [...body.matchAll(SUM)].filter(([, name]) => name !== 'duration_ms')
  const sums = Object.fromEntries(found.map(([, name, value]) => [name, Number(value)]))
  const report = body.replace(SUM, '').trimEnd()
  const failed = failures.join('').trim()
  return { passed, report, sums, failures: passed ? '' : failed === '' ? `${ofFiles}${report}\n` : `${failed}\n` }
}

/** Returns the files that the report shows as failed, and those that are blamed for the end of the process if it shows none. */
function failedFiles(files: readonly TestFile[], report: string, blamed: readonly string[]): readonly string[] {
  const lines = report.split('\n')
  const failed = files.flatMap(({ name }) => (lines.some((line) => line.startsWith(`✖ ${name} (`)) ? [name] : []))
  return failed.length > 0 ? failed : blamed
}

function merge(results: readonly FileResult[]): FileResult {
  const names = new Set(results.flatMap(({ sums }) => Object.keys(sums)))
  const sumFor = (name: string): number => results.reduce((sum, { sums }) => sum + (sums[name] ?? 0), 0)
  return {
    passed: results.every(({ passed }) => passed),
    report: results.map(({ report }) => report).join('\n'),
    sums: Object.fromEntries([...names].map((name) => [name, sumFor(name)])),
    failures: results.map(({ failures }) => failures).join(''),
    failed: results.flatMap(({ failed }) => failed),
  }
}
