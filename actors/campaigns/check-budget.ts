import type { CheckLimits } from '../instance/operation-timing.js'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The look-ups of numbers of one instance: so many on a UTC day, and so many in a minute, which may follow each other at once. */
export class CheckBudget {
  readonly #limits: CheckLimits
  #day: number
  #today: number
  /** Time by which all look-ups so far would have been made at the pace of the minute. */
  #pacedUntilMs: number

  /** @param known look-ups of this day, and of the minute before now */
  constructor(limits: CheckLimits, known: { readonly today: number; readonly lastMinute: number }, nowMs: number) {
    this.#limits = limits
    this.#day = Math.floor(nowMs / DAY_MS)
    this.#today = known.today
    this.#pacedUntilMs = nowMs + known.lastMinute * this.#everyMs
  }

  /** Returns the time until the next day if the look-ups of this one are used up, or else the time until the next look-up, 0 if it may begin. */
  next(nowMs: number): { readonly parkMs: number } | { readonly waitMs: number } {
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#today = 0
    }
    const { perDay } = this.#limits
    if (perDay > 0 && this.#today >= perDay) return { parkMs: (day + 1) * DAY_MS - nowMs }
    return { waitMs: Math.max(0, this.#pacedUntilMs + this.#everyMs - nowMs - MINUTE_MS) }
  }

  /** Counts a look-up. */
  take(nowMs: number): void {
    this.#today += 1
    this.#pacedUntilMs = Math.max(this.#pacedUntilMs, nowMs) + this.#everyMs
  }

  get #everyMs(): number {
    return this.#limits.perMinute === 0 ? 0 : MINUTE_MS / this.#limits.perMinute
  }
}
