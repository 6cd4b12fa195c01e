export interface RetryTimer {
  /**
   * Has the lane called at that time. Lanes over the bound are left to the sweep. `receiver`: whom it waits for, '' for nobody;
   * when left out, as it was.
   */
  add(lane: string, atMs: number, receiver?: string): void
  /** Takes the lanes that wait for this receiver, to be called at once. */
  take(receiver: string): readonly string[]
  /** Takes the one of them whose time comes first. */
  takeFirst(receiver: string): string | undefined
  /** Takes lanes that wait for any receiver. */
  release(isWanted: (lane: string) => boolean): readonly string[]
  readonly size: number
  /** The earliest time that is known; infinity when nothing waits. */
  earliestMs(): number
  close(): void
}

interface Entry {
  readonly atMs: number
  readonly receiver: string
}

const LANES_MAX = 10_000
const TICK_MS = 100

/** Remembers lanes that wait for their next attempt; one timer, which runs only while there are any. */
export function createRetryTimer(call: (lane: string) => void): RetryTimer {
  const waiting = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  return {
    add(lane, atMs, receiver) {
      if (isClosed || (waiting.size >= LANES_MAX && !waiting.has(lane))) return
      waiting.set(lane, { atMs, receiver: receiver ?? waiting.get(lane)?.receiver ?? '' })
      timer ??= setInterval(tick, TICK_MS)
    },
    take: (receiver) => takeThose((_, entry) => entry.receiver === receiver),
    takeFirst(receiver) {
      let first: { lane: string; atMs: number } | undefined
      for (const [lane, { atMs, receiver: other }] of waiting)
        if (other === receiver && atMs < (first?.atMs ?? Number.POSITIVE_INFINITY)) first = { lane, atMs }
      if (first !== undefined) waiting.delete(first.lane)
      return first?.lane
    },
    release: (isWanted) => takeThose((lane, { receiver }) => receiver !== '' && isWanted(lane)),
    get size() {
      return waiting.size
    },
    earliestMs() {
      let earliest = Number.POSITIVE_INFINITY
      for (const { atMs } of waiting.values()) earliest = Math.min(earliest, atMs)
      return earliest
    },
    close() {
      isClosed = true
      waiting.clear()
      stop()
    },
  }

  function takeThose(isWanted: (lane: string, entry: Entry) => boolean): readonly string[] {
    const lanes = [...waiting].filter(([lane, entry]) => isWanted(lane, entry)).map(([lane]) => lane)
    for (const lane of lanes) waiting.delete(lane)
    return lanes
  }

  function tick(): void {
    const now = Date.now()
    for (const [lane, { atMs }] of waiting) {
      if (atMs > now) continue
      waiting.delete(lane)
      call(lane)
    }
    if (waiting.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
}
