/** Gives a few places to callers of several lanes. Lanes take turns, so that the queue of one delays no other. */

export interface LaneLimits {
  /** Maximum of places that the lane has at once. */
  readonly max: number
  /** Maximum of callers that wait; more are refused. */
  readonly waitingMax: number
  readonly waitMaxMs: number
  /** Slow lanes together leave a place to the others. */
  readonly isSlow?: boolean
}

export interface LaneTurnsOptions<Name extends string> {
  readonly places: number
  readonly lanes: Readonly<Record<Name, LaneLimits>>
  /** Makes the error for a caller who finds the queue full, or has waited too long. */
  readonly refuse: (lane: Name) => Error
  /** Called for each caller that had to wait. */
  readonly onWaited?: (lane: Name, ms: number) => void
}

export interface LaneFigures<Name extends string> {
  readonly lane: Name
  readonly held: number
  readonly waiting: number
  readonly refused: number
}

interface Waiting {
  readonly go: (end: () => void) => void
  readonly fail: (error: Error) => void
  readonly sinceMs: number
}

class Lane<Name extends string> {
  held = 0
  refused = 0
  timer: NodeJS.Timeout | undefined
  readonly waiting: Waiting[] = []
  readonly name: Name
  readonly limits: LaneLimits

  constructor(name: Name, limits: LaneLimits) {
    this.name = name
    this.limits = limits
  }
}

export class LaneTurns<Name extends string> {
  readonly #options: LaneTurnsOptions<Name>
  readonly #lanes: readonly Lane<Name>[]
  readonly #slowMax: number
  #held = 0
  #slowHeld = 0
  /** The lane whose turn is next. */
  #next = 0

  constructor(options: LaneTurnsOptions<Name>) {
    this.#options = options
    this.#slowMax = Math.max(1, options.places - 1)
    this.#lanes = Object.entries<LaneLimits>(options.lanes).map(([name, limits]) => new Lane(name as Name, limits))
  }

  /** Waits for a place. Resolves with what gives it back. @throws what `refuse` makes */
  take(name: Name): Promise<() => void> {
    const lane = this.#lanes.find((one) => one.name === name) as Lane<Name>
    if (lane.waiting.length === 0 && this.#hasPlace(lane)) return Promise.resolve(this.#occupy(lane))
    if (lane.waiting.length >= lane.limits.waitingMax) return Promise.reject(this.#refuse(lane))
    return new Promise((go, fail) => {
      lane.waiting.push({ go, fail, sinceMs: performance.now() })
      this.#watch(lane)
    })
  }

  figures(): readonly LaneFigures<Name>[] {
    return this.#lanes.map(({ name, held, waiting, refused }) => ({
      lane: name,
      held,
      waiting: waiting.length,
      refused,
    }))
  }

  /** Refuses all that wait. */
  close(): void {
    for (const lane of this.#lanes) {
      clearTimeout(lane.timer)
      for (const { fail } of lane.waiting.splice(0)) fail(this.#options.refuse(lane.name))
    }
  }

  #hasPlace({ held, limits }: Lane<Name>): boolean {
    if (this.#held >= this.#options.places || held >= limits.max) return false
    return limits.isSlow !== true || this.#slowHeld < this.#slowMax
  }

  #occupy(lane: Lane<Name>): () => void {
    const slow = lane.limits.isSlow === true ? 1 : 0
    this.#held += 1
    this.#slowHeld += slow
    lane.held += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#held -= 1
      this.#slowHeld -= slow
      lane.held -= 1
      this.#giveFree()
    }
  }

  /** Gives free places to lanes in turns, beginning behind the one that got the last. */
  #giveFree(): void {
    for (let passed = 0; passed < this.#lanes.length && this.#held < this.#options.places; ) {
      const lane = this.#lanes[this.#next] as Lane<Name>
      this.#next = (this.#next + 1) % this.#lanes.length
      const first = this.#hasPlace(lane) ? lane.waiting.shift() : undefined
      if (first === undefined) {
        passed += 1
        continue
      }
      passed = 0
      this.#options.onWaited?.(lane.name, performance.now() - first.sinceMs)
      first.go(this.#occupy(lane))
    }
  }

  /** Callers of a lane wait equally long at most, so that the first is the next to give up. */
  #watch(lane: Lane<Name>): void {
    const [first] = lane.waiting
    if (first === undefined || lane.timer !== undefined) return
    const leftMs = first.sinceMs + lane.limits.waitMaxMs - performance.now()
    lane.timer = setTimeout(
      () => {
        lane.timer = undefined
        const lateMs = performance.now() - lane.limits.waitMaxMs
        while (lane.waiting[0] !== undefined && lane.waiting[0].sinceMs <= lateMs) {
          lane.waiting.shift()?.fail(this.#refuse(lane))
        }
        this.#watch(lane)
      },
      Math.max(1, Math.ceil(leftMs)),
    )
  }

  #refuse(lane: Lane<Name>): Error {
    lane.refused += 1
    return this.#options.refuse(lane.name)
  }
}
