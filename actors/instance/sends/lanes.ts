/** Runs work one after the other in each lane. Lanes run side by side. */
export class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Runs `work` when all earlier work of the lane has ended, and resolves or rejects as it does. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(lane) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.then(
      () => {},
      () => {},
    )
    this.#tails.set(lane, tail)
    void tail.then(() => {
      if (this.#tails.get(lane) === tail) this.#tails.delete(lane)
    })
    return mine
  }
}
