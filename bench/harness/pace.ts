/** Work at a pace that does not depend on how long it takes. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Begins `perSecond` pieces of work in a second, whatever becomes of those before, and waits for all. Returns their times in microseconds, each
 * counted from the moment at which it was due: one that begins late, because a former one held everything up, has waited all that time.
 */
export async function atPace(
  count: number,
  perSecond: number,
  work: (index: number) => Promise<unknown>,
): Promise<RecordableHistogram> {
  const histogram = createHistogram()
  const startedMs = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < count; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond
    const earlyMs = dueMs - performance.now()
    if (earlyMs > 0) await wait(earlyMs)
    const record = (): void => histogram.record(microseconds(performance.now() - dueMs))
    running.push(work(index).then(record))
  }
  await Promise.all(running)
  return histogram
}

/** Does `count` pieces of work, `atOnce` at a time. Returns their times in microseconds. */
export async function inFlood(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<RecordableHistogram> {
  const histogram = createHistogram()
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      const began = performance.now()
      await work(next++)
      histogram.record(microseconds(performance.now() - began))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return histogram
}

/** Returns the percentiles of a histogram in milliseconds, as text. */
export function percentiles(histogram: RecordableHistogram): string {
  const at = (share: number): string => (histogram.percentile(share) / 1000).toFixed(1)
  return `p50 ${at(50)}, p90 ${at(90)}, p99 ${at(99)}, p99.9 ${at(99.9)}, longest ${(histogram.max / 1000).toFixed(1)} ms`
}

/** A histogram takes whole numbers from 1. */
function microseconds(ms: number): number {
  return Math.max(1, Math.round(ms * 1000))
}
