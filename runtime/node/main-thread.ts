/** The time of the main thread of this process: by work, and the times for which the event loop was blocked. */

import { promiseHooks } from 'node:v8'
import type { Registry } from 'prom-client'
import { FairShare } from '../../actors/fair-share.js'
import type { StopReading } from '../../schemas/ports/cluster.js'
import type { AuditLog } from '../../schemas/ports/requests.js'
import { measuredMs, meterWork, noteWork, presentWork, sampleWork, type Work } from '../../schemas/work.js'
import type { Logger } from '../logging.js'
import { createMainThreadMetrics, type LoopStop } from '../metrics/main-thread-metrics.js'

export interface MainThread {
  /** Turns of instances on it. Calls, commands and due work ask for theirs. */
  readonly fairShare: FairShare
  /** Notes instances that block the event loop again and again in this log, from now on. */
  auditTo(log: AuditLog): void
}

/** Time between two lines of the log about short stops. */
const LOGGED_EVERY_MS = 10_000

/**
 * @param register Creates the registry, which calls the function with each delay of the event loop.
 * @param noteStop Called with each longer stop.
 */
export function createMainThread(
  register: (lagged: (ms: number) => void) => Registry,
  noteStop: (stop: StopReading) => void,
  logger: Logger,
): { registry: Registry; mainThread: MainThread } {
  const fairShare = new FairShare()
  let audit: AuditLog | undefined
  let loggedAtMs = Number.NEGATIVE_INFINITY
  const samples = startMainThreadSamples()
  const registry = register((ms) => {
    metrics.lagged(ms)
    samples.lagged(ms)
    fairShare.lagged(ms)
  })
  const metrics = createMainThreadMetrics(registry, {
    waits: () => fairShare.counts(),
    stopped({ ms, work }) {
      const { kind = '', operation = '', feature = '', instance = '' } = work ?? {}
      noteStop({ ms, kind, operation, feature, instance })
      if (performance.now() - loggedAtMs < LOGGED_EVERY_MS) return
      loggedAtMs = performance.now()
      logger.warn({ ms: Math.round(ms), work }, 'The event loop was late.')
    },
    blames(instance, stop) {
      logger.error({ instanceId: instance, ...listFacts(stop) }, 'An instance has blocked the event loop three times.')
      audit?.begin(toAuditEntry(instance, stop), { status: 503, code: 'EVENT_LOOP_BLOCKED' }).catch((err: unknown) => {
        logger.warn({ err }, 'The audit log did not take an entry.')
      })
    },
  })
  meterWork(metrics.worked)
  meterWork(({ instance }, ms, weight) => fairShare.note(instance, ms * weight))
  return {
    registry,
    mainThread: {
      fairShare,
      auditTo(log) {
        audit = log
      },
    },
  }
}

function listFacts({ ms, work }: LoopStop): { ms: number; work: Work | null } {
  return { ms: Math.round(ms), work }
}

function toAuditEntry(instance: string, { work }: LoopStop): Parameters<AuditLog['begin']>[0] {
  return {
    ...{ actorKind: 'node', actor: '', address: '', method: '', requestId: '', pass: '' },
    route: work?.kind ?? '',
    operation: work?.operation ?? '',
    subject: instance,
  }
}

// Samples the time that work takes of the main thread after its waits. Measuring each piece between two waits costs 0.15 µs or so, too much
// for always: it is done for a quarter of the time while the event loop is busy, and all the time for a while after the event loop was
// blocked.

const LOOK_MS = 250
/** One of so many spans is sampled. */
const ONE_OF = 4
/** Share of the time of the event loop, of 1, above which it is sampled. */
const BUSY = 0.25
/** Delay of the event loop after which all is measured, and for how long. */
const LATE_MS = 250
const ALL_MS = 60_000

interface MainThreadSamples {
  /** Call with each delay of the event loop. */
  lagged(ms: number): void
  close(): void
}

function startMainThreadSamples(): MainThreadSamples {
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
