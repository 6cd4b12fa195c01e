interface Wait {
  readonly endsAtMs: number
  readonly timer: NodeJS.Timeout
  readonly ended: Promise<void>
  readonly resolve: () => void
}

/** Maximum of writes that wait for others. So many fill a transaction by themselves. */
const WAITING_MAX = 8
/** The same of writes that may wait longer. A crash loses as many, and the network delivers them all again. */
const PATIENT_MAX = 64

/** The time for which a journal that has nothing urgent to write waits for more. */
export class Linger {
  /** True when a write that is not taken yet must not wait. */
  #isUrgent = false
  #waiting: Wait | undefined
  /** Numbers of writes that wait since the last batch was taken. */
  #brief = 0
  #patient = 0

  /** Resolves when nothing waits. */
  async over(): Promise<void> {
    while (this.#waiting !== undefined) await this.#waiting.ended
  }

  /** Lets a write wait for at most this time, unless another must not wait, or waits for less, or too many wait. */
  begin(maxMs: number, isPatient = false): void {
    if (isPatient) this.#patient += 1
    else this.#brief += 1
    if (this.#brief > WAITING_MAX || this.#patient > PATIENT_MAX) this.end()
    else this.#wait(maxMs)
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

  /** Call it when a batch was taken: nothing of it waits. */
  taken(): void {
    this.#isUrgent = false
    this.#brief = 0
    this.#patient = 0
    this.#drop()
  }

  #wait(maxMs: number): void {
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
