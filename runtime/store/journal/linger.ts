/** The time for which a journal that has nothing urgent to write waits for more. */
export class Linger {
  readonly #maxMs: number
  /** True when a write that is not taken yet must not wait. */
  #isUrgent = false
  #waiting: { readonly ended: Promise<void>; readonly end: () => void } | undefined

  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  /** Resolves when the wait is over. Undefined when nothing waits. */
  get ended(): Promise<void> | undefined {
    return this.#waiting?.ended
  }

  /** Begins to wait with a write that may do so, unless another does already or must not. */
  begin(): void {
    if (this.#isUrgent || this.#waiting !== undefined) return
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#maxMs)
      end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#waiting = { ended, end }
  }

  /** Ends the wait, and lets nothing wait until the next batch is taken. */
  end(): void {
    this.#isUrgent = true
    this.#waiting?.end()
    this.#waiting = undefined
  }

  /** Ends the wait, if there is one: somebody needs what waits. */
  hurry(): void {
    if (this.#waiting !== undefined) this.end()
  }

  /** Call it when a batch was taken: nothing of it waits any more. */
  taken(): void {
    this.#isUrgent = false
    this.#waiting?.end()
    this.#waiting = undefined
  }
}
