/**
 * Wake-ups: "look at this lane". Bull carries them, SQL carries the work, so losing one costs time and never work.
 *
 * A lane is in at most one of three places: `asked` (its job is in Redis), `ready` (it waits here for a free slot) and
 * `running`. Whoever commits work calls `wake` after the commit. No wake-up is lost:
 * - asked or ready: its run, and so its read of SQL, begins later than this wake and sees the work.
 * - running: the read may have been before the commit, so the lane is marked. The end of a run looks at the mark and leaves
 *   `running` in one synchronous step: a wake comes either before it and is seen, or after it and finds the lane in no place.
 * - in no place: a job is made. If Redis is away, slow, or loses it, a watchdog moves the lane from `asked` to `ready`.
 * - the process ends: the sweep at the next start asks SQL which lanes have work.
 * A job that comes for a lane in no place (made by another process, or overtaken by the watchdog) makes a run that finds
 * nothing. Two jobs for one lane never make two runs at once.
 */
import Bull from 'bull'
import type { Logger } from 'pino'
import type { QueueConnections } from './connections.js'

export interface WakeUpOptions {
  readonly redis: QueueConnections
  /** `webhook`, `send`, …; each node has its own queue of each kind. */
  readonly kind: string
  /** Lanes that run at once. */
  readonly concurrency: number
  /** Does what is due in a lane. A rejection is logged and the lane looked at again after some seconds. */
  readonly handle: (laneKey: string) => Promise<void>
  /** The lanes that have something due, from SQL. */
  readonly sweep: () => Promise<Iterable<string>>
  /** Default 30000. */
  readonly sweepEveryMs?: number
  readonly logger: Logger
}

export interface WakeUps {
  /** Has the lane looked at after now. Returns at once; cheap when the lane is awake already. */
  wake(laneKey: string): void
  /** As `wake`, without asking Redis: for a lane that was awake and only waited for its turn at something else. */
  resume(laneKey: string): void
  /** Runs the lane now, beside the slots: for runs that the caller limits itself, and that must not wait for a slot. */
  runNow(laneKey: string): void
  /** Wakes what SQL says is due, now: at a claim, and after Redis came back. */
  sweepNow(): Promise<void>
  /** For metrics and tests. */
  counts(): { readonly asked: number; readonly ready: number; readonly running: number }
  /** Takes no more wake-ups, waits for the lanes that run (they must end by themselves) and ends the queue. */
  close(): Promise<void>
}

/** How long a job may take to come back from Redis before its lane runs without it, when a slot is free and when none is. */
const ASKED_MAX_MS = 1000
const ASKED_BUSY_MAX_MS = 10_000
const WATCH_EVERY_MS = 250
const CLOSE_MAX_MS = 2000
const REPORT_EVERY_MS = 5000
/** How often Bull looks for delayed jobs, of which there are none. */
const GUARD_INTERVAL_MS = 60_000
/** Jobs taken at once; a job takes no longer than its lane waits for a slot. */
const JOBS_AT_ONCE = 8

interface Job {
  readonly lane: string
}

export function createWakeUps(options: WakeUpOptions): WakeUps {
  const { redis, kind, concurrency, handle, sweepEveryMs = 30_000 } = options
  const log = options.logger.child({ part: 'wake-ups', kind })

  const asked = new Map<string, number>()
  const ready = new Set<string>()
  const running = new Map<string, { again: boolean; readonly done: Promise<void> }>()
  /** Lanes that run beside the slots. */
  let beside = 0
  const started = new Map<string, (() => void)[]>()
  const timers = new Set<NodeJS.Timeout>()
  let unsent: string[] = []
  let sweeping = Promise.resolve()
  let nextSweep: Promise<void> | undefined
  let watchTimer: NodeJS.Timeout | undefined
  let isSilent = false
  let failures = 0
  let reportedMs = Number.NEGATIVE_INFINITY
  let isClosed = false

  const blocking = redis.blocking()
  const queue = new Bull<Job>(kind, {
    prefix: redis.prefix,
    createClient: (type) => (type === 'client' ? redis.client : type === 'subscriber' ? redis.subscriber : blocking),
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    // A lane that stalls with its process is found by the sweep; Bull's own recovery may try as often as it likes.
    settings: {
      lockDuration: 60_000,
      stalledInterval: 60_000,
      maxStalledCount: 1000,
      guardInterval: GUARD_INTERVAL_MS,
    },
  })
  // Nobody lists workers by name, and Bull leaves a failure of the naming unhandled, which ends the process: when it stops before Redis
  // was reached (its `lib/worker.js`).
  Object.assign(queue, { setWorkerName: async () => {} })
  queue.on('error', (error) => log.debug({ reason: error.message }, 'Bull reported an error.'))
  queue
    .process(Math.min(concurrency, JOBS_AT_ONCE), ({ data }) => take(data.lane))
    .catch((error: Error) => {
      if (!isClosed) log.error({ reason: error.message }, 'The queue does not process jobs; lanes run from memory.')
    })

  const onReady = () => void sweepNow()
  redis.client.on('ready', onReady)
  // Jobs come over this connection; without it Redis seems to be silent.
  blocking.on('ready', () => {
    isSilent = false
  })
  const sweepTimer = setInterval(() => void sweepNow(), sweepEveryMs * (0.9 + Math.random() * 0.2))
  void sweepNow()

  return { wake, resume, runNow, sweepNow, counts, close }

  function wake(lane: string): void {
    if (isClosed || asked.has(lane) || ready.has(lane)) return
    const run = running.get(lane)
    if (run !== undefined) {
      run.again = true
      return
    }
    if (!isRedisUsable()) {
      makeReady(lane)
      return
    }
    asked.set(lane, performance.now())
    // It runs while there are jobs to wait for.
    watchTimer ??= setInterval(watch, WATCH_EVERY_MS)
    unsent.push(lane)
    if (unsent.length === 1) setImmediate(send)
  }

  function resume(lane: string): void {
    if (isClosed) return
    const run = running.get(lane)
    if (run === undefined) makeReady(lane)
    else run.again = true
  }

  // All wakes of one turn of the event loop in one round trip.
  function send(): void {
    const lanes = unsent
    unsent = []
    queue.addBulk(lanes.map((lane) => ({ data: { lane } }))).then(
      () => {
        isSilent = false
      },
      (error: Error) => {
        isSilent = false
        log.warn({ reason: error.message }, 'Jobs were not taken by Redis; their lanes run from memory.')
        for (const lane of lanes) if (asked.has(lane)) makeReady(lane)
      },
    )
  }

  function isRedisUsable(): boolean {
    return redis.client.status === 'ready' && !isSilent
  }

  /** A job has come: it is done when its lane has got a slot, so that jobs wait in Redis while all slots are taken. */
  async function take(lane: string): Promise<void> {
    isSilent = false
    const run = running.get(lane)
    if (run !== undefined) {
      // Another process may have committed the work after this run's read.
      run.again = true
      return
    }
    if (isClosed) return
    const start = new Promise<void>((done) => started.set(lane, [...(started.get(lane) ?? []), done]))
    makeReady(lane)
    await start
  }

  function makeReady(lane: string): void {
    asked.delete(lane)
    ready.add(lane)
    startNext()
  }

  function startNext(): void {
    for (const lane of ready) {
      if (isBusy() || isClosed) return
      ready.delete(lane)
      running.set(lane, { again: false, done: run(lane) })
      release(lane)
    }
  }

  function isBusy(): boolean {
    return running.size - beside >= concurrency
  }

  function runNow(lane: string): void {
    if (isClosed) return
    if (running.has(lane)) {
      resume(lane)
      return
    }
    asked.delete(lane)
    ready.delete(lane)
    beside += 1
    const done = run(lane, () => {
      beside -= 1
    })
    running.set(lane, { again: false, done })
    release(lane)
  }

  async function run(lane: string, onEnd?: () => void): Promise<void> {
    // Not in the caller's step, so that `running` holds the lane before its work begins.
    await null
    try {
      await handle(lane)
    } catch (error) {
      reportFailure(lane, error)
      later(lane)
    }
    const again = running.get(lane)?.again === true
    running.delete(lane)
    onEnd?.()
    // To the end of the line: a lane that always has work must not keep others waiting.
    if (again && !isClosed) ready.add(lane)
    startNext()
  }

  // When the store is away, every lane fails: one line in a while says so, with how many it stands for.
  function reportFailure(lane: string, error: unknown): void {
    failures += 1
    if (performance.now() - reportedMs < REPORT_EVERY_MS) return
    log.error({ lane, failures, err: error }, 'Lanes failed; they are looked at again.')
    reportedMs = performance.now()
    failures = 0
  }

  function release(lane: string): void {
    for (const done of started.get(lane) ?? []) done()
    started.delete(lane)
  }

  function later(lane: string): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        wake(lane)
      },
      1000 + Math.random() * 4000,
    )
    timers.add(timer)
  }

  function watch(): void {
    if (asked.size === 0) {
      clearInterval(watchTimer)
      watchTimer = undefined
      return
    }
    const before = performance.now() - (isBusy() ? ASKED_BUSY_MAX_MS : ASKED_MAX_MS)
    for (const [lane, sinceMs] of asked) {
      // In the order of asking, so the first young one ends it.
      if (sinceMs > before && redis.client.status === 'ready') return
      isSilent = sinceMs <= before
      makeReady(lane)
    }
  }

  /** Sweeps one after the other: those asked for while one is under way are one. */
  function sweepNow(): Promise<void> {
    nextSweep ??= sweeping.then(() => {
      nextSweep = undefined
      return sweep()
    })
    sweeping = nextSweep
    return nextSweep
  }

  async function sweep(): Promise<void> {
    if (isClosed) return
    // Redis gets another chance with every sweep.
    isSilent = false
    try {
      for (const lane of await options.sweep()) wake(lane)
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'The sweep failed; the next one tries again.')
    }
  }

  function counts() {
    return { asked: asked.size, ready: ready.size, running: running.size }
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    clearInterval(watchTimer)
    clearInterval(sweepTimer)
    for (const timer of timers) clearTimeout(timer)
    redis.client.off('ready', onReady)
    ready.clear()
    asked.clear()
    for (const lane of [...started.keys()]) release(lane)
    await Promise.all([...running.values()].map(({ done }) => done))
    // Whatever is still in the queue is found by the next sweep; nothing may stay in Redis for a node that is gone.
    if (redis.client.status === 'ready') await bounded(queue.empty())
    await bounded(queue.close())
    blocking.disconnect()
  }

  function bounded(work: Promise<unknown>): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, CLOSE_MAX_MS)
    })
    return Promise.race([work.catch(() => {}), late]).finally(() => clearTimeout(timer))
  }
}
