interface Wait {
  readonly endsAtMs: number
  readonly timer: NodeJS.Timeout
  readonly ended: Promise<void>
  readonly resolve: () => void
}

/** The time for which a journal that has nothing urgent to write waits for more. */
export class Linger {
  /** True when a write that is not taken yet must not wait. */
  #isUrgent = false
  #waiting: Wait | undefined

  /** Resolves when nothing waits any more. */
  async over(): Promise<void> {
    while (this.#waiting !== undefined) await this.#waiting.ended
  }

  /** Lets a write wait for at most this time, unless another must not wait, or waits for less. */
  begin(maxMs: number): void {
    const endsAtMs = performance.now() + maxMs
    if (this.#isUrgent || (this.#waiting !== undefined && this.#waiting.endsAtMs <= endsAtMs)) return
    const longer = this.#waiting
    const timer = setTimeout(() => this.#drop(), maxMs)
    let resolve = (): void => {}
    const ended = new Promise<void>((onEnd) => {
      resolve = onEnd
    })
    this.#waiting = { endsAtMs, timer, ended, resolve }
    // Whoever waits for it looks again.
    if (longer !== undefined) end(longer)
  }

  /** Ends the wait, and lets nothing wait until the next batch is taken. */
  end(): void {
    this.#isUrgent = true
    this.#drop()
  }

  /** Ends the wait, if there is one: somebody needs what waits. */
  hurry(): void {
    if (this.#waiting !== undefined) this.end()
  }

  /** Call it when a batch was taken: nothing of it waits any more. */
  taken(): void {
    this.#isUrgent = false
    this.#drop()
  }

  #drop(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) end(waiting)
  }
}

function end({ timer, resolve }: Wait): void {
  clearTimeout(timer)
  resolve()
}
