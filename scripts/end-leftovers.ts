/**
 * Ends what killed test files leave behind: `node dist/scripts/end-leftovers.js FOLDER [FOLDER...]`, started by `scripts/test.ts` with a pipe as its
 * standard input. The run and each test file write the processes that they start into FOLDER/started (`test/support/children.ts`). When a
 * file's own process has ended, they end too. When the pipe closes, the run is over or was killed: everything that was started ends, and all
 * folders go. Further ones hold servers and their data.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findParentPid, isRunning, programName, signalProcess, startTicks } from '../runtime/embedded/processes.js'

const LOOK_EVERY_MS = 500

interface Process {
  readonly pid: number
  /** With them a reused pid is recognised. */
  readonly ticks: string
}

function main([folder = '', ...others]: readonly string[]): void {
  const started = path.join(folder, 'started')
  const timer = setInterval(() => {
    for (const name of namesIn(started)) if (!lives(parseProcess(name))) endStartedBy(path.join(started, name))
  }, LOOK_EVERY_MS)
  process.stdin.resume()
  process.stdin.once('end', () => {
    clearInterval(timer)
    for (const name of namesIn(started)) endStartedBy(path.join(started, name))
    for (const one of [folder, ...others]) {
      endServersIn(one)
      rmSync(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    }
  })
}

function endStartedBy(file: string): void {
  const started = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(parseProcess)
  for (const one of started) if (lives(one)) endTree(one.pid)
  rmSync(file, { force: true })
}

function lives({ pid, ticks }: Process): boolean {
  return isRunning(pid) && (startTicks(pid) ?? '') === ticks
}

/** Kills a process and, where there is a /proc, those that it has started. */
function endTree(pid: number): void {
  const children = namesIn('/proc')
    .map(Number)
    .filter((child) => Number.isInteger(child) && findParentPid(child) === pid)
  signalProcess(pid, 'SIGKILL')
  for (const child of children) endTree(child)
}

/** Kills servers that a gateway had started for itself; each has written its pid into a folder of the run. */
function endServersIn(folder: string): void {
  for (const entry of namesIn(folder, true)) {
    if (!/(^|\/)(redis|postmaster)\.pid$/.test(entry)) continue
    const pid = Number.parseInt(readFileSync(path.join(folder, entry), 'utf8'), 10)
    if (pid > 0 && isRunning(pid) && /^(redis|valkey|postgres)/.test(programName(pid) ?? '')) endTree(pid)
  }
}

function parseProcess(name: string): Process {
  const [pid, ticks = ''] = name.split('-')
  return { pid: Number(pid), ticks }
}

function namesIn(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, { recursive }).map(String)
  } catch {
    return []
  }
}

main(process.argv.slice(2))
