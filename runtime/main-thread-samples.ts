/**
 * Samples the time that work takes of the main thread after its waits. Measuring each piece between two waits costs 0.15 µs or so, too much for
 * always: it is done for a quarter of the time while the event loop is busy, and all the time for a while after the event loop was blocked.
 */
import { promiseHooks } from 'node:v8'
import { measuredMs, noteWork, presentWork, sampleWork, type Work } from '../schemas/work.js'

const LOOK_MS = 250
/** One of so many spans is sampled. */
const ONE_OF = 4
/** Share of the time of the event loop, of 1, above which it is sampled. */
const BUSY = 0.25
/** Delay of the event loop after which all is measured, and for how long. */
const LATE_MS = 250
const ALL_MS = 60_000

export interface MainThreadSamples {
  /** Call with each delay of the event loop. */
  lagged(ms: number): void
  close(): void
}

export function startMainThreadSamples(): MainThreadSamples {
  let stop: (() => void) | undefined
  let looks = 0
  let allUntilMs = 0
  let last = performance.eventLoopUtilization()

  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    looks += 1
    const isAll = performance.now() < allUntilMs
    open(isAll ? 1 : utilization > BUSY && looks % ONE_OF === 0 ? ONE_OF : 0)
  }, LOOK_MS)
  timer.unref()

  /** @param weight of what is measured; 0 measures nothing */
  function open(weight: number): void {
    stop?.()
    sampleWork(weight > 0)
    stop = weight === 0 ? undefined : measure(weight)
  }

  return {
    lagged(ms) {
      if (ms >= LATE_MS) allUntilMs = performance.now() + ALL_MS
    },
    close() {
      clearInterval(timer)
      open(0)
    },
  }
}

function measure(weight: number): () => void {
  let work: Work | undefined
  let beganMs = 0
  let before = 0
  return promiseHooks.createHook({
    before() {
      work = presentWork()
      if (work === undefined) return
      beganMs = performance.now()
      before = measuredMs()
    },
    after() {
      if (work === undefined) return
      // Work that it began and noted itself is counted with that work.
      const ms = performance.now() - beganMs - (measuredMs() - before)
      if (ms > 0) noteWork(work, ms, weight)
      work = undefined
    },
  }) as () => void
}
