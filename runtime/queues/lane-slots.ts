import type { Logger } from 'pino'

/**
 * Does the work that is due in a lane.
 * @param leaveSlot lets another lane have the slot, while this run only waits for what is bounded elsewhere. The lane still runs.
 */
export type HandleLane = (lane: string, leaveSlot: () => void) => Promise<void>

export interface LaneSlotsOptions {
  /** Maximum of lanes that run at once. */
  readonly concurrency: number
  readonly handle: HandleLane
  /** Called when a lane is to be looked at again, some seconds after its run failed. */
  readonly onRetry: (lane: string) => void
  readonly log: Logger
}

interface Run {
  /** True when the lane was woken during the run. */
  again: boolean
  readonly done: Promise<void>
}

const REPORT_EVERY_MS = 5000

/** Runs lanes, each at most once at a time and so many at once. The others wait here for a free slot. */
export class LaneSlots {
  readonly #options: LaneSlotsOptions
  readonly #ready = new Set<string>()
  readonly #running = new Map<string, Run>()
  readonly #retries = new Set<NodeJS.Timeout>()
  /** Number of lanes that run beside the slots. */
  #beside = 0
  #failures = 0
  #reportedMs = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(options: LaneSlotsOptions) {
    this.#options = options
  }

  get ready(): number {
    return this.#ready.size
  }

  get running(): number {
    return this.#running.size
  }

  get isBusy(): boolean {
    return this.#running.size - this.#beside >= this.#options.concurrency
  }

  /** Marks a running lane to be run again. Returns false when the lane does not run. */
  runAgain(lane: string): boolean {
    const run = this.#running.get(lane)
    if (run === undefined) return false
    run.again = true
    return true
  }

  /** Runs a lane, which does not run now, as soon as a slot is free. */
  add(lane: string): void {
    this.#ready.add(lane)
    this.#startNext()
  }

  /** Runs a lane now, beside the slots, if it does not run. */
  runBeside(lane: string): void {
    this.#ready.delete(lane)
    this.#running.set(lane, { again: false, done: this.#run(lane, true) })
  }

  /** Starts no more lanes. */
  close(): void {
    this.#isClosed = true
    for (const timer of this.#retries) clearTimeout(timer)
    this.#ready.clear()
  }

  /** Waits for the lanes that run. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  #startNext(): void {
    for (const lane of this.#ready) {
      if (this.isBusy || this.#isClosed) return
      this.#ready.delete(lane)
      this.#running.set(lane, { again: false, done: this.#run(lane, false) })
    }
  }

  async #run(lane: string, isBeside: boolean): Promise<void> {
    let hasSlot = !isBeside
    if (isBeside) this.#beside += 1
    const leaveSlot = (): void => {
      if (!hasSlot) return
      hasSlot = false
      this.#beside += 1
      this.#startNext()
    }
    // Not in the caller's step, so that `running` holds the lane before its work begins.
    await null
    try {
      await this.#options.handle(lane, leaveSlot)
    } catch (error) {
      this.#reportFailure(lane, error)
      this.#retryLater(lane)
    }
    const again = this.#running.get(lane)?.again === true
    this.#running.delete(lane)
    if (!hasSlot) this.#beside -= 1
    // To the end of the line: a lane that always has work must not keep others waiting.
    if (again && !this.#isClosed) this.#ready.add(lane)
    this.#startNext()
  }

  /** Logs one line in a while with the number of failures: when the store is away, every lane fails. */
  #reportFailure(lane: string, error: unknown): void {
    this.#failures += 1
    if (performance.now() - this.#reportedMs < REPORT_EVERY_MS) return
    this.#options.log.error({ lane, failures: this.#failures, err: error }, 'Lanes failed; they run again.')
    this.#reportedMs = performance.now()
    this.#failures = 0
  }

  #retryLater(lane: string): void {
    const timer = setTimeout(
      () => {
        this.#retries.delete(timer)
        this.#options.onRetry(lane)
      },
      1000 + Math.random() * 4000,
    )
    this.#retries.add(timer)
  }
}
