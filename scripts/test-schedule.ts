/**
 * Decides which test files start when. Long ones start first, so that none is left for the end. A processor is never without a file; further
 * files start only beside files that mostly wait for timers, or if they do so themselves, and only while the processors are idle in fact.
 */
import os from 'node:os'

/** Times of files in an earlier run: `test-times.json`. */
export interface Times {
  readonly wallMs: number
  /** Processor time of the files and of the processes that they started. */
  readonly cpuMs: number
}

/** Files that run one after another in one process. */
export interface Job extends Times {
  /** They fail for want of time beside more files than there are processors. */
  readonly ownProcessors?: boolean
}

export interface Machine {
  readonly processors: number
  /** The part of all processors that was idle a moment ago, from 0 to 1. */
  readonly idle: number
}

/** Times of files that the table does not name: the averages of both kinds. */
export const USUAL = {
  quick: { wallMs: 400, cpuMs: 300 },
  withServers: { wallMs: 10_000, cpuMs: 8_000 },
} as const satisfies Record<string, Times>

/** Files per processor at most: each may need all of it at the same time. */
const FILES_PER_PROCESSOR = 2
/** Files that mostly wait may take this much in all besides a file for each processor. */
const SHARES_PER_PROCESSOR = 1.25
/** Files that use less of a processor mostly wait. */
const WAITING_SHARE = 0.5
const IDLE_ENOUGH = 0.15
/** Length of the moment for which the idle time is measured. A file that has just started must be seen in it. */
const MOMENT_MS = 1_000
const LOOK_EVERY_MS = 250

/** Sorts jobs so that the longest ones start first; jobs of the same length keep their order. */
export function longestFirst<F>(jobs: readonly F[], getTimes: (job: F) => Times): F[] {
  return jobs.toSorted((one, other) => getTimes(other).wallMs - getTimes(one).wallMs)
}

/** Returns the index in `waiting` of the job to start now, or -1 to wait. */
export function chooseNext(waiting: readonly Job[], running: readonly Job[], machine: Machine): number {
  if (waiting.length === 0) return -1
  if (running.length < machine.processors) return 0
  if (running.length >= machine.processors * FILES_PER_PROCESSOR || machine.idle < IDLE_ENOUGH) return -1
  if (running.some(({ ownProcessors }) => ownProcessors)) return -1
  const free = machine.processors * SHARES_PER_PROCESSOR - running.reduce((sum, job) => sum + estimateLoad(job), 0)
  return waiting.findIndex((job) => !job.ownProcessors && estimateLoad(job) <= free)
}

/** Returns the processors that a job may need for a while: one, unless it mostly waits. */
function estimateLoad(job: Job): number {
  return mostlyWaits(job) ? job.cpuMs / job.wallMs : 1
}

export function mostlyWaits({ wallMs, cpuMs }: Times): boolean {
  return cpuMs / wallMs < WAITING_SHARE
}

export interface ScheduleOptions<F> {
  readonly getTimes: (job: F) => Job
  readonly run: (job: F) => Promise<void>
  /** Runs this many jobs at once, whatever the processors do. */
  readonly atOnce?: number | undefined
}

/** Runs all jobs and resolves when the last has ended. */
export async function runScheduled<F>(jobs: readonly F[], options: ScheduleOptions<F>): Promise<void> {
  const { getTimes, run, atOnce } = options
  const waiting = longestFirst(jobs, getTimes)
  const running = new Map<F, Promise<void>>()
  const idle = idleMeter()
  const processors = os.availableParallelism()
  while (waiting.length + running.size > 0) {
    const times = [...running.keys()].map(getTimes)
    const index =
      atOnce === undefined
        ? chooseNext(waiting.map(getTimes), times, { processors, idle: idle.read() })
        : running.size < atOnce && waiting.length > 0
          ? 0
          : -1
    const [job] = index === -1 ? [] : waiting.splice(index, 1)
    if (job === undefined) {
      await Promise.race([...running.values(), idle.nextLook()])
      continue
    }
    idle.reset()
    running.set(
      job,
      run(job).finally(() => running.delete(job)),
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
