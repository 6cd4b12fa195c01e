/**
 * Events on their way to webhooks: at least once, in order within a lane, trouble kept to the receiver that has it.
 *
 * A lane sends its first delivery, and the next only when that one was taken or given up. A failed one stays first, with the
 * time of its next attempt in its row, by PostgreSQL's clock. What was sent is recorded in the journal while the lane goes on, many at a time; a crash
 * before that sends it again under the same `webhook-id`.
 */

import type { Logger } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { Outgoing, PostOutcome } from '../outgoing/client.js'
import type { QueueConnections } from '../queues/connections.js'
import type { Backlog, WaitingLane } from '../store/deliveries.js'
import type { DeliveryFailure } from '../store/journal/delivery-outcomes.js'
import { createCircuitBreakers } from './circuit-breakers.js'
import { type Lane, laneKeyOf, laneOfKey } from './lane-key.js'
import { createMarks } from './marks.js'
import type { DeliveryStore, DeliveryTarget, DeliveryTargets, NextDelivery } from './ports.js'
import { createReceivers } from './receivers.js'
import { defaultRetryPolicy, delayCeilingMs, judge, type RetryPolicy, type Verdict } from './retries.js'
import { createRetryTimer } from './retry-timer.js'
import { deliveryUrl, webhookRequest } from './webhook-request.js'

export interface WebhookDeliveryOptions {
  readonly redis: QueueConnections
  readonly store: DeliveryStore
  readonly targets: DeliveryTargets
  readonly outgoing: Pick<Outgoing, 'post'>
  /** Until a receiver must have answered. */
  readonly timeoutMs: number
  /** Lanes that send at once: on this node, to one receiver (an origin), and for one instance. */
  readonly concurrency: number
  readonly receiverConcurrency?: number
  /** At most half of `concurrency`, the default; so much do the webhooks of all instances get, too. */
  readonly instanceConcurrency?: number
  readonly retries?: Partial<RetryPolicy>
  /** A delivery that waits for longer becomes a dead letter; `Infinity`, the default: none does. */
  readonly ageMaxMs?: number
  /** Longest wait between two probes of a receiver that is away, and probes of all of them a second. */
  readonly probeMaxMs?: number
  readonly probesPerSecond?: number
  /** Lanes that a look into the store finds; 5000 by default. */
  readonly lanesAtOnce?: number
  readonly logger: Logger
}

export interface WebhookDelivery {
  /** There is something new in these lanes. Call after the commit. */
  wake(lanes: readonly Lane[]): void
  /** Looks for due lanes in SQL now, as after a claim of shards. */
  sweepNow(): Promise<void>
  /** A webhook is another one now: what waits for its receiver is tried at once. */
  changed(webhookId: string): void
  /** Someone put dead letters back in these lanes, and so thinks that their receivers answer again. */
  replayed(lanes: readonly Lane[]): void
  /** Waits for the attempts under way for these instances, not longer than that; those that come later are the caller's to prevent. */
  settle(isOfThem: (instance: InstanceId) => boolean, withinMs: number): Promise<void>
  /** Since the start; `waiting` are lanes that wait for their next attempt; breakers that are not closed. */
  counts(): WebhookCounts
  /** How long the oldest delivery of the whole cluster has been waiting, as of the last look: 30 s ago at most. */
  oldestAgeMs(): number
  /** Waits for the attempts under way, then records them. */
  close(): Promise<void>
}

export interface WebhookCounts {
  readonly delivered: number
  readonly failed: number
  readonly dead: number
  readonly waiting: number
  /** Lanes that wait for a place of their instance or receiver. */
  readonly held: number
  readonly running: number
  readonly breakersOpen: number
  readonly breakersHalfOpen: number
  readonly breakerOpenings: number
}

/** Deliveries read at once; a lane that has more goes to the end of the line after them. */
const BATCH_MAX = 100
/** An origin that takes this long, again and again, is given one lane at a time. */
const SLOW_MS = 3000
/** Lanes that a sweep finds at once. Those beyond them are found by the next, which follows when these have begun. */
const LANES_AT_ONCE = 5_000
const NEXT_LANES_MS = 250
/** The same when none of the lanes that were found was due. */
const WAITING_LANES_MS = 5_000
/** How often the age of what waits is looked at. */
const AGE_EVERY_MS = 30_000
const GIVEN_UP_AT_ONCE = 1_000
/** Owns the webhooks of all instances. */
const OPERATOR = ''
const SETTLE_LOOK_MS = 5
const HOUR_MS = 3_600_000
/** How the error of a refusal (4xx) begins, as `judge` writes it. */
const REFUSED = 'The receiver answered 4'

export function createWebhookDelivery(options: WebhookDeliveryOptions): WebhookDelivery {
  const { store, targets, outgoing, timeoutMs, concurrency } = options
  const policy = { ...defaultRetryPolicy, ...options.retries }
  const halfMax = Math.max(1, Math.floor(concurrency / 2))
  const ceilingMs = delayCeilingMs(policy)
  const ageMaxMs = options.ageMaxMs ?? Number.POSITIVE_INFINITY
  const log = options.logger.child({ part: 'webhooks' })
  const counts = { delivered: 0, failed: 0, dead: 0 }
  const urgent = new Set<string>()
  /** Whose deliveries the lanes that run are sending. */
  const sending = new Map<string, InstanceId>()
  /** The last lane that was found of each backlog that has more of them. */
  const cursors = new Map<string, number>()
  /** Receivers that were away when their backlogs were to be read. */
  const skipped = new Set<string>()
  const lanesAtOnce = options.lanesAtOnce ?? LANES_AT_ONCE
  let isClosing = false
  let sweepTimer: NodeJS.Timeout | undefined
  let oldest = { ageMs: 0, atMs: Number.NEGATIVE_INFINITY }

  const receivers = createReceivers({
    lanesMax: options.receiverConcurrency ?? Math.max(1, Math.min(16, Math.ceil(concurrency / 4))),
    ownerLanesMax: (owner) =>
      owner === OPERATOR ? halfMax : Math.min(options.instanceConcurrency ?? halfMax, halfMax),
    onFree: (lane) => wakeUps.resume(lane),
  })
  const timer = createRetryTimer((lane) => wakeUps.resume(lane))
  const breakers = createCircuitBreakers({
    delayMinMs: policy.delayMinMs,
    ...(options.probeMaxMs === undefined ? {} : { probeMaxMs: options.probeMaxMs }),
    ...(options.probesPerSecond === undefined ? {} : { probesPerSecond: options.probesPerSecond }),
    // Probes that hang must neither use up the slots nor wait for one.
    call: (lane) => wakeUps.runNow(lane),
    borrow(receiver) {
      const lane = timer.takeFirst(receiver)
      if (lane !== undefined) urgent.add(lane)
      return lane
    },
    onOpened: (receiver, probeInMs) =>
      log.info(
        { receiver: new URL(receiver).origin, probeInMs },
        'A webhook receiver is away; it is left alone until a probe.',
      ),
    onClosed(receiver, lanes, isAll) {
      log.info({ receiver: new URL(receiver).origin }, 'A webhook receiver takes deliveries again.')
      for (const lane of lanes) wakeUps.resume(lane)
      hurry(timer.take(receiver))
      if (skipped.delete(receiver) || !isAll) void wakeUps.sweepNow()
    },
    onForgotten(receiver) {
      if (skipped.delete(receiver)) void wakeUps.sweepNow()
    },
  })
  const wakeUps = options.redis.createWakeUps({
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
    changed(webhookId) {
      const isOfIt = (lane: string) => laneOfKey(lane).webhookId === webhookId
      for (const lane of breakers.release(isOfIt)) wakeUps.resume(lane)
      hurry(timer.release(isOfIt))
      void probe([webhookId])
      void wakeUps.sweepNow()
    },
    replayed(lanes) {
      for (const lane of lanes) wakeUps.wake(laneKeyOf(lane))
      void probe(lanes.map(({ webhookId }) => webhookId))
    },
    async settle(isOfThem, withinMs) {
      const endMs = performance.now() + withinMs
      while ([...sending.values()].some(isOfThem) && performance.now() < endMs)
        await new Promise((resolve) => setTimeout(resolve, SETTLE_LOOK_MS))
    },
    counts() {
      const { open, halfOpen, openings } = breakers.counts()
      return {
        ...counts,
        waiting: timer.size,
        held: receivers.waiting(),
        running: wakeUps.counts().running,
        breakersOpen: open,
        breakersHalfOpen: halfOpen,
        breakerOpenings: openings,
      }
    },
    oldestAgeMs: () => (oldest.ageMs === 0 ? 0 : oldest.ageMs + performance.now() - oldest.atMs),
    async close() {
      isClosing = true
      timer.close()
      breakers.close()
      clearTimeout(sweepTimer)
      await wakeUps.close()
    },
  }

  /** The lanes to wake. Those that wait for their next attempt are put into the timer, and those of receivers that are away stay. */
  async function sweep(): Promise<string[]> {
    await watchAge()
    const backlogs = await store.backlogs()
    const readable = backlogs.filter(({ url }) => breakers.isClosed(url))
    for (const { url } of backlogs) if (!breakers.isClosed(url)) skipped.add(url)
    const urls = new Map(readable.map(({ webhookId, url }) => [webhookId, url]))
    const lanes = await store.lanesOf(
      readable.map((one) => ({ ...one, after: cursors.get(backlogKeyOf(one)) })),
      lanesAtOnce,
    )
    const due = lanes.flatMap((lane) => {
      const key = laneKeyOf(lane)
      if (breakers.isWaiting(key)) return []
      const waitMs = waitOf(lane)
      if (waitMs === 0) return [key]
      timer.add(key, waitMs, receiverWaitedFor(lane, urls.get(lane.webhookId)))
      return []
    })
    moveCursors(readable, lanes)
    if (cursors.size > 0) sweepOn(due.length > 0 ? NEXT_LANES_MS : WAITING_LANES_MS)
    return due
  }

  /** If there were more lanes than a sweep reads, the next goes on after them, and begins anew after the last. */
  function moveCursors(read: readonly Backlog[], lanes: readonly WaitingLane[]): void {
    if (lanes.length < lanesAtOnce) cursors.clear()
    else {
      const keys = new Set(read.map(backlogKeyOf))
      for (const key of cursors.keys()) if (!keys.has(key)) cursors.delete(key)
      for (const lane of lanes) cursors.set(backlogKeyOf(lane), lane.lane)
    }
  }

  /** Sweeps again when most of what was found has begun, so that memory holds a bounded part of a large backlog. */
  function sweepOn(afterMs: number): void {
    clearTimeout(sweepTimer)
    if (isClosing) return
    sweepTimer = setTimeout(() => {
      const { asked, ready } = wakeUps.counts()
      if (asked + ready + receivers.waiting() > lanesAtOnce / 2) sweepOn(NEXT_LANES_MS)
      else void wakeUps.sweepNow()
    }, afterMs)
  }

  async function watchAge(): Promise<void> {
    if (performance.now() - oldest.atMs < Math.min(AGE_EVERY_MS, ageMaxMs)) return
    let ageMs = await store.oldestAgeMs()
    if (ageMs > ageMaxMs) {
      await giveUpOld()
      ageMs = await store.oldestAgeMs()
    }
    oldest = { ageMs, atMs: performance.now() }
  }

  async function giveUpOld(): Promise<void> {
    let count = 0
    for (let last = GIVEN_UP_AT_ONCE; last === GIVEN_UP_AT_ONCE && !isClosing; count += last)
      last = await store.giveUpOlder(ageMaxMs, GIVEN_UP_AT_ONCE)
    counts.dead += count
    if (count > 0)
      log.warn(
        { count, hours: ageMaxMs / HOUR_MS },
        'Webhook deliveries reached the age limit; they are dead letters now.',
      )
  }

  async function runLane(key: string): Promise<void> {
    const lane = laneOfKey(key)
    const target = await targets.byId(lane.webhookId)
    if (target === null || !target.enabled) {
      urgent.delete(key)
      breakers.pass(key)
      receivers.pass(key)
      return
    }
    if (!breakers.admit(target.url, key)) {
      receivers.pass(key)
      return
    }
    const { origin } = new URL(target.url)
    const place = { origin, owner: target.instance ?? OPERATOR }
    if (!receivers.enter(place, key, breakers.isProbe(key))) return
    const marks = createMarks(lane, store)
    try {
      await drain(key, lane, target, origin, marks)
    } catch (error) {
      // The rows are the new owner's now, and so is the lane.
      if (error instanceof GatewayError && error.code === 'NOT_OWNER') return
      breakers.postpone(key)
      throw error
    } finally {
      sending.delete(key)
      receivers.leave(key)
      breakers.pass(key)
    }
  }

  async function drain(key: string, lane: Lane, target: DeliveryTarget, origin: string, marks: Marks): Promise<void> {
    const isUrgent = urgent.delete(key)
    // While the receiver is in trouble the first delivery is all that can be tried.
    const batchMax = breakers.isClosed(target.url) && !receivers.isSlow(origin) ? BATCH_MAX : 1
    const deliveries = await store.next(lane, batchMax)
    const [first] = deliveries
    if (first !== undefined) sending.set(key, first.instance)
    let isAllSettled = true
    for (const [index, delivery] of deliveries.entries()) {
      // The lane is the new owner's, who looks for it by itself.
      if (isClosing || !store.isOurs(delivery.instance)) {
        isAllSettled = false
        break
      }
      const waitMs = waitOf(delivery)
      if (waitMs > 0 && !(isUrgent && index === 0)) {
        timer.add(key, waitMs, receiverWaitedFor(delivery, target.url))
        isAllSettled = false
        break
      }
      // Other lanes may have opened it since.
      if (!breakers.admit(target.url, key)) {
        isAllSettled = false
        break
      }
      const verdict = await attempt(key, target, origin, delivery)
      // A probe with a delivery whose own time had not come says nothing about the delivery.
      if (waitMs > 0 && isAboutReceiver(verdict)) {
        counts.failed += 1
        timer.add(key, waitMs, target.url)
        isAllSettled = false
      } else isAllSettled = settle(key, lane, target, delivery, verdict, marks)
      if (!isAllSettled) break
    }
    // Durable before anyone reads this lane again, so that nothing is sent twice without need.
    await marks.settled()
    if (isAllSettled && deliveries.length === batchMax && !isClosing) wakeUps.resume(key)
  }

  async function attempt(
    key: string,
    target: DeliveryTarget,
    origin: string,
    delivery: NextDelivery,
  ): Promise<Verdict> {
    const startedMs = performance.now()
    const outcome = await outgoing.post({
      ...webhookRequest(target, delivery, Date.now()),
      timeoutMs,
      owner: target.instance ?? OPERATOR,
    })
    const verdict = judge(outcome, delivery.attempts + 1, policy)
    receivers.report(origin, performance.now() - startedMs >= SLOW_MS)
    const waitMs = verdict.type === 'retry' && !verdict.isReceiverAway ? verdict.delayMs : 0
    breakers.report(target.url, key, isWell(outcome), waitMs)
    // The receiver has come back while this attempt was still waiting for what it was before.
    if (verdict.type === 'retry' && verdict.isReceiverAway && breakers.hasClosedSince(target.url, startedMs))
      return { ...verdict, delayMs: Math.min(verdict.delayMs, policy.delayMinMs) }
    return verdict
  }

  /** What waits out of caution need not wait any longer. */
  function hurry(lanes: readonly string[]): void {
    for (const lane of lanes) {
      urgent.add(lane)
      wakeUps.resume(lane)
    }
  }

  async function probe(webhookIds: readonly string[]): Promise<void> {
    for (const id of new Set(webhookIds)) {
      // Without the store there is nothing to deliver either; the breaker has its own time for a probe.
      const target = await targets.byId(id).catch(() => null)
      if (target !== null) breakers.probeNow(target.url)
    }
  }

  /** Records what an attempt came to. True when the lane may go on with the next delivery. */
  function settle(
    key: string,
    lane: Lane,
    target: DeliveryTarget,
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
    const waitMs = verdict.type === 'retry' ? verdict.delayMs : 0
    marks.failed(instance, { type: 'retry', ...lane, position, attempts, waitMs, failure })
    if (verdict.type === 'retry') timer.add(key, waitMs, verdict.isReceiverAway ? target.url : '')
    else disable(lane.webhookId)
    return false
  }

  /** Time until the next attempt of the head of a lane; 0 when it is due. */
  function waitOf({ attempts, dueInMs }: Pick<NextDelivery, 'attempts' | 'dueInMs'>): number {
    // Nodes of release 0.1.0 write times of their own clocks, and the database may have got another clock.
    return attempts === 0 || dueInMs > ceilingMs ? 0 : Math.max(0, dueInMs)
  }

  function disable(webhookId: string): void {
    log.warn({ webhookId }, 'A webhook receiver answered 410; the webhook is disabled.')
    targets.disable(webhookId).catch((error: unknown) => log.error({ webhookId, err: error }, 'It was not disabled.'))
  }
}

function backlogKeyOf({ webhookId, instance }: { webhookId: string; instance: InstanceId }): string {
  return `${webhookId}:${instance}`
}

/** Whose return lets a lane be tried before its time: nobody's after a refusal, since it has nothing to gain from that. */
function receiverWaitedFor({ lastError }: { lastError: string }, url: string | undefined): string | undefined {
  return lastError.startsWith(REFUSED) ? undefined : url
}

/** A refusal (4xx) is about the delivery: whoever gives it is there. Except "too many requests", which is about the receiver. */
function isWell(outcome: PostOutcome): boolean {
  return outcome.answered && outcome.statusCode < 500 && outcome.statusCode !== 429
}

/** The receiver did not answer, or is in trouble: every delivery would have failed. */
function isAboutReceiver(verdict: Verdict): boolean {
  if (verdict.type === 'retry') return verdict.isReceiverAway
  return verdict.type === 'dead' && (verdict.statusCode === 0 || verdict.statusCode >= 500)
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
