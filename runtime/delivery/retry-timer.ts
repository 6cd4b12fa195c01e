export interface RetryTimer {
  /** Has the lane called at that time. Lanes over the bound are left to the sweep. `receiver`: whom it waits for, or ''. */
  add(lane: string, atMs: number, receiver: string): void
  /** Takes the lanes that wait for this receiver, to be called at once. */
  take(receiver: string): readonly string[]
  readonly size: number
  /** The earliest time that is known; infinity when nothing waits. */
  earliestMs(): number
  close(): void
}

const LANES_MAX = 10_000
const TICK_MS = 100

/** Remembers lanes that wait for their next attempt; one timer, which runs only while there are any. */
export function createRetryTimer(call: (lane: string) => void): RetryTimer {
  const waiting = new Map<string, { atMs: number; receiver: string }>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(lane, atMs, receiver) {
      if (waiting.size >= LANES_MAX && !waiting.has(lane)) return
      waiting.set(lane, { atMs, receiver })
      timer ??= setInterval(tick, TICK_MS)
    },
    take(receiver) {
      const lanes = [...waiting].filter(([, entry]) => entry.receiver === receiver).map(([lane]) => lane)
      for (const lane of lanes) waiting.delete(lane)
      return lanes
    },
    get size() {
      return waiting.size
    },
    earliestMs() {
      let earliest = Number.POSITIVE_INFINITY
      for (const { atMs } of waiting.values()) earliest = Math.min(earliest, atMs)
      return earliest
    },
    close() {
      waiting.clear()
      stop()
    },
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
