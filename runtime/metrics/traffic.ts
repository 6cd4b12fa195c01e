/** Counts messages and deliveries of this node in memory, and writes them once in five minutes, so that their course is seen later. */
import type { InstanceMetric } from '../../actors/instance/ports.js'
import type { Logger } from '../logging.js'
import { delayStep } from '../store/delay-scale.js'

/** What happened on this node in a window. */
export interface TrafficWindow {
  readonly sent: number
  readonly received: number
  readonly failed: number
  readonly delivered: number
  /** Number of deliveries by the step of their duration. */
  readonly delays: ReadonlyMap<number, number>
}

/** A window that has ended. */
export interface EndedWindow extends TrafficWindow {
  /** Time since its middle. */
  readonly agoMs: number
}

export interface Traffic {
  readonly sent: () => void
  readonly received: () => void
  readonly failed: () => void
  /** Counts an event that a webhook took, after a call of that length. */
  readonly delivered: (durationMs: number) => void
  /** Ends the window and returns it with those that are not written. Empty if nothing happened. */
  take(): readonly EndedWindow[]
  /** Keeps windows that could not be written for the next time. */
  putBack(windows: readonly EndedWindow[]): void
}

export const WINDOW_MS = 5 * 60_000
/** Rows of one write. Where as many are taken there may be more. */
export const TAKEN_MAX = 1_000
/** Windows that wait for PostgreSQL. Those of the longest outage are lost. */
const WAITING_MAX = 24

interface Counted {
  sent: number
  received: number
  failed: number
  delivered: number
  readonly delays: Map<number, number>
}

interface Waiting {
  readonly counted: Counted
  readonly middleMs: number
}

export function createTraffic(nowMs: () => number = () => performance.now()): Traffic {
  let present = nothing()
  let begunMs = nowMs()
  let waiting: readonly Waiting[] = []

  return {
    sent() {
      present.sent += 1
    },
    received() {
      present.received += 1
    },
    failed() {
      present.failed += 1
    },
    delivered(durationMs) {
      const step = delayStep(durationMs)
      present.delivered += 1
      present.delays.set(step, (present.delays.get(step) ?? 0) + 1)
    },
    take() {
      const now = nowMs()
      const ended = { counted: present, middleMs: (begunMs + now) / 2 }
      const all = isEmpty(present) ? waiting : [...waiting, ended]
      present = nothing()
      begunMs = now
      waiting = []
      return all.map(({ counted, middleMs }) => ({ ...counted, agoMs: now - middleMs }))
    },
    putBack(windows) {
      const now = nowMs()
      const again = windows.map(({ agoMs, ...counted }) => ({
        counted: { ...counted, delays: new Map(counted.delays) },
        middleMs: now - agoMs,
      }))
      waiting = [...again, ...waiting].slice(-WAITING_MAX)
    },
  }
}

/** Counts what an instance counts, as far as it is traffic. */
export function countTraffic(traffic: Traffic, metric: InstanceMetric): void {
  if (metric.what === 'inbound') metric.isOwn ? traffic.sent() : traffic.received()
  if (metric.what === 'ack') metric.isTaken ? traffic.sent() : traffic.failed()
}

export interface TrafficWriter {
  /** Writes what was counted until now. */
  close(): Promise<void>
}

/** What is counted until it is written. */
interface Counting<Window> {
  take(): readonly Window[]
  putBack(windows: readonly Window[]): void
}

/** Writes the windows of a node when they end, by its clock. A process that ends without `close` loses its present window. */
export function startTrafficWriter<Window>(
  traffic: Counting<Window>,
  write: (windows: readonly Window[]) => Promise<void>,
  logger: Logger,
): TrafficWriter {
  let timer: NodeJS.Timeout
  let writing = Promise.resolve()
  const next = () => {
    timer = setTimeout(tick, WINDOW_MS - (Date.now() % WINDOW_MS))
    timer.unref()
  }
  const tick = () => {
    flush()
    next()
  }
  next()
  return {
    async close() {
      clearTimeout(timer)
      flush()
      await writing
    },
  }

  function flush(): void {
    writing = writing.then(async () => {
      for (let more = true; more; ) more = await writeSome()
    })
  }

  /** Returns whether there may be more to write. */
  async function writeSome(): Promise<boolean> {
    const windows = traffic.take()
    if (windows.length === 0) return false
    try {
      await write(windows)
    } catch (error) {
      traffic.putBack(windows)
      logger.warn({ err: error, windows: windows.length }, 'The traffic of this node was not written.')
      return false
    }
    return windows.length >= TAKEN_MAX
  }
}

function nothing(): Counted {
  return { sent: 0, received: 0, failed: 0, delivered: 0, delays: new Map() }
}

function isEmpty({ sent, received, failed, delivered }: Counted): boolean {
  return sent + received + failed + delivered === 0
}
