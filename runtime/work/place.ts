/** A place in a line of work. */
export interface Place {
  /** Waits for a far side. If it is silent for a while, others use the place until it answers. */
  lend<T>(answer: Promise<T>): Promise<T>
  /** Yields what a far side sends, as `lend`. Between two parts, owners that have used less get the place. */
  flow<T>(source: AsyncIterable<T>): AsyncGenerator<T>
  /** Gives the place back. Further calls do nothing. */
  end(): void
}

/** The work of one owner in a line. */
export interface OwnerWork {
  readonly owner: string
  /** Work in a place, or in one that is lent. */
  open: number
  readonly waiting: Set<WaitingWork>
  /** Work whose place is lent and that can go on. */
  readonly returning: Set<() => void>
}

/** Work that waits to begin. */
export interface WaitingWork {
  readonly sinceMs: number
  readonly begin: (place: Place) => void
}

/** The line of a place. */
export interface PlaceLine {
  /** Returns true if another owner waits for a place and has used less. */
  hasFirstBefore(work: OwnerWork): boolean
  /** Lets others use a place. */
  lend(work: OwnerWork): void
  /** Asks for a place for work whose own is lent. */
  takeBack(work: OwnerWork, goOn: () => void): void
  /** Ends work. `isRunning`: it is in its place. */
  end(work: OwnerWork, isRunning: boolean): void
}

/** Time for which a far side may be silent before its place is lent. */
const SILENT_MS = 100
/** Time after which work in a stream looks whether others have used less. */
const TURN_MS = 20

export class OpenPlace implements Place {
  readonly #line: PlaceLine
  readonly #work: OwnerWork
  #state: 'running' | 'lent' | 'ended' = 'running'
  #sinceMs = performance.now()
  /** The wait of work that takes its place back. */
  #return: { readonly goOn: () => void; readonly done: Promise<void> } | undefined

  constructor(line: PlaceLine, work: OwnerWork) {
    this.#line = line
    this.#work = work
  }

  async lend<T>(answer: Promise<T>): Promise<T> {
    if (this.#state !== 'running') return await answer
    const timer = setTimeout(() => this.#give(), SILENT_MS)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
      await this.#takeBack()
    }
  }

  async *flow<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = source[Symbol.asyncIterator]()
    let isOver = false
    try {
      for (;;) {
        const next = await this.lend(iterator.next()).catch((error: unknown) => {
          isOver = true
          throw error
        })
        isOver = next.done === true
        if (next.done === true) return
        await this.#passOn()
        yield next.value
      }
    } finally {
      if (!isOver) await iterator.return?.()
    }
  }

  end(): void {
    if (this.#state === 'ended') return
    const isRunning = this.#state === 'running'
    this.#state = 'ended'
    if (this.#return !== undefined) this.#work.returning.delete(this.#return.goOn)
    this.#line.end(this.#work, isRunning)
    this.#return?.goOn()
  }

  async #passOn(): Promise<void> {
    const nowMs = performance.now()
    if (this.#state !== 'running' || nowMs - this.#sinceMs < TURN_MS) return
    this.#sinceMs = nowMs
    if (!this.#line.hasFirstBefore(this.#work)) return
    this.#give()
    await this.#takeBack()
  }

  #give(): void {
    if (this.#state !== 'running') return
    this.#state = 'lent'
    this.#line.lend(this.#work)
  }

  async #takeBack(): Promise<void> {
    if (this.#state !== 'lent') return
    this.#return ??= this.#beginReturn()
    await this.#return.done
  }

  #beginReturn(): { readonly goOn: () => void; readonly done: Promise<void> } {
    let resolve = (): void => {}
    const done = new Promise<void>((settle) => {
      resolve = settle
    })
    const goOn = (): void => {
      this.#return = undefined
      if (this.#state === 'lent') this.#state = 'running'
      this.#sinceMs = performance.now()
      resolve()
    }
    // Not in the caller's step: the line may go on at once.
    queueMicrotask(() => {
      if (this.#state === 'lent') this.#line.takeBack(this.#work, goOn)
    })
    return { goOn, done }
  }
}
