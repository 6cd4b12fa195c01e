/** Keeps the last hour of this process in memory, minute by minute, so that administrators see it without Prometheus. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import type { MinuteReading, StopReading } from '../../schemas/ports/cluster.js'

export interface RecentReadings {
  /** Call some times a second with the delay of the event loop: the minutes change with these calls, so that no timer is needed. */
  lagged(ms: number): void
  /** Call with each longer stop of the event loop. */
  stopped(stop: StopReading): void
  /** Call after each transaction of the journal. */
  committed(ms: number): void
  /** Gives the size of the writes that wait, from now on. */
  followJournal(waitingBytes: () => number): void
  /** Returns the last 60 minutes, oldest first, the present one included. Minutes in which the process did not run are missing. */
  minutes(): readonly MinuteReading[]
}

export interface ReadingSources {
  readonly nowMs: () => number
  readonly memoryBytes: () => number
}

const MINUTES = 60
const MINUTE_MS = 60_000
/** A histogram holds whole numbers, here microseconds from 1 to ten minutes, to a hundredth. A finer one takes 360 KB. */
const SCALE = { lowest: 1, highest: 600_000_000, figures: 2 }
const MS = 1_000

const OF_THIS_PROCESS: ReadingSources = { nowMs: Date.now, memoryBytes: () => process.memoryUsage.rss() }

export function createRecentReadings({ nowMs, memoryBytes } = OF_THIS_PROCESS): RecentReadings {
  const lags = createHistogram(SCALE)
  const commits = createHistogram(SCALE)
  const minuteNow = () => Math.floor(nowMs() / MINUTE_MS)
  let past: readonly MinuteReading[] = []
  let minute = minuteNow()
  let waitingBytes = (): number => 0
  let waitingMost = 0
  let stop: StopReading | undefined

  return {
    lagged(ms) {
      turn()
      note(lags, ms)
      waitingMost = Math.max(waitingMost, waitingBytes())
    },
    stopped(next) {
      turn()
      if (stop === undefined || next.ms > stop.ms) stop = next
    },
    committed(ms) {
      turn()
      note(commits, ms)
    },
    followJournal(size) {
      waitingBytes = size
    },
    minutes() {
      turn()
      return [...past, present()].filter(({ atMs }) => atMs > (minute - MINUTES) * MINUTE_MS)
    },
  }

  /** Begins another minute when the clock says so. */
  function turn(): void {
    const next = minuteNow()
    if (next === minute) return
    // A clock that was set back writes its minutes again.
    past = [...past, present()].filter(({ atMs }) => atMs < next * MINUTE_MS).slice(1 - MINUTES)
    minute = next
    waitingMost = 0
    stop = undefined
    lags.reset()
    commits.reset()
  }

  function present(): MinuteReading {
    return {
      atMs: minute * MINUTE_MS,
      lagMs: readHigh(lags),
      memoryBytes: memoryBytes(),
      commitMs: readHigh(commits),
      waitingBytes: Math.max(waitingMost, waitingBytes()),
      ...(stop === undefined ? {} : { stop }),
    }
  }
}

function note(histogram: RecordableHistogram, ms: number): void {
  histogram.record(Math.min(SCALE.highest, Math.max(SCALE.lowest, Math.round(ms * MS))))
}

/** Returns the value that 99 of 100 stay below, to a tenth of a millisecond. */
function readHigh(histogram: RecordableHistogram): number {
  return histogram.count === 0 ? 0 : Math.round(histogram.percentile(99) / (MS / 10)) / 10
}
