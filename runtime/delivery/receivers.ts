/** How many lanes may speak to one origin at once; those over it wait outside, so that they hold nothing. */
export interface Receivers {
  /**
   * Takes a place at the origin; false when there is none: the lane is told when one comes free. A slow origin has
   * places for probes, which find out whether it is there again: an attempt that hangs must not keep them from that.
   */
  enter(origin: string, lane: string, isProbe?: boolean): boolean
  leave(origin: string): void
  /** The lane does not want the place that it was told of; another gets it. */
  pass(lane: string): void
  isSlow(origin: string): boolean
  /** How an answer came: an origin that keeps being slow gets one lane at a time until it is not. */
  report(origin: string, isSlow: boolean): void
  /** Lanes that wait for a place, at all origins. */
  waiting(): number
}

interface Receiver {
  active: number
  /** Slow answers in a row. */
  slow: number
  readonly waiting: Set<string>
}

const SLOW_AFTER = 5

export function createReceivers(options: {
  readonly lanesMax: number
  /** A place has come free for this lane. */
  readonly onFree: (lane: string) => void
}): Receivers {
  const receivers = new Map<string, Receiver>()
  /** Lanes that were told of a place and have not come yet. */
  const told = new Map<string, string>()
  return { enter, leave, pass, report, isSlow: (origin) => isSlow(receivers.get(origin)), waiting }

  function enter(origin: string, lane: string, isProbe = false): boolean {
    // Its webhook may have got another URL meanwhile.
    if (told.get(lane) === origin) told.delete(lane)
    else pass(lane)
    const receiver = receivers.get(origin) ?? { active: 0, slow: 0, waiting: new Set<string>() }
    receivers.set(origin, receiver)
    if (receiver.active >= (isProbe ? options.lanesMax : placesOf(receiver))) {
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
    tell(origin, receiver)
  }

  function pass(lane: string): void {
    const origin = told.get(lane)
    if (origin === undefined) return
    told.delete(lane)
    const receiver = receivers.get(origin)
    if (receiver !== undefined) tell(origin, receiver)
  }

  function tell(origin: string, receiver: Receiver): void {
    let free = placesOf(receiver) - receiver.active
    for (const lane of receiver.waiting) {
      if (free <= 0) break
      free -= 1
      // It enters anew when it runs; if it has nothing to do by then, it leaves again and calls the next.
      receiver.waiting.delete(lane)
      told.set(lane, origin)
      options.onFree(lane)
    }
    // A slow one is remembered while something waits for it: the next lane would begin with all places otherwise.
    if (receiver.active === 0 && receiver.waiting.size === 0 && receiver.slow === 0) receivers.delete(origin)
  }

  function report(origin: string, isSlowAnswer: boolean): void {
    const receiver = receivers.get(origin)
    if (receiver !== undefined) receiver.slow = isSlowAnswer ? receiver.slow + 1 : 0
  }

  function waiting(): number {
    let count = 0
    for (const receiver of receivers.values()) count += receiver.waiting.size
    return count
  }

  function placesOf(receiver: Receiver): number {
    return isSlow(receiver) ? 1 : options.lanesMax
  }

  function isSlow(receiver: Receiver | undefined): boolean {
    return receiver !== undefined && receiver.slow >= SLOW_AFTER
  }
}
