import { readFileSync } from 'node:fs'

/** Returns the time that this thread has run, in milliseconds: other threads and other programs are not in it, where the system tells it. */
export function mainThreadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** Returns the time that the main thread of another process has run, in milliseconds; null where the system does not tell it. */
export function readMainThreadMs(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return null
  }
}

/** Time that the work of `slowness` takes on an idle machine. */
const REFERENCE_MS = 10
const entries = Array.from(
  { length: 20_000 },
  (_, index) => `{"k${index % 50}":"${'x'.repeat(index % 30)}","n":${index}}`,
)
const known = `[${entries.join()}]`

/**
 * Returns how many times slower this thread is now than on a quiet machine, at least 1: neighbours take caches and the other half of a
 * processor, so the same work takes more processor time beside them. A time that a test compares with a limit is divided by it.
 */
export function slowness(): number {
  const before = mainThreadMs()
  if (JSON.stringify(JSON.parse(known)).length !== known.length) throw new Error('The reference did not do its work.')
  return Math.max(1, (mainThreadMs() - before) / REFERENCE_MS)
}

/**
 * Returns the longest time for which the work keeps the event loop: the least of some rounds, since a compilation or a collection of garbage
 * is in some of them. Stops when a round stays below `enoughMs`. Rounds after the first are measured against `slowness`.
 */
export async function longestStopMs(work: () => unknown, enoughMs: number, roundsMax = 20): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < roundsMax && least >= enoughMs; round += 1) {
    const times = round === 0 ? 1 : slowness()
    least = Math.min(least, (await stopMs(work)) / times)
  }
  return least
}

async function stopMs(work: () => unknown): Promise<number> {
  let longest = 0
  let before = mainThreadMs()
  let isOver = false
  const look = (): void => {
    const now = mainThreadMs()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  look()
  return longest
}
