/** Starts, watches and ends the process of one server; its output goes to a file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { hasEndedWithin, isRunning, signalProcess } from './processes.js'

export interface ServerCommand {
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
  readonly logFile: string
}

const logSizeMaxBytes = 10 * 1024 * 1024
const adoptedPollMs = 500

/**
 * Start a server in its own process group, so that Ctrl-C reaches only the gateway, which then ends it in order.
 * @throws when the program cannot be started at all
 */
export async function spawnServer(command: ServerCommand): Promise<ChildProcess> {
  rotate(command.logFile)
  const log = openSync(command.logFile, 'a', 0o600)
  try {
    const child = spawn(command.program, [...command.arguments], {
      stdio: ['ignore', log, log],
      detached: true,
      cwd: '/',
      env: command.environment ?? process.env,
      ...(command.uid === undefined ? {} : { uid: command.uid }),
      ...(command.gid === undefined ? {} : { gid: command.gid }),
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

/** Resolves when `child` has ended. */
export function waitForEnd(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

/** A server by its pid; `signals` are sent one after the other, each with its time, until it is gone. */
export function runningServer(
  pid: number,
  child: ChildProcess | undefined,
  signals: ReadonlyArray<{ signal: NodeJS.Signals; waitMs: number }>,
): RunningServer {
  return {
    pid,
    adopted: child === undefined,
    ended: child === undefined ? endOfAdopted(pid) : waitForEnd(child),
    async stop() {
      for (const { signal, waitMs } of signals) {
        signalProcess(pid, signal)
        if (await hasEndedWithin(pid, waitMs)) return
      }
      throw new Error(`Process ${pid} does not end`)
    },
  }
}

/** A process that is not our child tells nobody that it ended. */
async function endOfAdopted(pid: number): Promise<void> {
  while (isRunning(pid)) await pause(adoptedPollMs, undefined, { ref: false })
}

/** How far a log has been written, to read later what came after. */
export function logEnd(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Returns the text of a log after `from`, shortened to its end, for the sentence about why a server did not start. */
export function logAfter(file: string, from: number): string {
  const sizeMaxBytes = 16 * 1024
  const size = logEnd(file)
  // A log that is shorter than before was begun again.
  const start = Math.max(from > size ? 0 : from, size - sizeMaxBytes)
  try {
    const descriptor = openSync(file, 'r')
    try {
      const buffer = Buffer.alloc(size - start)
      readSync(descriptor, buffer, 0, buffer.length, start)
      return buffer.toString('utf8').trim()
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}

function rotate(file: string): void {
  if (logEnd(file) > logSizeMaxBytes) renameSync(file, `${file}.1`)
}

// A server as the supervisor sees it.

/** A server that answers, started by us or found running. */
export interface RunningServer {
  readonly pid: number
  readonly adopted: boolean
  /** Resolves when the process has ended, however that came. */
  readonly ended: Promise<void>
  /** Ask it to end, then insist. Resolves when it is gone. */
  stop(): Promise<void>
}

export interface ServerStatus {
  readonly state: 'running' | 'waiting' | 'stopped'
  readonly pid: number | undefined
  readonly adopted: boolean
  /** How often it was started again since it first ran. */
  readonly restarts: number
}
