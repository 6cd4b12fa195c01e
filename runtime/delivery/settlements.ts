import type { Logger } from 'pino'
import type { DeliveryExchange, DeliveryFailure } from '../store/journal/delivery-attempts.js'
import { createSamples } from '../work/samples.js'
import type { Attempted, SendingLane } from './attempts.js'
import type { createMarks } from './marks.js'
import type { DeliveryTargets, NextDelivery } from './ports.js'
import type { Verdict } from './retries.js'
import type { RetryTimer } from './retry-timer.js'

/** Deliveries that are recorded although they succeeded: of a webhook, and of all. */
const OF_WEBHOOK = { perSecond: 2, burst: 50 }
const OF_NODE = { perSecond: 50, burst: 500 }

/** A lane whose deliveries are settled. */
export interface SettledLane extends SendingLane {
  readonly marks: ReturnType<typeof createMarks>
}

export interface SettlementsOptions {
  readonly targets: DeliveryTargets
  readonly timer: RetryTimer
  readonly log: Logger
  /** Called with each attempt, and how long its call took. */
  readonly onAttempt?: (webhookId: string, isTaken: boolean, durationMs: number) => void
}

/** Records what became of deliveries, and when the next attempt of a lane is due. */
export class Settlements {
  readonly #options: SettlementsOptions
  readonly #counts = { delivered: 0, failed: 0, dead: 0 }
  readonly #samples = createSamples(OF_WEBHOOK, OF_NODE)

  constructor(options: SettlementsOptions) {
    this.#options = options
  }

  counts(): { readonly delivered: number; readonly failed: number; readonly dead: number } {
    return this.#counts
  }

  /** Records the outcome of an attempt. Returns true when the lane may go on with the next delivery. */
  settle(lane: SettledLane, delivery: NextDelivery, { verdict, exchange }: Attempted, waitMs: number): boolean {
    this.#options.onAttempt?.(lane.lane.webhookId, verdict.type === 'delivered', exchange.durationMs)
    // The delivery was a probe before its own time: the outcome says nothing about it.
    if (waitMs > 0 && isAboutReceiver(verdict)) {
      this.#counts.failed += 1
      this.#options.timer.add(lane.key, waitMs, lane.target.url)
      return false
    }
    if (verdict.type !== 'delivered') return this.#settleFailure(lane, delivery, verdict, exchange)
    this.#counts.delivered += 1
    const { instance, position } = delivery
    const isRecorded = this.#samples.take(lane.lane.webhookId, performance.now())
    lane.marks.delivered(
      instance,
      position,
      isRecorded ? { ...exchange, position, attempts: delivery.attempts + 1 } : undefined,
    )
    return true
  }

  #settleFailure(
    { key, lane, target, marks }: SettledLane,
    delivery: NextDelivery,
    verdict: Exclude<Verdict, { type: 'delivered' }>,
    exchange: DeliveryExchange,
  ): boolean {
    const { log, timer } = this.#options
    const { position, instance } = delivery
    this.#counts.failed += 1
    const attempts = delivery.attempts + 1
    const failure = toFailure(delivery, verdict.error, exchange)
    const fields = { webhookId: lane.webhookId, instanceId: instance, eventId: delivery.eventId, attempts }
    if (verdict.type === 'dead') {
      this.#counts.dead += 1
      log.warn({ ...fields, reason: verdict.error }, 'A webhook delivery failed for good; it is a dead letter now.')
      marks.failed(instance, { type: 'dead', ...lane, position, attempts, failure })
      return true
    }
    log.debug({ ...fields, reason: verdict.error }, 'A webhook delivery failed.')
    const waitMs = verdict.type === 'retry' ? verdict.delayMs : 0
    marks.failed(instance, { type: 'retry', ...lane, position, attempts, waitMs, failure })
    if (verdict.type === 'retry') timer.add(key, waitMs, verdict.isReceiverAway ? target.url : '')
    else this.#disable(lane.webhookId)
    return false
  }

  #disable(webhookId: string): void {
    const { targets, log } = this.#options
    log.warn({ webhookId }, 'A webhook receiver answered 410; the webhook is disabled.')
    targets
      .disable(webhookId)
      .catch((error: unknown) => log.error({ webhookId, err: error }, 'A webhook could not be disabled.'))
  }
}

/** Returns true when every delivery would have failed: the receiver did not answer, or is in trouble. */
function isAboutReceiver(verdict: Verdict): boolean {
  if (verdict.type === 'retry') return verdict.isReceiverAway
  return verdict.type === 'dead' && (verdict.statusCode === 0 || verdict.statusCode >= 500)
}

function toFailure(delivery: NextDelivery, error: string, exchange: DeliveryExchange): DeliveryFailure {
  return { ...exchange, event: delivery.kind, messageType: delivery.messageType, error, payload: delivery.body }
}
