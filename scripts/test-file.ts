/** Runs one test file in a process of its own and splits what it prints: the report, the sums, and the failures for the end of the run. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

export interface FileResult {
  readonly passed: boolean
  readonly wallMs: number
  /** The tests and whatever else the file printed, without sums and failures. */
  readonly report: string
  /** The sums by their names: tests, pass, fail … */
  readonly sums: Readonly<Record<string, number>>
  /** The failed tests with their errors; empty if all passed. */
  readonly failures: string
}

export interface FileOptions {
  /** Of Node.js. */
  readonly options: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The file is killed and has failed after this time. */
  readonly timeoutMs: number
  /** Holds what the file prints while it runs. */
  readonly folder: string
  /** How the run calls the file. */
  readonly name: string
}

const SUM = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)\n/gm
const FAILURES = /^✖ failing tests:\n/m

export async function runFile(
  file: string,
  { options, env, timeoutMs, folder, name }: FileOptions,
): Promise<FileResult> {
  const printed = path.join(folder, `${name.replaceAll(path.sep, '-')}.out`)
  const startedMs = performance.now()
  // Not a pipe: a server that the file has started may hold it open after the file's end.
  const output = openSync(printed, 'w')
  const child = spawn(process.execPath, [...options, '--test-reporter=spec', file], {
    stdio: ['ignore', output, output],
    env,
  })
  closeSync(output)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, timeoutMs)
  const end = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(String(signal ?? code)))
  }).finally(() => clearTimeout(timer))
  const wallMs = performance.now() - startedMs
  const text = readFileSync(printed, 'utf8')
  rmSync(printed)
  const why = isLate ? `did not end within ${timeoutMs / 1_000} s` : `ended with ${end}`
  return { wallMs, ...resultOf(text, end === '0', `✖ ${name} (${wallMs.toFixed(0)}ms)\n  ${why}\n`) }
}

/** Splits the output of a file. `ofFile` is the failure to report if the file failed without a failed test. */
export function resultOf(text: string, passed: boolean, ofFile: string): Omit<FileResult, 'wallMs'> {
  const [body = '', ...failures] = text.split(FAILURES)
  const found = [...body.matchAll(SUM)].filter(([, name]) => name !== 'duration_ms')
  const sums = Object.fromEntries(found.map(([, name, value]) => [name, Number(value)]))
  const report = body.replace(SUM, '').trimEnd()
  const failed = failures.join('').trim()
  return { passed, report, sums, failures: passed ? '' : failed === '' ? `${ofFile}${report}\n` : `${failed}\n` }
}
