/**
 * Wake-ups: "look at this lane". Bull carries them, SQL carries the work, so losing one costs time and never work.
 *
 * A lane is in at most one of three places: `asked` (its job is in Redis), `ready` (it waits here for a free slot) and
 * `running`. Code that commits work calls `wake` after the commit. No wake-up is lost:
 * - asked or ready: its run, and so its read of SQL, begins later than this wake and sees the work.
 * - running: the read may have been before the commit, so the lane is marked. The end of a run looks at the mark and leaves
 *   `running` in one synchronous step: a wake comes either before it and is seen, or after it and finds the lane in no place.
 * - in no place: a job is made. If Redis is away, slow, or loses it, a watchdog moves the lane from `asked` to `ready`.
 * - the process ends: the sweep at the next start asks SQL which lanes have work.
 * A job that comes for a lane in no place (made by another process, or overtaken by the watchdog) makes a run that finds
 * nothing. Two jobs for one lane never make two runs at once.
 */
import type { Logger } from 'pino'
import type { QueueConnections } from './connections.js'
import { JobQueue } from './job-queue.js'
import { LaneSlots } from './lane-slots.js'

export interface WakeUpOptions {
  readonly redis: QueueConnections
  /** `webhook`, `send`, … Each node has its own queue of each kind. */
  readonly kind: string
  /** Maximum of lanes that run at once. */
  readonly concurrency: number
  /** Does the work that is due in a lane. After a rejection the lane is looked at again some seconds later. */
  readonly handle: (laneKey: string) => Promise<void>
  /** Returns the lanes that have something due, from SQL. */
  readonly sweep: () => Promise<Iterable<string>>
  /** Default 30000. */
  readonly sweepEveryMs?: number
  readonly logger: Logger
}

export interface WakeUps {
  /** Lets the lane run once more after now. Returns at once. Cheap when the lane is awake already. */
  wake(laneKey: string): void
  /** Wakes a lane without Redis: for one that was awake and only waited for its turn at something else. */
  resume(laneKey: string): void
  /** Runs the lane now, beside the slots: for runs that the caller limits itself, and that must not wait for a slot. */
  runNow(laneKey: string): void
  /** Wakes the lanes that are due in SQL, now: at a claim, and after Redis came back. */
  sweepNow(): Promise<void>
  /** Number of lanes in each place, for metrics and tests. */
  counts(): { readonly asked: number; readonly ready: number; readonly running: number }
  /** Takes no more wake-ups, waits for the lanes that run (they must end by themselves) and ends the queue. */
  close(): Promise<void>
}

/** Time in which a job must come back from Redis before its lane runs without it, when a slot is free and when none is. */
const ASKED_MAX_MS = 1000
const ASKED_BUSY_MAX_MS = 10_000
const WATCH_EVERY_MS = 250
/** Maximum of jobs taken at once. A job takes no longer than its lane waits for a slot. */
const JOBS_AT_ONCE = 8

export function createWakeUps(options: WakeUpOptions): WakeUps {
  const wakeUps = new LaneWakeUps(options)
  return {
    wake: (laneKey) => wakeUps.wake(laneKey),
    resume: (laneKey) => wakeUps.resume(laneKey),
    runNow: (laneKey) => wakeUps.runNow(laneKey),
    sweepNow: () => wakeUps.sweepNow(),
    counts: () => wakeUps.counts(),
    close: () => wakeUps.close(),
  }
}

class LaneWakeUps {
  readonly #redis: QueueConnections
  readonly #findDue: WakeUpOptions['sweep']
  readonly #log: Logger
  readonly #jobs: JobQueue
  readonly #slots: LaneSlots
  /** Lanes whose jobs are in Redis, and since when, in this order. */
  readonly #asked = new Map<string, number>()
  /** Ends the jobs of lanes that wait for a slot. */
  readonly #started = new Map<string, (() => void)[]>()
  readonly #onRedisReady = (): void => void this.sweepNow()
  readonly #sweepTimer: NodeJS.Timeout
  #watchTimer: NodeJS.Timeout | undefined
  #unsent: string[] = []
  #sweeping = Promise.resolve()
  #nextSweep: Promise<void> | undefined
  /** True while Redis takes jobs and does not bring them back. */
  #isSilent = false
  #isClosed = false

  constructor(options: WakeUpOptions) {
    const { redis, kind, concurrency, handle, sweep, sweepEveryMs = 30_000 } = options
    this.#redis = redis
    this.#findDue = sweep
    this.#log = options.logger.child({ part: 'wake-ups', kind })
    this.#slots = new LaneSlots({
      concurrency,
      handle,
      onStarted: (lane) => this.#release(lane),
      onRetry: (lane) => this.wake(lane),
      log: this.#log,
    })
    this.#jobs = new JobQueue({
      redis,
      kind,
      concurrency: Math.min(concurrency, JOBS_AT_ONCE),
      onJob: (lane) => this.#take(lane),
      // Jobs come over this connection. Without it Redis seems to be silent.
      onBlockingReady: () => {
        this.#isSilent = false
      },
      isClosed: () => this.#isClosed,
      log: this.#log,
    })
    redis.client.on('ready', this.#onRedisReady)
    this.#sweepTimer = setInterval(() => void this.sweepNow(), sweepEveryMs * (0.9 + Math.random() * 0.2))
    void this.sweepNow()
  }

  wake(lane: string): void {
    if (this.#isClosed || this.#asked.has(lane) || this.#slots.isReady(lane)) return
    if (this.#slots.runAgain(lane)) return
    if (!this.#isRedisUsable()) {
      this.#makeReady(lane)
      return
    }
    this.#asked.set(lane, performance.now())
    // It runs while there are jobs to wait for.
    this.#watchTimer ??= setInterval(() => this.#watch(), WATCH_EVERY_MS)
    this.#unsent.push(lane)
    if (this.#unsent.length === 1) setImmediate(() => this.#send())
  }

  resume(lane: string): void {
    if (!this.#isClosed && !this.#slots.runAgain(lane)) this.#makeReady(lane)
  }

  runNow(lane: string): void {
    if (this.#isClosed || this.#slots.runAgain(lane)) return
    this.#asked.delete(lane)
    this.#slots.runBeside(lane)
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

  counts(): { readonly asked: number; readonly ready: number; readonly running: number } {
    return { asked: this.#asked.size, ready: this.#slots.ready, running: this.#slots.running }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#watchTimer)
    clearInterval(this.#sweepTimer)
    this.#redis.client.off('ready', this.#onRedisReady)
    this.#slots.close()
    this.#asked.clear()
    for (const lane of [...this.#started.keys()]) this.#release(lane)
    await this.#slots.settled()
    await this.#jobs.close()
  }

  /** Sends all wakes of one turn of the event loop in one round trip. */
  #send(): void {
    const lanes = this.#unsent
    this.#unsent = []
    this.#jobs.add(lanes).then(
      () => {
        this.#isSilent = false
      },
      (error: Error) => {
        this.#isSilent = false
        this.#log.warn({ reason: error.message }, 'Jobs were not taken by Redis; their lanes run from memory.')
        for (const lane of lanes) if (this.#asked.has(lane)) this.#makeReady(lane)
      },
    )
  }

  #isRedisUsable(): boolean {
    return this.#redis.client.status === 'ready' && !this.#isSilent
  }

  /** Takes a job. It is done when its lane has got a slot, so that jobs wait in Redis while all slots are taken. */
  async #take(lane: string): Promise<void> {
    this.#isSilent = false
    // Another process may have committed the work after the read of the present run.
    if (this.#slots.runAgain(lane) || this.#isClosed) return
    const start = new Promise<void>((done) => this.#started.set(lane, [...(this.#started.get(lane) ?? []), done]))
    this.#makeReady(lane)
    await start
  }

  #makeReady(lane: string): void {
    this.#asked.delete(lane)
    this.#slots.add(lane)
  }

  #release(lane: string): void {
    for (const done of this.#started.get(lane) ?? []) done()
    this.#started.delete(lane)
  }

  #watch(): void {
    const asked = this.#asked
    const redis = this.#redis
    if (asked.size === 0) {
      clearInterval(this.#watchTimer)
      this.#watchTimer = undefined
      return
    }
    const before = performance.now() - (this.#slots.isBusy ? ASKED_BUSY_MAX_MS : ASKED_MAX_MS)
    for (const [lane, sinceMs] of asked) {
      // In the order of asking, so the first young one ends it.
      if (sinceMs > before && redis.client.status === 'ready') return
      this.#isSilent = sinceMs <= before
      this.#makeReady(lane)
    }
  }

  async #sweep(): Promise<void> {
    if (this.#isClosed) return
    // Redis gets another chance with every sweep.
    this.#isSilent = false
    try {
      for (const lane of await this.#findDue()) this.wake(lane)
    } catch (error) {
      if (!this.#isClosed) this.#log.warn({ err: error }, 'The sweep failed; the next one tries again.')
    }
  }
}
