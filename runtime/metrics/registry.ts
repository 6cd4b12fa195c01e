import { collectDefaultMetrics, Registry } from 'prom-client'
import { watchEventLoop } from '../event-loop-lag.js'

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
