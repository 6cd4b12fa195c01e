/** Counts work that each owner has under way. */
export class UnderWay {
  readonly #counts = new Map<string, number>()

  /** Does the work. @param work is called with the number of others that its owner has under way */
  async run<T>(owner: string, work: (others: number) => Promise<T>): Promise<T> {
    const others = this.#counts.get(owner) ?? 0
    this.#counts.set(owner, others + 1)
    try {
      return await work(others)
    } finally {
      const left = (this.#counts.get(owner) ?? 0) - 1
      if (left > 0) this.#counts.set(owner, left)
      else this.#counts.delete(owner)
    }
  }
}
