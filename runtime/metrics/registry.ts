import { createHistogram } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Turns off the library's own measuring of the event loop: it wakes the process 100 times a second. `watchEventLoop` replaces it. */
const NEVER_MS = 2 ** 31 - 1

/**
 * Creates the registry that `/metrics` shows, with the metrics of the process. Each part of the node adds its own.
 * Names end in their unit. Labels have few values, and never name an instance.
 * @param lagged Called some times a second with the delay of the event loop, in milliseconds
 */
export function createRegistry(lagged: (ms: number) => void): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS })
  watchEventLoop(registry, lagged)
  return registry
}

// Measures the delay of the event loop four times a second, under the names of the metrics library.

const EVERY_MS = 250

/**
 * Replaces the metrics `nodejs_eventloop_lag_*`. They cover the time since they were last read.
 * @param noted Called with each delay, in milliseconds
 */
function watchEventLoop(registry: Registry, noted: (ms: number) => void): void {
  const histogram = createHistogram()
  let lastMs = 0
  let dueMs = performance.now() + EVERY_MS
  const timer = setInterval(() => {
    const nowMs = performance.now()
    lastMs = Math.max(0, nowMs - dueMs)
    // A histogram holds whole numbers from 1 on.
    histogram.record(Math.max(1, Math.round(lastMs * 1e6)))
    dueMs = nowMs + EVERY_MS
    noted(lastMs)
  }, EVERY_MS)
  timer.unref()
  const seconds = (nanoseconds: number): number => (histogram.count === 0 ? 0 : nanoseconds / 1e9)
  const figures: readonly [string, string, () => number][] = [
    ['min', 'The shortest delay of the event loop, in seconds.', () => seconds(histogram.min)],
    ['max', 'The longest delay of the event loop, in seconds.', () => seconds(histogram.max)],
    ['mean', 'The mean delay of the event loop, in seconds.', () => seconds(histogram.mean)],
    ['stddev', 'The standard deviation of the event loop delay, in seconds.', () => seconds(histogram.stddev)],
    ['p50', 'The median delay of the event loop, in seconds.', () => seconds(histogram.percentile(50))],
    ['p90', 'The 90th percentile of the event loop delay, in seconds.', () => seconds(histogram.percentile(90))],
    ['p99', 'The 99th percentile of the event loop delay, in seconds.', () => seconds(histogram.percentile(99))],
  ]
  for (const name of ['', ...figures.map(([figure]) => `${figure}_`)])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${name}seconds`)
  // Runs before the others and fills them all at one moment. Then the histogram begins again.
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'The delay of the event loop as last measured, in seconds.',
    registers: [registry],
    collect() {
      this.set(lastMs / 1000)
      for (const { gauge, read } of gauges) gauge.set(read())
      histogram.reset()
    },
  })
  const gauges = figures.map(([figure, help, read]) => ({
    gauge: new Gauge({ name: `nodejs_eventloop_lag_${figure}_seconds`, help, registers: [registry] }),
    read,
  }))
}
