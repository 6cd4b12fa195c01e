/** Waits of tests with a bound, so that what hangs fails its test and says what it was, instead of the whole file after minutes. */

// Tests replace the timers.
const { setTimeout, clearTimeout } = globalThis

/** For starts, ends and calls that take seconds on a busy machine. A wait that a test is about has its own. */
export const HANG_MS = 120_000
/** Characters of the output of a process that are shown with what hangs. */
const TAIL_CHARS = 4_000

interface Wait {
  readonly what: string
  readonly startedMs: number
  readonly output: () => string
}

interface WaitOptions {
  readonly withinMs?: number
  /** Output of the process for which one waits. */
  readonly output?: () => string
}

const waits = new Set<Wait>()

/** Waits for work. @throws Error that names it, and shows the end of `output`, if it takes longer */
export async function within<T>(what: string, work: Promise<T>, options: WaitOptions = {}): Promise<T> {
  const { withinMs = HANG_MS, output = () => '' } = options
  const wait: Wait = { what, startedMs: performance.now(), output }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took longer than ${withinMs / 1_000} s.${cutTail(wait)}`)),
      withinMs,
    )
  })
  waits.add(wait)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    waits.delete(wait)
  }
}

/** Describes what is waited for at this moment. */
export function describeWaits(): string {
  return [...waits]
    .map(
      (wait) =>
        `waits for ${((performance.now() - wait.startedMs) / 1_000).toFixed(1)} s: ${wait.what}${cutTail(wait)}\n`,
    )
    .join('')
}

function cutTail({ output }: Wait): string {
  const tail = output().slice(-TAIL_CHARS).trim()
  return tail === '' ? '' : ` Its last output:\n${tail}`
}
