/**
 * A line of one kind of work: how much of it is done at once, for all owners and for each, and whose is next. The owner with the least time is
 * served first (`FairShares`), and its own work in the order in which it came.
 *
 * A place is lent to others while its work waits for a silent far side (`Place.lend`), so that such work uses no place, but still counts among the
 * work that its owner, and all owners, may have open.
 */
import { FairShares } from './fair-shares.js'
import { OpenPlace, type OwnerWork, type Place, type PlaceLine, type WaitingWork } from './place.js'

export interface WorkLimits {
  /** Maximum of places that are used at once. */
  readonly atOnce: number
  /** Maximum of work that is open at once: in a place, or in one that is lent. Default `atOnce`. */
  readonly openMax?: number
  /** Part of `openMax` that only owners without open work may use. Default 0. */
  readonly keptForOthers?: number
  /** Maximum of open work of one owner. */
  readonly ownerMax: number
  /** Maximum of work of one owner that waits. More is refused. */
  readonly ownerWaitingMax: number
  /** Maximum of work that waits, of all owners. Above it an owner may have one that waits. Default 50,000. */
  readonly waitingMax?: number
}

export interface WorkLineOptions {
  readonly limits: WorkLimits
  /** Makes the error for work that finds no room to wait. */
  readonly refuse: () => Error
  /** Called when work begins, with the time for which it has waited. */
  readonly onBegun?: (waitedMs: number) => void
  /** For tests: another clock. */
  readonly now?: () => number
}

export interface WorkCounts {
  /** Work in a place. */
  readonly running: number
  /** Work whose place is lent. */
  readonly silent: number
  readonly waiting: number
  readonly refused: number
}

const WAITING_MAX = 50_000

export class WorkLine implements PlaceLine {
  readonly #limits: Required<WorkLimits>
  readonly #refuse: () => Error
  readonly #onBegun: ((waitedMs: number) => void) | undefined
  readonly #now: () => number
  readonly #shares = new FairShares()
  readonly #owners = new Map<string, OwnerWork>()
  /** Owners with work that waits or returns. The one that was served last is the last. */
  readonly #asking = new Set<string>()
  #running = 0
  #open = 0
  #waiting = 0
  #refused = 0

  constructor({ limits, refuse, onBegun, now = () => performance.now() }: WorkLineOptions) {
    this.#limits = { openMax: limits.atOnce, keptForOthers: 0, waitingMax: WAITING_MAX, ...limits }
    this.#refuse = refuse
    this.#onBegun = onBegun
    this.#now = now
  }

  /**
   * Does the work in a place.
   * @throws what `refuse` makes, and the reason of the signal if it is aborted before the work begins
   */
  async run<T>(owner: string, work: (place: Place) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const place = await this.take(owner, signal)
    try {
      signal?.throwIfAborted()
      return await work(place)
    } finally {
      place.end()
    }
  }

  /** Waits for a place, which the caller ends. @throws as `run` */
  take(owner: string, signal?: AbortSignal): Promise<Place> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    const work = this.#takeWork(owner)
    if (!this.#hasRoomToWait(work)) {
      this.#refused += 1
      this.#forget(work)
      return Promise.reject(this.#refuse())
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#withdraw(work, waiting)
        reject(signal?.reason as Error)
      }
      const waiting: WaitingWork = {
        sinceMs: this.#now(),
        begin(place) {
          signal?.removeEventListener('abort', abort)
          resolve(place)
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting += 1
      work.waiting.add(waiting)
      this.#asking.add(owner)
      this.#serve()
    })
  }

  /** Tells whether work of the owner would begin at once, since nobody waits. */
  hasPlaceFor(owner: string): boolean {
    const { atOnce, ownerMax, openMax, keptForOthers } = this.#limits
    const open = this.#owners.get(owner)?.open ?? 0
    if (this.#waiting > 0 || this.#running >= atOnce || open >= ownerMax) return false
    return this.#open < (open === 0 ? openMax : openMax - keptForOthers)
  }

  counts(): WorkCounts {
    const silent = this.#open - this.#running
    return { running: this.#running, silent, waiting: this.#waiting, refused: this.#refused }
  }

  hasFirstBefore({ owner }: OwnerWork): boolean {
    const nowMs = this.#now()
    const usedMs = this.#shares.usedMs(owner, nowMs)
    for (const other of this.#asking)
      if (other !== owner && this.#canServe(other) && this.#shares.usedMs(other, nowMs) < usedMs) return true
    return false
  }

  lend({ owner }: OwnerWork): void {
    this.#running -= 1
    this.#shares.end(owner, this.#now())
    this.#serve()
  }

  takeBack(work: OwnerWork, goOn: () => void): void {
    work.returning.add(goOn)
    this.#asking.add(work.owner)
    this.#serve()
  }

  end(work: OwnerWork, isRunning: boolean): void {
    this.#open -= 1
    work.open -= 1
    if (isRunning) this.lend(work)
    else this.#serve()
    this.#forget(work)
  }

  #takeWork(owner: string): OwnerWork {
    const work = this.#owners.get(owner) ?? { owner, open: 0, waiting: new Set(), returning: new Set() }
    this.#owners.set(owner, work)
    return work
  }

  #hasRoomToWait(work: OwnerWork): boolean {
    if (this.#canServe(work.owner, 1) && this.#running < this.#limits.atOnce) return true
    const { ownerWaitingMax, waitingMax } = this.#limits
    return work.waiting.size < ownerWaitingMax && (this.#waiting < waitingMax || work.waiting.size === 0)
  }

  #withdraw(work: OwnerWork, waiting: WaitingWork): void {
    if (!work.waiting.delete(waiting)) return
    this.#waiting -= 1
    this.#forget(work)
  }

  #serve(): void {
    while (this.#running < this.#limits.atOnce) {
      const nowMs = this.#now()
      const owner = this.#shares.choose(this.#servable(), nowMs)
      if (owner === undefined) return
      this.#running += 1
      this.#shares.begin(owner, nowMs)
      this.#begin(this.#takeWork(owner), nowMs)
    }
  }

  *#servable(): Iterable<string> {
    for (const owner of this.#asking) if (this.#canServe(owner)) yield owner
  }

  /** `more`: work that is about to wait. */
  #canServe(owner: string, more = 0): boolean {
    const work = this.#owners.get(owner)
    if (work === undefined) return false
    if (work.returning.size > 0) return true
    if (work.waiting.size + more === 0 || work.open >= this.#limits.ownerMax) return false
    const { openMax, keptForOthers } = this.#limits
    return this.#open < (work.open === 0 ? openMax : openMax - keptForOthers)
  }

  /** Begins the first work of an owner, or goes on with it. */
  #begin(work: OwnerWork, nowMs: number): void {
    const { owner, waiting, returning } = work
    this.#asking.delete(owner)
    const [goOn] = returning
    const [next] = waiting
    if (goOn !== undefined) {
      returning.delete(goOn)
      goOn()
    } else if (next !== undefined) {
      waiting.delete(next)
      this.#waiting -= 1
      work.open += 1
      this.#open += 1
      this.#onBegun?.(nowMs - next.sinceMs)
      next.begin(new OpenPlace(this, work))
    }
    if (returning.size + waiting.size > 0) this.#asking.add(owner)
  }

  #forget({ owner, open, waiting, returning }: OwnerWork): void {
    if (returning.size + waiting.size > 0) return
    this.#asking.delete(owner)
    if (open === 0) this.#owners.delete(owner)
    if (this.#open === 0 && this.#waiting === 0) this.#shares.reset()
  }
}
