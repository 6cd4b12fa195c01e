/**
 * Wake-ups of a node for itself: "look at this lane". SQL carries the work, so losing a wake-up costs time and never work.
 *
 * A lane is `ready` (it waits here for a free slot), `running`, or asleep. Code that commits work calls `wake` after the commit. No wake-up
 * is lost:
 * - ready: its run, and so its read of SQL, begins later than this wake and sees the work.
 * - running: the read may have been before the commit, so the lane is marked. The end of a run looks at the mark and leaves `running` in one
 *   synchronous step: a wake comes either before it and is seen, or after it and finds the lane asleep.
 * - asleep: the lane becomes ready.
 * - the process ends: the sweep at the next start asks SQL which lanes have work.
 */
import type { Logger } from 'pino'
import { type HandleLane, LaneSlots } from './lane-slots.js'

/** A lane that has something due soon. */
export interface DueLane {
  readonly lane: string
  /** Milliseconds until it is due. 0 or less: now. */
  readonly inMs: number
}

export interface SchedulerOptions {
  /** `webhook`, `send`, … for the log. */
  readonly kind: string
  /** Maximum of lanes that run at once. */
  readonly concurrency: number
  /** After a rejection the lane is looked at again some seconds later. */
  readonly handle: HandleLane
  /** Returns the lanes that have something due, or due soon, from SQL. */
  readonly sweep: () => Promise<Iterable<string | DueLane>>
  /** Default 30000. */
  readonly sweepEveryMs?: number
  readonly logger: Logger
}

export interface Scheduler {
  /** Lets the lane run once more after now. Returns at once. Cheap when the lane is awake already. */
  wake(laneKey: string): void
  /**
   * Wakes the lane after that time. A lane has one timer at most, and the earliest time counts. Times later than the next sweeps are
   * ignored, because a sweep finds the lane in time. Cheap for many lanes.
   */
  wakeIn(laneKey: string, inMs: number): void
  /** Runs the lane now, beside the slots: for runs that the caller limits itself, and that must not wait for a slot. */
  runNow(laneKey: string): void
  /** Wakes the lanes that are due in SQL, now: at a claim, for example. */
  sweepNow(): Promise<void>
  /** Number of lanes in each place, for metrics and tests. */
  counts(): { readonly ready: number; readonly running: number }
  /** Takes no more wake-ups, and waits for the lanes that run (they must end by themselves). */
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 30_000
/** Time until a sweep that failed is tried again. */
const RETRY_MIN_MS = 1_000
const RETRY_SPREAD_MS = 4_000
/** Longest timer, in sweeps. Above the longest time between two of them, so that what one finds is due before the next is late. */
const TIMER_MAX_SWEEPS = 1.2

export function createScheduler(options: SchedulerOptions): Scheduler {
  return new LaneScheduler(options)
}

class LaneScheduler implements Scheduler {
  readonly #findDue: SchedulerOptions['sweep']
  readonly #log: Logger
  readonly #slots: LaneSlots
  readonly #timers: LaneTimers
  readonly #sweepTimer: NodeJS.Timeout
  #sweepRetry: NodeJS.Timeout | undefined
  #sweeping = Promise.resolve()
  #nextSweep: Promise<void> | undefined
  #isClosed = false

  constructor({ kind, concurrency, handle, sweep, sweepEveryMs = SWEEP_EVERY_MS, logger }: SchedulerOptions) {
    this.#findDue = sweep
    this.#log = logger.child({ part: 'scheduler', kind })
    this.#slots = new LaneSlots({ concurrency, handle, onRetry: (lane) => this.wake(lane), log: this.#log })
    this.#timers = new LaneTimers({ maxMs: sweepEveryMs * TIMER_MAX_SWEEPS, onDue: (lane) => this.wake(lane) })
    this.#sweepTimer = setInterval(() => void this.sweepNow(), sweepEveryMs * (0.9 + Math.random() * 0.2))
    void this.sweepNow()
  }

  wake(lane: string): void {
    if (!this.#isClosed && !this.#slots.runAgain(lane)) this.#slots.add(lane)
  }

  wakeIn(lane: string, inMs: number): void {
    if (this.#isClosed) return
    if (inMs <= 0) this.wake(lane)
    else this.#timers.set(lane, inMs)
  }

  runNow(lane: string): void {
    if (!this.#isClosed && !this.#slots.runAgain(lane)) this.#slots.runBeside(lane)
  }

  /** Sweeps one after the other. Calls during a sweep cause one further sweep. */
  sweepNow(): Promise<void> {
    this.#nextSweep ??= this.#sweeping.then(() => {
      this.#nextSweep = undefined
      return this.#sweep()
    })
    this.#sweeping = this.#nextSweep
    return this.#nextSweep
  }

  counts(): { readonly ready: number; readonly running: number } {
    return { ready: this.#slots.ready, running: this.#slots.running }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#sweepTimer)
    clearTimeout(this.#sweepRetry)
    this.#timers.close()
    this.#slots.close()
    await this.#slots.settled()
  }

  /** Lanes may have work of which only the sweep knows: they must not wait for two regular sweeps. */
  #sweepAgainSoon(): void {
    clearTimeout(this.#sweepRetry)
    const delayMs = RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS
    this.#sweepRetry = setTimeout(() => void this.sweepNow(), delayMs)
  }

  async #sweep(): Promise<void> {
    if (this.#isClosed) return
    try {
      for (const due of await this.#findDue()) {
        if (typeof due === 'string') this.wake(due)
        else this.wakeIn(due.lane, due.inMs)
      }
    } catch (error) {
      if (this.#isClosed) return
      this.#log.warn({ err: error }, 'The sweep failed; it is tried again in some seconds.')
      this.#sweepAgainSoon()
    }
  }
}

interface LaneTimersOptions {
  /** Longest timer. Later times are not kept. */
  readonly maxMs: number
  readonly onDue: (lane: string) => void
}

interface Timer {
  readonly atMs: number
  readonly handle: NodeJS.Timeout
}

/** Timers that wake lanes, one per lane at most. */
class LaneTimers {
  readonly #options: LaneTimersOptions
  readonly #timers = new Map<string, Timer>()

  constructor(options: LaneTimersOptions) {
    this.#options = options
  }

  /** Sets the timer of a lane, unless an earlier one is set. */
  set(lane: string, inMs: number): void {
    if (!(inMs <= this.#options.maxMs)) return
    const atMs = performance.now() + inMs
    const known = this.#timers.get(lane)
    if (known !== undefined && known.atMs <= atMs) return
    clearTimeout(known?.handle)
    const handle = setTimeout(() => {
      this.#timers.delete(lane)
      this.#options.onDue(lane)
    }, Math.ceil(inMs))
    this.#timers.set(lane, { atMs, handle })
  }

  close(): void {
    for (const { handle } of this.#timers.values()) clearTimeout(handle)
    this.#timers.clear()
  }
}
