/**
 * The number of places that a receiver gets, found by congestion control. While all its places are taken and it answers well, they grow: by one with
 * each answer at first, so that they double in the time of an answer, and after the first decrease by a few in that time. Errors halve them. A round
 * of answers that took far longer than those of the receiver's quickest round takes away a quarter, but leaves the places of the start: a receiver
 * that has become slower for good is not to suffer from its past. An answer that took seconds takes away a quarter in any case.
 */

export interface PaceLimits {
  /** Places at the start. */
  readonly start: number
  readonly max: number
}

/** An attempt at a receiver, when it has ended. */
export interface PaceSample {
  /** False when the receiver did not answer, or is in trouble. */
  readonly isWell: boolean
  /** True when it took seconds, which is slow for any receiver. */
  readonly isSlow: boolean
  readonly durationMs: number
  /** True when no further lane had a place. */
  readonly isFull: boolean
}

export type PaceState = 'start' | 'grown' | 'reduced'

/** Places that are added in the time of an answer, after the first decrease. */
const GROWTH = 4
const ERROR_FACTOR = 0.5
const SLOWNESS_FACTOR = 0.75
/** Places that slow answers leave. */
const SLOW_MIN = 4
/** Answers are far slower than the base when they take this many times as long, and this much longer. */
const SLOW_TIMES = 2
const SLOW_ABOVE_MS = 100
/** Answers whose mean is compared. One slow answer says nothing. */
const ROUND_MIN = 8
/** Length of a period. The base is the quickest round of the present period and the one before. */
const PERIOD_MS = 120_000

export class ReceiverPace {
  readonly #limits: PaceLimits
  #places: number
  #hasDecreased = false
  #decreasedAtMs = Number.NEGATIVE_INFINITY
  #sumMs = 0
  #answers = 0
  #roundSize = ROUND_MIN
  /** Least mean of a round, in the present period and in the one before. */
  #base = { ms: Number.POSITIVE_INFINITY, beforeMs: Number.POSITIVE_INFINITY, sinceMs: Number.NEGATIVE_INFINITY }

  constructor(limits: PaceLimits) {
    this.#limits = limits
    this.#places = Math.min(limits.start, limits.max)
  }

  get places(): number {
    return Math.floor(this.#places)
  }

  get state(): PaceState {
    const start = Math.min(this.#limits.start, this.#limits.max)
    if (this.places === start) return 'start'
    return this.places > start ? 'grown' : 'reduced'
  }

  take({ isWell, isSlow, durationMs, isFull }: PaceSample, nowMs: number): void {
    // What began before the last decrease ran with more places, so it says nothing about the present ones.
    const isOld = nowMs - durationMs < this.#decreasedAtMs
    if (!isOld && !isWell) this.#decrease(ERROR_FACTOR, 1, nowMs)
    else if (!isOld && isSlow) this.#decrease(SLOWNESS_FACTOR, SLOW_MIN, nowMs)
    else if (!isOld && this.#isFarSlower(durationMs, nowMs)) this.#decrease(SLOWNESS_FACTOR, this.#limits.start, nowMs)
    else if (isWell && !isSlow && isFull) this.#grow()
  }

  #grow(): void {
    const step = this.#hasDecreased ? GROWTH / Math.max(GROWTH, this.#places) : 1
    this.#places = Math.min(this.#limits.max, this.#places + step)
  }

  #decrease(factor: number, min: number, nowMs: number): void {
    this.#places = Math.min(this.#places, Math.max(min, this.#places * factor))
    this.#hasDecreased = true
    this.#decreasedAtMs = nowMs
    this.#beginRound()
  }

  #beginRound(): void {
    this.#sumMs = 0
    this.#answers = 0
    this.#roundSize = Math.max(ROUND_MIN, this.places)
  }

  /** Returns true at the end of a round whose answers took far longer than those of the quickest round. */
  #isFarSlower(durationMs: number, nowMs: number): boolean {
    this.#sumMs += durationMs
    this.#answers += 1
    if (this.#answers < this.#roundSize) return false
    const meanMs = this.#sumMs / this.#answers
    this.#beginRound()
    const baseMs = this.#updateBase(meanMs, nowMs)
    return meanMs > baseMs * SLOW_TIMES && meanMs > baseMs + SLOW_ABOVE_MS
  }

  #updateBase(meanMs: number, nowMs: number): number {
    const { ms, sinceMs } = this.#base
    if (nowMs - sinceMs >= PERIOD_MS) this.#base = { ms: meanMs, beforeMs: ms, sinceMs: nowMs }
    else this.#base.ms = Math.min(ms, meanMs)
    return Math.min(this.#base.ms, this.#base.beforeMs)
  }
}
