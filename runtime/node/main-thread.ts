/** The time of the main thread of this process: by work, and the times for which the event loop was blocked. */
import type { Registry } from 'prom-client'
import { FairShare } from '../../actors/fair-share.js'
import type { AuditLog } from '../../schemas/ports/audit.js'
import type { StopReading } from '../../schemas/ports/readings.js'
import { meterWork, type Work } from '../../schemas/work.js'
import type { Logger } from '../logging.js'
import { startMainThreadSamples } from '../main-thread-samples.js'
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
      logger.error({ instanceId: instance, ...factsOf(stop) }, 'An instance has blocked the event loop three times.')
      audit?.begin(entryOf(instance, stop), { status: 503, code: 'EVENT_LOOP_BLOCKED' }).catch((err: unknown) => {
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

function factsOf({ ms, work }: LoopStop): { ms: number; work: Work | null } {
  return { ms: Math.round(ms), work }
}

function entryOf(instance: string, { work }: LoopStop): Parameters<AuditLog['begin']>[0] {
  return {
    ...{ actorKind: 'node', actor: '', address: '', method: '', requestId: '', pass: '' },
    route: work?.kind ?? '',
    operation: work?.operation ?? '',
    subject: instance,
  }
}
