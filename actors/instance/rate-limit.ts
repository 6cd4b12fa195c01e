/** A number of things that may happen within a time, counted in a window that moves on. */
export class RateLimit {
  readonly #max: number
  readonly #withinMs: number
  readonly #takenAtMs: number[] = []

  constructor(max: number, withinMs: number) {
    this.#max = max
    this.#withinMs = withinMs
  }

  /** Returns whether one more may happen now, and counts it then. */
  take(nowMs: number = performance.now()): boolean {
    while (this.#takenAtMs.length > 0 && (this.#takenAtMs[0] ?? 0) <= nowMs - this.#withinMs) this.#takenAtMs.shift()
    if (this.#takenAtMs.length >= this.#max) return false
    this.#takenAtMs.push(nowMs)
    return true
  }
}
