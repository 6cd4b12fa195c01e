/**
 * When the receipts of phones leave. A phone of the real network sleeps: it has a message seconds after it was sent, and its owner reads it later
 * still. Each receipt then comes alone.
 */
export interface ReceiptTimes {
  /** True if people read what they get. The owner of an account with a client does not read on the phone. */
  readonly areRead: boolean
  /** Time until a message counts as delivered, in the mean; 0: at once. */
  readonly deliveryDelayMs: number
  /** The same from there until it is read. */
  readonly readDelayMs: number
}

export const PROMPT_RECEIPTS: ReceiptTimes = { areRead: false, deliveryDelayMs: 0, readDelayMs: 0 }
export const LATE_RECEIPTS: ReceiptTimes = { areRead: true, deliveryDelayMs: 2_000, readDelayMs: 4_000 }

/** Receipts that leave later. What waits is dropped when the network closes. */
export class LateReceipts {
  /** How the receipts of phones leave whose settings do not say so. */
  times: ReceiptTimes = PROMPT_RECEIPTS
  readonly #timers = new Set<NodeJS.Timeout>()

  /** Number of receipts that are still to leave. */
  get waiting(): number {
    return this.#timers.size
  }

  /** Runs the work after half to one and a half times the delay; at once if there is none. */
  after(delayMs: number, work: () => void): void {
    if (delayMs <= 0) {
      work()
      return
    }
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        work()
      },
      delayMs * (0.5 + Math.random()),
    )
    timer.unref()
    this.#timers.add(timer)
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
