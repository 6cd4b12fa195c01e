import type { Logger } from 'pino'
import type { StreamEvent, StreamStore } from './stream-ports.js'

/** Time that a transaction may hold up the stream of all instances before a warning is logged. */
const HELD_UP_MS = 60_000

/** Transactions that were under way when positions up to `upTo` were seen. They may fill gaps before it. */
interface Awaited {
  readonly upTo: number
  readonly writers: readonly string[]
  warnAtMs: number
}

/**
 * Finds gaps in the positions over all instances that may still be filled. Positions are given out before the commit, and nodes commit
 * side by side: a later position may be seen first.
 */
export class GapWatch {
  readonly #store: Pick<StreamStore, 'writers'>
  readonly #log: Logger
  /** No further event appears at this position or before it. */
  #settled = 0
  #awaited: Awaited | undefined

  constructor(store: Pick<StreamStore, 'writers'>, log: Logger) {
    this.#store = store
    this.#log = log
  }

  isSettled(position: number): boolean {
    return position <= this.#settled
  }

  /** Returns the index of the event after the first gap that may still be filled, or -1. */
  firstOpen(page: readonly StreamEvent[], after: number): number {
    const settled = this.#settled
    return page.findIndex(
      ({ cursor }, index) => cursor !== (page[index - 1]?.cursor ?? after) + 1 && cursor > settled + 1,
    )
  }

  /**
   * Returns true when nothing further appears up to this position, which was seen before. Only a transaction that had begun to write
   * events when the position was given out can fill a gap before it. So this waits for those that write now, each until it has ended.
   */
  async settle(upTo: number): Promise<boolean> {
    if (upTo <= this.#settled) return true
    const writers = await this.#store.writers()
    if (this.#awaited !== undefined && !this.#awaited.writers.some((writer) => writers.includes(writer))) {
      this.#settled = Math.max(this.#settled, this.#awaited.upTo)
      this.#awaited = undefined
    }
    if (upTo <= this.#settled) return true
    if (this.#awaited === undefined && writers.length === 0) {
      this.#settled = upTo
      return true
    }
    const nowMs = performance.now()
    this.#awaited ??= { upTo, writers, warnAtMs: nowMs + HELD_UP_MS }
    this.#warnWhenLate(this.#awaited, nowMs)
    return false
  }

  #warnWhenLate(awaited: Awaited, nowMs: number): void {
    if (nowMs < awaited.warnAtMs) return
    awaited.warnAtMs = nowMs + HELD_UP_MS
    this.#log.warn(
      { transactions: awaited.writers },
      'The stream of all instances waits for a transaction that stays open.',
    )
  }
}
