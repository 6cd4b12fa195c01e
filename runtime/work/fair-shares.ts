/**
 * Shares places by the time for which owners use them: start-time fair queueing. Each owner has a time that grows while it uses places, twice as
 * fast with two. A free place goes to the owner with the least time, so that slow work of one owner delays its own work only. An owner that had
 * nothing to do begins at the time of the owner that was served last: it gets no credit for its pause.
 */

interface Share {
  usedMs: number
  active: number
  /** Time at which `usedMs` was counted. */
  countedMs: number
}

/** Counted at each start, so that owners with work of no length take turns. */
const START_MS = 1
/** Maximum time by which an owner is behind the others. After it the owner is served again, however much it has used. */
const DEBT_MAX_MS = 10_000
/** Shares that may be remembered before idle ones are looked for. */
const IDLE_MAX = 256

export class FairShares {
  readonly #shares = new Map<string, Share>()
  /** Time of the owner that was served last. It never goes back. */
  #servedMs = 0
  #lookAt = IDLE_MAX

  /** Counts one more place of the owner from now on. */
  begin(owner: string, nowMs: number): void {
    const share = this.#counted(owner, nowMs)
    share.usedMs += START_MS
    share.active += 1
  }

  end(owner: string, nowMs: number): void {
    const share = this.#counted(owner, nowMs)
    share.active -= 1
    if (share.active === 0 && share.usedMs <= this.#servedMs) this.#shares.delete(owner)
  }

  /** Returns the time of an owner. Less time means that it is served earlier. */
  usedMs(owner: string, nowMs: number): number {
    const share = this.#shares.get(owner)
    return share === undefined ? this.#servedMs : this.#usedMs(share, nowMs)
  }

  /** Returns the owner that is to be served; of several with the same time, the first. Returns undefined if there is none. */
  choose(owners: Iterable<string>, nowMs: number): string | undefined {
    let chosen: string | undefined
    let leastMs = Number.POSITIVE_INFINITY
    for (const owner of owners) {
      const usedMs = this.usedMs(owner, nowMs)
      if (usedMs >= leastMs) continue
      chosen = owner
      leastMs = usedMs
    }
    if (chosen !== undefined) this.#servedMs = Math.max(this.#servedMs, leastMs)
    return chosen
  }

  /** Forgets what owners have used. Call it when none uses or wants a place. */
  reset(): void {
    this.#shares.clear()
    this.#servedMs = 0
  }

  #counted(owner: string, nowMs: number): Share {
    const share = this.#shares.get(owner) ?? { usedMs: this.#servedMs, active: 0, countedMs: nowMs }
    share.usedMs = this.#usedMs(share, nowMs)
    share.countedMs = nowMs
    this.#shares.set(owner, share)
    if (this.#shares.size > this.#lookAt) this.#forgetIdle()
    return share
  }

  #usedMs({ usedMs, active, countedMs }: Share, nowMs: number): number {
    const untilNowMs = usedMs + active * Math.max(0, nowMs - countedMs)
    return Math.min(Math.max(untilNowMs, this.#servedMs), this.#servedMs + DEBT_MAX_MS)
  }

  #forgetIdle(): void {
    for (const [owner, { active, usedMs }] of this.#shares)
      if (active === 0 && usedMs <= this.#servedMs) this.#shares.delete(owner)
    this.#lookAt = 2 * this.#shares.size + IDLE_MAX
  }
}
