/** Loaded into a measured process before its program (`--import`): told SIGUSR2, it prints how late its event loop was since the last time. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** In milliseconds, of a timer that is due every 2 ms. One long wait is one sample. */
export interface Delay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const RESOLUTION_MS = 2

// Threads of the program load it too.
if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  // The histogram holds the time between two looks, on time ones included.
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  process.on('SIGUSR2', () => {
    const delay: Delay = {
      p50: late(histogram.percentile(50)),
      p99: late(histogram.percentile(99)),
      max: late(histogram.max),
    }
    histogram.reset()
    process.stdout.write(`${JSON.stringify({ delay })}\n`)
  })
}
