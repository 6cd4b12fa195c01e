export interface RetryTimer {
  /**
   * Calls the lane after that time. Lanes over the bound are left to the sweep. `receiver`: whom it waits for, '' for nobody;
   * when left out, as it was.
   */
  add(lane: string, waitMs: number, receiver?: string): void
  /** Takes the lanes that wait for this receiver, to be called at once. */
  take(receiver: string): readonly string[]
  /** Takes the one of them that was added first. */
  takeFirst(receiver: string): string | undefined
  /** Takes lanes that wait for any receiver. */
  release(isWanted: (lane: string) => boolean): readonly string[]
  readonly size: number
  close(): void
}

interface Entry {
  readonly atMs: number
  readonly receiver: string
}

const LANES_MAX = 50_000
const TICK_MS = 100

/**
 * Remembers lanes that wait for their next attempt; one timer, which runs only while there are any.
 * `now` gives milliseconds that the clock of the machine does not change; a test gives its own.
 */
export function createRetryTimer(call: (lane: string) => void, now = () => performance.now()): RetryTimer {
  const waiting = new Map<string, Entry>()
  const ofReceivers = new Map<string, Set<string>>()
  let timer: NodeJS.Timeout | undefined
  /** Nothing is due before. */
  let earliestMs = Number.POSITIVE_INFINITY
  let isClosed = false
  return {
    add(lane, waitMs, receiver) {
      if (isClosed || (waiting.size >= LANES_MAX && !waiting.has(lane))) return
      const atMs = now() + waitMs
      const entry = { atMs, receiver: receiver ?? waiting.get(lane)?.receiver ?? '' }
      remove(lane)
      waiting.set(lane, entry)
      const lanes = ofReceivers.get(entry.receiver)
      if (lanes === undefined) ofReceivers.set(entry.receiver, new Set([lane]))
      else lanes.add(lane)
      earliestMs = Math.min(earliestMs, atMs)
      timer ??= setInterval(tick, TICK_MS)
    },
    take: (receiver) => takeAll([...(ofReceivers.get(receiver) ?? [])]),
    takeFirst(receiver) {
      const [first] = ofReceivers.get(receiver) ?? []
      if (first !== undefined) remove(first)
      return first
    },
    release: (isWanted) =>
      takeAll([...waiting].filter(([lane, { receiver }]) => receiver !== '' && isWanted(lane)).map(([lane]) => lane)),
    get size() {
      return waiting.size
    },
    close() {
      isClosed = true
      waiting.clear()
      ofReceivers.clear()
      stop()
    },
  }

  function takeAll(lanes: readonly string[]): readonly string[] {
    for (const lane of lanes) remove(lane)
    return lanes
  }

  function remove(lane: string): void {
    const entry = waiting.get(lane)
    if (entry === undefined) return
    waiting.delete(lane)
    const lanes = ofReceivers.get(entry.receiver)
    lanes?.delete(lane)
    if (lanes?.size === 0) ofReceivers.delete(entry.receiver)
  }

  function tick(): void {
    const nowMs = now()
    if (nowMs < earliestMs) return
    earliestMs = Number.POSITIVE_INFINITY
    const due: string[] = []
    for (const [lane, { atMs }] of waiting) {
      if (atMs <= nowMs) due.push(lane)
      else earliestMs = Math.min(earliestMs, atMs)
    }
    for (const lane of takeAll(due)) call(lane)
    if (waiting.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
}
