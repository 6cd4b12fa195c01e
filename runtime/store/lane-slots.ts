/**
 * Gives a few places to callers of several lanes. Lanes take turns, so that the queue of one delays no other. Within a lane the owner is next that has
 * used places for the least time (`FairShares`), so that the queue of one owner delays no other either.
 */
import { FairShares } from '../work/fair-shares.js'

export interface LaneLimits {
  /** Maximum of places that the lane has at once. */
  readonly max: number
  /** Maximum of callers that wait. More are refused, but for the first one of an owner. */
  readonly waitingMax: number
  readonly waitMaxMs: number
  /** Slow lanes together leave a place to the others. */
  readonly isSlow?: boolean
  /** Maximum of places that an owner has at once. Default `max`. */
  readonly ownerMax?: number
}

export interface StoredLaneSlotsOptions<Name extends string> {
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
  readonly owner: string
  readonly go: (end: () => void) => void
  readonly fail: (error: Error) => void
  readonly sinceMs: number
}

/** Owners that are compared for a free place: those that have waited longest for their turn. If there are more, each has a small share anyway. */
const COMPARED_MAX = 64
/** Callers without an owner. */
const NOBODY = ''

class Lane<Name extends string> {
  held = 0
  refused = 0
  timer: NodeJS.Timeout | undefined
  /** All that wait, in the order in which they came. */
  readonly waiting = new Set<Waiting>()
  readonly name: Name
  readonly limits: LaneLimits
  /** The same by owner. The owner that was served last is the last. */
  readonly #ofOwners = new Map<string, Set<Waiting>>()
  /** Places of owners. */
  readonly #holders = new Map<string, number>()
  readonly #shares = new FairShares()

  constructor(name: Name, limits: LaneLimits) {
    this.name = name
    this.limits = limits
  }

  canWait(owner: string): boolean {
    return this.waiting.size < this.limits.waitingMax || !(owner === NOBODY || this.#ofOwners.has(owner))
  }

  add(waiting: Waiting): void {
    this.waiting.add(waiting)
    const own = this.#ofOwners.get(waiting.owner) ?? new Set()
    this.#ofOwners.set(waiting.owner, own.add(waiting))
  }

  remove(waiting: Waiting): void {
    this.waiting.delete(waiting)
    const own = this.#ofOwners.get(waiting.owner)
    own?.delete(waiting)
    if (own?.size === 0) this.#ofOwners.delete(waiting.owner)
    if (this.waiting.size > 0) return
    clearTimeout(this.timer)
    this.timer = undefined
  }

  mayHold(owner: string): boolean {
    return owner === NOBODY || (this.#holders.get(owner) ?? 0) < (this.limits.ownerMax ?? this.limits.max)
  }

  /** Takes out the one that is next; undefined if none may have a place. */
  next(): Waiting | undefined {
    const owner = this.#shares.choose(this.#servable(), performance.now())
    const own = owner === undefined ? undefined : this.#ofOwners.get(owner)
    if (owner === undefined || own === undefined) return undefined
    const [first] = own
    if (first !== undefined) this.remove(first)
    if (this.#ofOwners.delete(owner)) this.#ofOwners.set(owner, own)
    return first
  }

  begin(owner: string): void {
    this.held += 1
    this.#holders.set(owner, (this.#holders.get(owner) ?? 0) + 1)
    this.#shares.begin(owner, performance.now())
  }

  end(owner: string): void {
    this.held -= 1
    const left = (this.#holders.get(owner) ?? 1) - 1
    if (left === 0) this.#holders.delete(owner)
    else this.#holders.set(owner, left)
    this.#shares.end(owner, performance.now())
    if (this.held === 0 && this.waiting.size === 0) this.#shares.reset()
  }

  *#servable(): Iterable<string> {
    let compared = 0
    for (const owner of this.#ofOwners.keys()) {
      if (compared === COMPARED_MAX) return
      if (!this.mayHold(owner)) continue
      compared += 1
      yield owner
    }
  }
}

export class StoredLaneSlots<Name extends string> {
  readonly #options: StoredLaneSlotsOptions<Name>
  readonly #lanes: readonly Lane<Name>[]
  readonly #slowMax: number
  #held = 0
  #slowHeld = 0
  /** The lane whose turn is next. */
  #next = 0

  constructor(options: StoredLaneSlotsOptions<Name>) {
    this.#options = options
    this.#slowMax = Math.max(1, options.places - 1)
    this.#lanes = Object.entries<LaneLimits>(options.lanes).map(([name, limits]) => new Lane(name as Name, limits))
  }

  /** Waits for a place. Resolves with what gives it back. @throws what `refuse` makes */
  take(name: Name, owner = NOBODY): Promise<() => void> {
    const lane = this.#lanes.find((one) => one.name === name) as Lane<Name>
    // A free place beside those that wait is one that their owners may not have.
    if (this.#hasPlace(lane) && lane.mayHold(owner)) return Promise.resolve(this.#occupy(lane, owner))
    if (!lane.canWait(owner)) return Promise.reject(this.#refuse(lane))
    return new Promise((go, fail) => {
      lane.add({ owner, go, fail, sinceMs: performance.now() })
      this.#watch(lane)
    })
  }

  /** Tells whether a caller of the lane would get a place at once. */
  isFree(name: Name): boolean {
    const lane = this.#lanes.find((one) => one.name === name) as Lane<Name>
    return lane.waiting.size === 0 && this.#hasPlace(lane)
  }

  figures(): readonly LaneFigures<Name>[] {
    return this.#lanes.map(({ name, held, waiting, refused }) => ({
      lane: name,
      held,
      waiting: waiting.size,
      refused,
    }))
  }

  /** Refuses all that wait. */
  close(): void {
    for (const lane of this.#lanes) {
      clearTimeout(lane.timer)
      for (const one of [...lane.waiting]) {
        lane.remove(one)
        one.fail(this.#options.refuse(lane.name))
      }
    }
  }

  #hasPlace({ held, limits }: Lane<Name>): boolean {
    if (this.#held >= this.#options.places || held >= limits.max) return false
    return limits.isSlow !== true || this.#slowHeld < this.#slowMax
  }

  #occupy(lane: Lane<Name>, owner: string): () => void {
    const slow = lane.limits.isSlow === true ? 1 : 0
    this.#held += 1
    this.#slowHeld += slow
    lane.begin(owner)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#held -= 1
      this.#slowHeld -= slow
      lane.end(owner)
      this.#giveFree()
    }
  }

  /** Gives free places to lanes in turns, beginning behind the one that got the last. */
  #giveFree(): void {
    for (let passed = 0; passed < this.#lanes.length && this.#held < this.#options.places; ) {
      const lane = this.#lanes[this.#next] as Lane<Name>
      this.#next = (this.#next + 1) % this.#lanes.length
      const first = this.#hasPlace(lane) ? lane.next() : undefined
      if (first === undefined) {
        passed += 1
        continue
      }
      passed = 0
      this.#options.onWaited?.(lane.name, performance.now() - first.sinceMs)
      first.go(this.#occupy(lane, first.owner))
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
        this.#giveUpLate(lane, performance.now() - lane.limits.waitMaxMs)
        this.#watch(lane)
      },
      Math.max(1, Math.ceil(leftMs)),
    )
  }

  #giveUpLate(lane: Lane<Name>, sinceMs: number): void {
    for (const one of lane.waiting) {
      if (one.sinceMs > sinceMs) return
      lane.remove(one)
      one.fail(this.#refuse(lane))
    }
  }

  #refuse(lane: Lane<Name>): Error {
    lane.refused += 1
    return this.#options.refuse(lane.name)
  }
}
