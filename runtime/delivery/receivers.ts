/** How many lanes may speak to one receiver at once; those over it wait outside, so that they hold nothing. */
export interface Receivers {
  /** Takes a place at the receiver (an origin); false when there is none: the lane is told when one comes free. */
  enter(origin: string, lane: string): boolean
  leave(origin: string): void
  isTroubled(origin: string): boolean
  /**
   * What became of an attempt: a receiver that keeps failing gets one lane at a time until it answers. `isRecovered` is true
   * for the attempt that ends this.
   */
  report(origin: string, isGood: boolean): { readonly isRecovered: boolean }
}

interface Receiver {
  active: number
  failures: number
  readonly waiting: Set<string>
}

/** So many failures in a row make a receiver a troubled one. */
const TROUBLED_AFTER = 5

export function createReceivers(options: {
  readonly lanesMax: number
  /** A place has come free for this lane. */
  readonly onFree: (lane: string) => void
}): Receivers {
  const receivers = new Map<string, Receiver>()
  return { enter, leave, report, isTroubled: (origin) => isTroubled(receivers.get(origin)) }

  function enter(origin: string, lane: string): boolean {
    const receiver = receivers.get(origin) ?? { active: 0, failures: 0, waiting: new Set<string>() }
    receivers.set(origin, receiver)
    if (receiver.active >= placesOf(receiver)) {
      receiver.waiting.add(lane)
      return false
    }
    receiver.waiting.delete(lane)
    receiver.active += 1
    return true
  }

  function leave(origin: string): void {
    const receiver = receivers.get(origin)
    if (receiver === undefined) return
    receiver.active -= 1
    let free = placesOf(receiver) - receiver.active
    for (const lane of receiver.waiting) {
      if (free <= 0) break
      free -= 1
      // It enters anew when it runs; if it has nothing to do by then, it leaves again and calls the next.
      receiver.waiting.delete(lane)
      options.onFree(lane)
    }
    // A troubled one is remembered while something waits for it: the next lane would begin with all places otherwise.
    if (receiver.active === 0 && receiver.waiting.size === 0 && receiver.failures === 0) receivers.delete(origin)
  }

  function report(origin: string, isGood: boolean): { isRecovered: boolean } {
    const receiver = receivers.get(origin)
    if (receiver === undefined) return { isRecovered: false }
    const isRecovered = isGood && isTroubled(receiver)
    receiver.failures = isGood ? 0 : receiver.failures + 1
    return { isRecovered }
  }

  function placesOf(receiver: Receiver): number {
    return isTroubled(receiver) ? 1 : options.lanesMax
  }

  function isTroubled(receiver: Receiver | undefined): boolean {
    return receiver !== undefined && receiver.failures >= TROUBLED_AFTER
  }
}
