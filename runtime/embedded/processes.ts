/** Reads facts about other processes by pid. Without /proc only their existence is known. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

// Ours: files of the system.

/** True while `pid` runs; a zombie, which nobody has reaped yet, does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !isZombie(pid)
}

/**
 * True while a dead `pid` waits to be reaped. PostgreSQL takes it for a living postmaster, so one waits until it is gone:
 * after a kill -9 of everything that took 1.3 s.
 */
export function isZombie(pid: number): boolean {
  return statFields(pid)?.[0] === 'Z'
}

/** Returns the start of a process in ticks since boot, which tells a reused pid apart. Undefined without /proc. */
export function startTicks(pid: number): string | undefined {
  return statFields(pid)?.[19]
}

/** The process that started `pid`, or that took it over. Undefined where there is no /proc. */
export function findParentPid(pid: number): number | undefined {
  const parent = statFields(pid)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** The name of the program that `pid` runs, or undefined where that is not known. */
export function programName(pid: number): string | undefined {
  return readOrUndefined(`/proc/${pid}/comm`)?.trim()
}

/** The same until the machine boots again. Undefined where there is no /proc. */
export function bootId(): string | undefined {
  return readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim()
}

/** Send a signal; a process that is gone already is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** True when `pid` ended within `timeoutMs`. */
export async function hasEndedWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (isRunning(pid)) {
    if (performance.now() > deadline) return false
    await pause(20)
  }
  return true
}

/** The fields of /proc/<pid>/stat from the third one (the state) on; the second, a name, may hold spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  const stat = readOrUndefined(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
