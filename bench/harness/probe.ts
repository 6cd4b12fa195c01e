/** Asks one thing again and again beside other work, and keeps how long it took. */
import { setTimeout as wait } from 'node:timers/promises'

export interface Probe {
  /** Ends it. Returns the median and the 99th percentile, in milliseconds. */
  stop(): Promise<{ readonly p50: number; readonly p99: number }>
}

/** Begins one call after the other, at most one in `everyMs`. */
export function startProbe(everyMs: number, call: () => Promise<unknown>): Probe {
  const times: number[] = []
  let isStopped = false
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const began = performance.now()
      await call()
      const tookMs = performance.now() - began
      times.push(tookMs)
      await wait(Math.max(0, everyMs - tookMs))
    }
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      await running
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
      return { p50: at(0.5), p99: at(0.99) }
    },
  }
}
