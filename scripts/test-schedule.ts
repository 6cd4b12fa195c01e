/**
 * Decides which test file starts when. Long files start first, so that none is left for the end. A processor is never without a file; further
 * files start beside files that wait for timers and servers, as long as the processors are idle in fact and are expected to stay so.
 */
import os from 'node:os'

/** What a file took in an earlier run: `times.json`. */
export interface Times {
  readonly wallMs: number
  /** Processor time of the file and of the processes that it started. */
  readonly cpuMs: number
}

export interface Machine {
  readonly processors: number
  /** The part of all processors that was idle a moment ago, from 0 to 1. */
  readonly idle: number
}

/** Times of files that the table does not name: the averages of both kinds. */
export const USUAL = {
  quick: { wallMs: 2_000, cpuMs: 1_000 },
  withServers: { wallMs: 15_000, cpuMs: 8_000 },
} as const satisfies Record<string, Times>

/** Files per processor at most: each may need all of it at the same time. */
const FILES_PER_PROCESSOR = 2
/** The shares of the files in the table leave out PostgreSQL, which all files share. */
const SHARES_PER_PROCESSOR = 1.1
const IDLE_ENOUGH = 0.15
/** Length of the moment for which the idle time is measured. A file that has just started must be seen in it. */
const MOMENT_MS = 1_000
const LOOK_EVERY_MS = 250

/** Sorts files so that the longest ones start first; files of the same length keep their order. */
export function longestFirst<F>(files: readonly F[], timesOf: (file: F) => Times): F[] {
  return files.toSorted((one, other) => timesOf(other).wallMs - timesOf(one).wallMs)
}

/** Returns the index in `waiting` of the file to start now, or -1 to wait. */
export function chooseNext(waiting: readonly Times[], running: readonly Times[], machine: Machine): number {
  if (waiting.length === 0) return -1
  if (running.length < machine.processors) return 0
  if (running.length >= machine.processors * FILES_PER_PROCESSOR || machine.idle < IDLE_ENOUGH) return -1
  const free = machine.processors * SHARES_PER_PROCESSOR - running.reduce((sum, times) => sum + shareOf(times), 0)
  return waiting.findIndex((times) => shareOf(times) <= free)
}

/** Returns the processors that a file uses on average. */
function shareOf({ wallMs, cpuMs }: Times): number {
  return cpuMs / wallMs
}

export interface ScheduleOptions<F> {
  readonly timesOf: (file: F) => Times
  readonly run: (file: F) => Promise<void>
  /** Runs this many files at once, whatever the processors do. */
  readonly atOnce?: number | undefined
}

/** Runs all files and resolves when the last has ended. */
export async function runScheduled<F>(files: readonly F[], options: ScheduleOptions<F>): Promise<void> {
  const { timesOf, run, atOnce } = options
  const waiting = longestFirst(files, timesOf)
  const running = new Map<F, Promise<void>>()
  const idle = idleMeter()
  const processors = os.availableParallelism()
  while (waiting.length + running.size > 0) {
    const times = [...running.keys()].map(timesOf)
    const index =
      atOnce === undefined
        ? chooseNext(waiting.map(timesOf), times, { processors, idle: idle.read() })
        : running.size < atOnce && waiting.length > 0
          ? 0
          : -1
    const [file] = index === -1 ? [] : waiting.splice(index, 1)
    if (file === undefined) {
      await Promise.race([...running.values(), idle.nextLook()])
      continue
    }
    idle.reset()
    running.set(
      file,
      run(file).finally(() => running.delete(file)),
    )
  }
}

/** Measures the idle part of all processors over the last moment. It is 0 until a moment has passed since `reset`. */
function idleMeter(): { read(): number; reset(): void; nextLook(): Promise<void> } {
  let looks = [processorTimes()]
  return {
    read() {
      const now = processorTimes()
      looks.push(now)
      const since = looks.findLast(({ atMs }) => atMs <= now.atMs - MOMENT_MS)
      if (since === undefined) return 0
      looks = looks.slice(looks.indexOf(since))
      return idlePart(since, now)
    },
    reset() {
      looks = [processorTimes()]
    },
    nextLook: () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref()),
  }
}

export interface ProcessorTimes {
  readonly atMs: number
  readonly idleMs: number
  readonly allMs: number
}

export function processorTimes(): ProcessorTimes {
  const all = os.cpus().map(({ times }) => times)
  const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0)
  return {
    atMs: performance.now(),
    idleMs: sum(({ idle }) => idle),
    allMs: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  }
}

/** Returns the part of all processors that was idle between two looks: 0 where the system does not count. */
export function idlePart(before: ProcessorTimes, after: ProcessorTimes): number {
  const passedMs = after.allMs - before.allMs
  return passedMs > 0 ? (after.idleMs - before.idleMs) / passedMs : 0
}
