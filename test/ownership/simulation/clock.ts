/** The two clocks of one machine, as wrong as they may be. */
import type { Instant } from '../../../runtime/cluster/ownership/protocol.js'
import type { Timeline } from './time.js'

export interface Clock {
  now(): Instant
  /** The machine is suspended: the monotonic clock stands still, the wall clock continues. */
  sleep(): void
  wake(): void
  /** Not while the machine sleeps: no clock that we have would then show that it slept. */
  jumpWall(ms: number): void
}

export function createClock(
  time: Timeline,
  options: { readonly rate: number; readonly startMs: number; readonly wallOffsetMs: number },
): Clock {
  let wallOffsetMs = options.wallOffsetMs
  let sleptMs = 0
  let asleepSinceMs: number | undefined
  return {
    now() {
      const awakeMs = (asleepSinceMs ?? time.nowMs) - sleptMs
      return { monotonicMs: options.startMs + awakeMs * options.rate, wallMs: wallOffsetMs + time.nowMs }
    },
    sleep() {
      asleepSinceMs ??= time.nowMs
    },
    wake() {
      if (asleepSinceMs !== undefined) sleptMs += time.nowMs - asleepSinceMs
      asleepSinceMs = undefined
    },
    jumpWall(ms) {
      if (asleepSinceMs === undefined) wallOffsetMs += ms
    },
  }
}
