/** Decides how long the event loop has been blocked, from the signs of life of the main thread. */

export interface WatchLimits {
  /** Time after which a blocked event loop is reported. */
  readonly reportMs: number
  /** Time after which the process ends itself. */
  readonly endMs: number
}

export interface Look {
  readonly nowMs: number
  /** Time of the last sign of life of the main thread. */
  readonly seenMs: number
}

/** Result of a look at the loop. `over` comes once, when a loop that was reported runs again, with the time for which it was blocked. */
export type WatchAct =
  | { readonly type: 'none' | 'report' | 'end' }
  | { readonly type: 'over'; readonly blockedForMs: number }

const NONE: WatchAct = { type: 'none' }

/** Time between two looks. */
export const LOOK_MS = 500
/** Maximum of the time between two looks that counts. After a longer one the whole process was stopped, or the machine slept. */
const COUNTED_MAX_MS = 2 * LOOK_MS

/** Counts only time in which the watching thread itself ran: a process that is stopped, or a machine that sleeps, is not blocked. */
export class LoopWatch {
  readonly #limits: WatchLimits
  #seenMs = Number.NEGATIVE_INFINITY
  #lookedAtMs: number | undefined
  #blockedMs = 0
  #stage: 'fine' | 'reported' | 'ending' = 'fine'

  constructor(limits: WatchLimits) {
    this.#limits = limits
  }

  /** Time for which the event loop has been blocked, as of the last look. */
  get blockedMs(): number {
    return this.#blockedMs
  }

  /** True when the limit is reached at which the process ends itself. */
  get isOverLimit(): boolean {
    return this.#blockedMs >= this.#limits.endMs
  }

  look({ nowMs, seenMs }: Look): WatchAct {
    const sinceLookMs = Math.min(COUNTED_MAX_MS, nowMs - (this.#lookedAtMs ?? nowMs))
    const formerMs = this.#blockedMs
    const hasMoved = seenMs !== this.#seenMs
    this.#lookedAtMs = nowMs
    this.#seenMs = seenMs
    this.#blockedMs = hasMoved ? Math.max(0, Math.min(sinceLookMs, nowMs - seenMs)) : formerMs + sinceLookMs
    if (hasMoved) {
      const isOver = this.#stage !== 'fine'
      this.#stage = 'fine'
      return isOver ? { type: 'over', blockedForMs: formerMs } : NONE
    }
    return this.#advance()
  }

  #advance(): WatchAct {
    if (this.#stage === 'fine' && this.#blockedMs >= Math.min(this.#limits.reportMs, this.#limits.endMs)) {
      this.#stage = 'reported'
      return { type: 'report' }
    }
    if (this.#stage === 'reported' && this.isOverLimit) {
      this.#stage = 'ending'
      return { type: 'end' }
    }
    return NONE
  }
}
