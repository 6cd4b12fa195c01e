/**
 * Events on their way to webhooks: at least once, in order within a lane, trouble kept to the receiver that has it.
 *
 * A lane sends its first delivery, and the next only when that one was taken or given up. A failed one stays first, with the
 * time of its next attempt in its row. What was sent is recorded in the journal while the lane goes on, many at a time; a crash
 * before that sends it again under the same `webhook-id`.
 */

import type { Logger } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { Outgoing, PostOutcome } from '../outgoing/client.js'
import type { QueueConnections } from '../queues/connections.js'
import type { DeliveryFailure } from '../store/journal/delivery-outcomes.js'
import { type Lane, laneKeyOf, laneOfKey } from './lane-key.js'
import { createMarks } from './marks.js'
import type { DeliveryStore, DeliveryTarget, DeliveryTargets, NextDelivery } from './ports.js'
import { createReceivers } from './receivers.js'
import { defaultRetryPolicy, judge, type RetryPolicy, type Verdict } from './retries.js'
import { createRetryTimer } from './retry-timer.js'
import { deliveryUrl, webhookRequest } from './webhook-request.js'

export interface WebhookDeliveryOptions {
  readonly node: string
  readonly redis: QueueConnections
  readonly store: DeliveryStore
  readonly targets: DeliveryTargets
  readonly outgoing: Pick<Outgoing, 'post'>
  /** Until a receiver must have answered. */
  readonly timeoutMs: number
  /** Lanes that send at once, on this node and to one receiver (an origin). */
  readonly concurrency: number
  readonly receiverConcurrency?: number
  readonly retries?: Partial<RetryPolicy>
  readonly logger: Logger
}

export interface WebhookDelivery {
  /** There is something new in these lanes. Call after the commit. */
  wake(lanes: readonly Lane[]): void
  /** Looks for due lanes in SQL now: after a claim of shards, or when a webhook was enabled. */
  sweepNow(): Promise<void>
  /** Since the start; `waiting` are lanes that wait for their next attempt. */
  counts(): WebhookCounts
  /** Waits for the attempts under way, then records them. */
  close(): Promise<void>
}

export interface WebhookCounts {
  readonly delivered: number
  readonly failed: number
  readonly dead: number
  readonly waiting: number
  readonly running: number
}

/** Deliveries read at once; a lane that has more goes to the end of the line after them. */
const BATCH_MAX = 100
/** A receiver that answers but takes this long is given one lane at a time, like one that fails. */
const SLOW_MS = 3000
const SWEEP_MIN_MS = 1000

export function createWebhookDelivery(options: WebhookDeliveryOptions): WebhookDelivery {
  const { store, targets, outgoing, timeoutMs, concurrency } = options
  const policy = { ...defaultRetryPolicy, ...options.retries }
  const log = options.logger.child({ part: 'webhooks' })
  const counts = { delivered: 0, failed: 0, dead: 0 }
  const urgent = new Set<string>()
  let isClosing = false
  let sweepTimer: NodeJS.Timeout | undefined

  const receivers = createReceivers({
    lanesMax: options.receiverConcurrency ?? Math.max(1, Math.min(16, Math.ceil(concurrency / 4))),
    onFree: (lane) => wakeUps.resume(lane),
  })
  const timer = createRetryTimer((lane) => wakeUps.resume(lane))
  const wakeUps = options.redis.createWakeUps({
    node: options.node,
    kind: 'webhook',
    concurrency,
    handle: runLane,
    sweep,
    logger: options.logger,
  })

  return {
    wake(lanes) {
      for (const lane of lanes) wakeUps.wake(laneKeyOf(lane))
    },
    sweepNow: () => wakeUps.sweepNow(),
    counts: () => ({ ...counts, waiting: timer.size, running: wakeUps.counts().running }),
    async close() {
      isClosing = true
      timer.close()
      clearTimeout(sweepTimer)
      await wakeUps.close()
    },
  }

  async function sweep(): Promise<string[]> {
    const lanes = await store.due()
    await sweepWhenNextIsDue()
    return lanes.map(laneKeyOf)
  }

  /** What a former process left waiting is not in our timer yet. */
  async function sweepWhenNextIsDue(): Promise<void> {
    const nextMs = (await store.nextDueAt())?.getTime()
    if (nextMs === undefined || nextMs >= timer.earliestMs() - SWEEP_MIN_MS || isClosing) return
    clearTimeout(sweepTimer)
    sweepTimer = setTimeout(() => void wakeUps.sweepNow(), Math.max(SWEEP_MIN_MS, nextMs - Date.now()))
  }

  async function runLane(key: string): Promise<void> {
    const lane = laneOfKey(key)
    const target = await targets.byId(lane.webhookId)
    if (target === null || !target.enabled) return
    const receiver = new URL(target.url).origin
    if (!receivers.enter(receiver, key)) return
    const marks = createMarks(lane, store)
    try {
      await drain(key, lane, target, receiver, marks)
    } catch (error) {
      // The rows are the new owner's now, and so is the lane.
      if (!(error instanceof GatewayError && error.code === 'NOT_OWNER')) throw error
    } finally {
      receivers.leave(receiver)
    }
  }

  async function drain(key: string, lane: Lane, target: DeliveryTarget, receiver: string, marks: Marks): Promise<void> {
    const isUrgent = urgent.delete(key)
    // While the receiver is in trouble the first delivery is all that can be tried.
    const batchMax = receivers.isTroubled(receiver) ? 1 : BATCH_MAX
    const deliveries = await store.next(lane, batchMax)
    let isAllSettled = true
    for (const [index, delivery] of deliveries.entries()) {
      if (isClosing) break
      const isDue = delivery.nextAttemptAt.getTime() <= Date.now() || (isUrgent && index === 0)
      if (!isDue) {
        timer.add(key, delivery.nextAttemptAt.getTime(), '')
        isAllSettled = false
        break
      }
      const verdict = await attempt(target, receiver, delivery)
      isAllSettled = settle(key, lane, target, receiver, delivery, verdict, marks)
      if (!isAllSettled) break
    }
    // Durable before anyone reads this lane again, so that nothing is sent twice without need.
    await marks.settled()
    if (isAllSettled && deliveries.length === batchMax && !isClosing) wakeUps.resume(key)
  }

  async function attempt(target: DeliveryTarget, receiver: string, delivery: NextDelivery): Promise<Verdict> {
    const startedMs = performance.now()
    const outcome = await outgoing.post({ ...webhookRequest(target, delivery, Date.now()), timeoutMs })
    const verdict = judge(outcome, delivery.attempts + 1, policy)
    const isSlow = performance.now() - startedMs >= SLOW_MS
    // A refusal (4xx) is about the delivery and says nothing of the receiver's health.
    if (isSlow || isAway(outcome)) receivers.report(receiver, false)
    else if (verdict.type === 'delivered' && receivers.report(receiver, true).isRecovered) {
      log.info({ receiver }, 'A webhook receiver takes deliveries again.')
      hurry(receiver)
    }
    return verdict
  }

  /** The receiver answers again: what waits for it out of caution need not wait any longer. */
  function hurry(receiver: string): void {
    for (const lane of timer.take(receiver)) {
      urgent.add(lane)
      wakeUps.resume(lane)
    }
  }

  /** Records what an attempt came to. True when the lane may go on with the next delivery. */
  function settle(
    key: string,
    lane: Lane,
    target: DeliveryTarget,
    receiver: string,
    delivery: NextDelivery,
    verdict: Verdict,
    marks: Marks,
  ): boolean {
    const { position, instance } = delivery
    if (verdict.type === 'delivered') {
      counts.delivered += 1
      marks.delivered(instance, position)
      return true
    }
    counts.failed += 1
    const attempts = delivery.attempts + 1
    const failure = failureOf(target, delivery, verdict)
    const fields = { webhookId: lane.webhookId, instanceId: instance, eventId: delivery.eventId, attempts }
    if (verdict.type === 'dead') {
      counts.dead += 1
      log.warn({ ...fields, reason: verdict.error }, 'A webhook delivery was given up.')
      marks.failed(instance, { type: 'dead', ...lane, position, attempts, failure })
      return true
    }
    log.debug({ ...fields, reason: verdict.error }, 'A webhook delivery failed.')
    const nextAttemptAt = new Date(Date.now() + (verdict.type === 'retry' ? verdict.delayMs : 0))
    marks.failed(instance, { type: 'retry', ...lane, position, attempts, nextAttemptAt, failure })
    if (verdict.type === 'retry') timer.add(key, nextAttemptAt.getTime(), verdict.isReceiverAway ? receiver : '')
    else disable(lane.webhookId)
    return false
  }

  function disable(webhookId: string): void {
    log.warn({ webhookId }, 'A webhook receiver answered 410; the webhook is disabled.')
    targets.disable(webhookId).catch((error: unknown) => log.error({ webhookId, err: error }, 'It was not disabled.'))
  }
}

function isAway(outcome: PostOutcome): boolean {
  return !outcome.answered || outcome.statusCode >= 500
}

type Marks = ReturnType<typeof createMarks>

function failureOf(
  target: DeliveryTarget,
  delivery: NextDelivery,
  { statusCode, error }: { statusCode: number; error: string },
): DeliveryFailure {
  return {
    url: deliveryUrl(target, delivery).href,
    event: delivery.kind,
    messageType: delivery.messageType,
    statusCode,
    error,
    payload: delivery.body,
  }
}
