/** Figures of the event loop of this process up to a moment, in milliseconds. */
export interface LoopTimes {
  /** Monotonic. */
  readonly atMs: number
  /** Time in which it ran something since the start. */
  readonly activeMs: number
  /** Time in which it had nothing to run since the start. */
  readonly idleMs: number
}

/** Weight of the latest turn in the average cost of a turn. */
const LATEST = 0.1
const FIRST_COST_MS = 10
/** Maximum time between two turns while some wait. It keeps campaigns alive on a node that other work keeps busy. */
const REST_MAX_MS = 250
/** Delay of a timer from which on the processor is contended, by other processes or a long collection. */
const LATE_MS = 20
const SLOWED_MAX = 8

/**
 * Decides when the next turn may begin, so that the event loop is active for at most a share of its time. Each turn is followed by a rest: the loop must
 * have been idle for a time that follows from the average cost of a turn. The cost is what the loop did between two turns, other work included, so
 * that other work goes first.
 */
export class LoopPace {
  readonly #restPerCost: number
  #last: LoopTimes | null = null
  #costMs = FIRST_COST_MS
  #slowed = 1

  /** @param shareMax above 0, and at most 1: then turns need no rest */
  constructor(shareMax: number) {
    this.#restPerCost = (1 - shareMax) / shareMax
  }

  /** Returns the time until a turn may begin, if the loop is idle until then. 0: now. */
  waitMs(now: LoopTimes): number {
    if (this.#last === null) return 0
    const { atMs, idleMs } = this.#last
    const restMs = this.#costMs * this.#restPerCost * this.#slowed
    return Math.max(0, Math.min(restMs - (now.idleMs - idleMs), atMs + REST_MAX_MS - now.atMs))
  }

  /** Notes that a turn begins. */
  begins(now: LoopTimes): void {
    const last = this.#last
    this.#last = now
    // After a longer time nobody has waited: what the loop did meanwhile was not the cost of a turn.
    if (last === null || now.atMs - last.atMs > 2 * REST_MAX_MS) return
    const costMs = Math.min(REST_MAX_MS, now.activeMs - last.activeMs)
    this.#costMs += LATEST * (costMs - this.#costMs)
  }

  /** Notes how late a timer was. The active time of the loop does not show that the processor is busy with other processes. */
  timerWasLate(lateMs: number): void {
    this.#slowed = lateMs > LATE_MS ? Math.min(SLOWED_MAX, this.#slowed * 1.5) : Math.max(1, this.#slowed * 0.9)
  }
}
