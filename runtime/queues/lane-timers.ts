export interface LaneTimersOptions {
  /** Longest timer. Later times are not kept. */
  readonly maxMs: number
  readonly onDue: (lane: string) => void
}

interface Timer {
  readonly atMs: number
  readonly handle: NodeJS.Timeout
}

/** Timers that wake lanes, one per lane at most. */
export class LaneTimers {
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
