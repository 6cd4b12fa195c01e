/**
 * Lower priorities for work that may take a while: conversions, documents, large answers. When there are fewer processors than threads that
 * want one, the event loop and the stores come first.
 */
import os from 'node:os'

/** A third of the share of the others on Linux: with less, work on a busy machine would reach its time limits. */
const LOWER = 5

/** Lowers the priority of the calling thread. Only on Linux, where `setpriority(2)` means a thread; elsewhere it would lower the process. */
export function lowerThread(): void {
  if (process.platform === 'linux') lower(0)
}

/** Lowers the priority of a process that was started, if it still runs. */
export function lowerProcess(pid: number | undefined): void {
  if (pid !== undefined) lower(pid)
}

function lower(pid: number): void {
  try {
    os.setPriority(pid, LOWER)
  } catch {
    // It has ended, or the system forbids it: the work is done all the same.
  }
}
