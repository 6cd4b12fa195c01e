export interface TokenBucket {
  /**
   * Runs `go` as soon as there is a token: at once if there is one and nobody waits. Returns a function that withdraws the request. Urgent
   * requests run before the others, in their order. Of the others the one with the highest rank runs first; of equal ones, the oldest.
   */
  take(go: () => void, order?: RequestOrder): () => void
  /** Returns the number of tokens that nobody waits for. */
  available(): number
  /** Number of tokens that were given since the start. */
  readonly taken: number
  /** Number of requests that wait. */
  readonly waiting: number
}

export interface RequestOrder {
  readonly isUrgent?: boolean
  /** Default: 0. */
  readonly rank?: number
}

/** Rate of a bucket, which may change. */
export interface TokenRate {
  readonly perSecond: number
  readonly burst: number
}

/** Every eighth token goes to the request that has waited longest, so that none waits for ever behind others of a higher rank. */
const OLDEST_EVERY = 8

/** Creates a bucket that gives so many tokens a second, after a burst. */
export function createTokenBucket(rate: TokenRate): TokenBucket {
  const urgent = new Set<() => void>()
  const others = new RankedLine()
  let tokens = rate.burst
  let filledAtMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  let taken = 0

  function fill(): void {
    const nowMs = performance.now()
    tokens = Math.min(rate.burst, tokens + ((nowMs - filledAtMs) * rate.perSecond) / 1000)
    filledAtMs = nowMs
  }

  function serve(): void {
    timer = undefined
    fill()
    while (tokens >= 1) {
      const go = next()
      if (go === undefined) break
      tokens -= 1
      taken += 1
      go()
    }
    if (urgent.size + others.size === 0 || timer !== undefined) return
    timer = setTimeout(serve, Math.ceil(((1 - tokens) * 1000) / rate.perSecond))
    timer.unref()
  }

  function next(): (() => void) | undefined {
    const [first] = urgent
    if (first === undefined) return others.shift(taken % OLDEST_EVERY === OLDEST_EVERY - 1)
    urgent.delete(first)
    return first
  }

  return {
    take(go, { isUrgent = false, rank = 0 } = {}) {
      // An object of its own, so that the same function may wait twice.
      const request = (): void => go()
      if (isUrgent) urgent.add(request)
      else others.add(request, rank)
      if (timer === undefined || isUrgent) {
        clearTimeout(timer)
        serve()
      }
      return () => void (urgent.delete(request) || others.delete(request))
    },
    available() {
      fill()
      return urgent.size + others.size === 0 ? tokens : 0
    },
    get taken() {
      return taken
    },
    get waiting() {
      return urgent.size + others.size
    },
  }
}

interface Ranked {
  readonly go: () => void
  readonly rank: number
  readonly number: number
}

/** Requests by rank, in a heap, and by age. One that was withdrawn stays in the heap until it comes up, or most of the heap is like it. */
class RankedLine {
  readonly #byAge = new Set<() => void>()
  #heap: Ranked[] = []
  #made = 0

  get size(): number {
    return this.#byAge.size
  }

  add(go: () => void, rank: number): void {
    this.#byAge.add(go)
    this.#made += 1
    this.#heap.push({ go, rank, number: this.#made })
    this.#rise(this.#heap.length - 1)
  }

  delete(go: () => void): void {
    this.#byAge.delete(go)
    if (this.#heap.length < 2 * this.#byAge.size + WITHDRAWN_MAX) return
    // Ours: instances of this node. A sorted list is a heap.
    this.#heap = this.#heap
      .filter((one) => this.#byAge.has(one.go))
      .sort((one, other) => (isBefore(one, other) ? -1 : 1))
  }

  /** Takes the oldest one, or the one with the highest rank. */
  shift(isOldest: boolean): (() => void) | undefined {
    const go = isOldest ? this.#byAge.values().next().value : this.#highest()
    if (go !== undefined) this.delete(go)
    return go
  }

  #highest(): (() => void) | undefined {
    for (;;) {
      const [first] = this.#heap
      const last = this.#heap.pop()
      if (first === undefined || last === undefined) return undefined
      if (this.#heap.length > 0) {
        this.#heap[0] = last
        this.#sink()
      }
      if (this.#byAge.has(first.go)) return first.go
    }
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfBefore(at, parent)) return
      at = parent
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const [one, other] = [this.#heap[left], this.#heap[right]]
      const child = one !== undefined && other !== undefined && isBefore(other, one) ? right : left
      if (!this.#swapIfBefore(child, at)) return
      at = child
    }
  }

  /** Swaps two places if the first one's request comes before the other's. */
  #swapIfBefore(place: number, other: number): boolean {
    const [one, two] = [this.#heap[place], this.#heap[other]]
    if (one === undefined || two === undefined || !isBefore(one, two)) return false
    this.#heap[place] = two
    this.#heap[other] = one
    return true
  }
}

/** Maximum of withdrawn requests in a heap that has no others. */
const WITHDRAWN_MAX = 64

function isBefore(one: Ranked, other: Ranked): boolean {
  return one.rank > other.rank || (one.rank === other.rank && one.number < other.number)
}
