/**
 * Sends events to webhooks: at least once, in order within a lane, with the trouble of one receiver kept from all others.
 *
 * A lane sends its first delivery, and the next only when that one was taken or given up. A failed delivery stays first, with the time of
 * its next attempt in its row, by PostgreSQL's clock. Outcomes are recorded in the journal while the lane goes on, many at a time. A crash
 * before that sends the delivery again under the same `webhook-id`.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { GivenUpWork } from '../../schemas/work.js'
import type { Outgoing } from '../outgoing/client.js'
import type { Scheduler, SchedulerOptions } from '../queues/scheduler.js'
import type { StoredEvent } from '../store/events.js'
import { OPERATOR } from './attempts.js'
import { BacklogSweep } from './backlog-sweep.js'
import { type CircuitBreakerOptions, type CircuitBreakers, createCircuitBreakers } from './circuit-breakers.js'
import { formatLaneKey, type Lane, laneOfKey } from './lane-key.js'
import { LaneRunner } from './lane-runner.js'
import type { Carrier, DeliveryStore, DeliveryTargets, EventForms } from './ports.js'
import type { PlaceCounts } from './receiver-sides.js'
import { createReceivers, type Receivers } from './receivers.js'
import { defaultRetryPolicy, delayCeilingMs, type RetryPolicy } from './retries.js'
import { createRetryTimer, type RetryTimer } from './retry-timer.js'

export interface WebhookDeliveryOptions {
  readonly createScheduler: (options: SchedulerOptions) => Scheduler
  readonly store: DeliveryStore
  readonly targets: DeliveryTargets
  readonly outgoing: Pick<Outgoing, 'post'>
  /** Brings events to receivers of the purpose `chatwoot`. */
  readonly carrier?: Carrier
  /** Writes events for receivers that want them in another form. */
  readonly forms?: EventForms
  /** Deliveries that have blocked nodes until they ended themselves. */
  readonly blocked?: GivenUpWork
  /** Time in which a receiver must answer. */
  readonly timeoutMs: number
  /** Maximum of lanes that send at once: on this node, to one receiver (an origin), and for one instance. */
  readonly concurrency: number
  /** Default half of `concurrency`. A receiver begins with less, see `ReceiverPace`. */
  readonly receiverConcurrency?: number
  /** At most half of `concurrency`, the default. The webhooks of all instances get that half, too. */
  readonly instanceConcurrency?: number
  readonly retries?: Partial<RetryPolicy>
  /** Age above which a waiting delivery becomes a dead letter. Default `Infinity`: none does. */
  readonly ageMaxMs?: number
  /** Longest wait between two probes of a receiver that is away, and maximum of probes of all of them a second. */
  readonly probeMaxMs?: number
  readonly probesPerSecond?: number
  /** Called with each attempt, and how long its call took. */
  readonly onAttempt?: (webhookId: string, isTaken: boolean, durationMs: number) => void
  /** Called with each new state of a receiver's breaker. */
  readonly onReceiverState?: CircuitBreakerOptions['onState']
  /** Maximum of lanes that one look into the store finds. Default 5000. */
  readonly lanesAtOnce?: number
  readonly logger: Logger
}

/** A lane into which deliveries were put. */
export interface WokenLane extends Lane {
  /** Events of its first deliveries, if nothing waited before them. */
  readonly first?: readonly StoredEvent[]
}

export interface WebhookDelivery {
  /** Sends what is new in these lanes. Call after the commit. */
  wake(lanes: readonly WokenLane[]): void
  /** Looks for due lanes in SQL now, for example after a claim of shards. */
  sweepNow(): Promise<void>
  /** Tries at once all that waits for the receiver of a webhook. Call after the webhook was changed. */
  changed(webhookId: string): void
  /** Sends dead letters that were put back in these lanes. The caller thinks that their receivers answer again. */
  replayed(lanes: readonly Lane[]): void
  /** Waits for the attempts under way for these instances, at most that time. The caller must prevent new ones. */
  settle(isOfThem: (instance: InstanceId) => boolean, withinMs: number): Promise<void>
  counts(): WebhookCounts
  /** Returns the age of the oldest delivery of the whole cluster, as of the last look: 30 s ago at most. */
  oldestAgeMs(): number
  /** Waits for the attempts under way, then records them. */
  close(): Promise<void>
}

export interface WebhookCounts {
  /** Attempts since the start, by their outcome. */
  readonly delivered: number
  readonly failed: number
  readonly dead: number
  /** Lanes that wait for their next attempt. */
  readonly waiting: number
  /** Lanes that wait for a place of their instance or receiver. */
  readonly held: number
  readonly running: number
  readonly breakersOpen: number
  readonly breakersHalfOpen: number
  readonly breakerOpenings: number
  readonly places: PlaceCounts
}

const LANES_AT_ONCE = 5_000
/** Places of a receiver at the start, or a quarter of the slots if that is less. */
const START_PLACES = 16
/** Share of the slots above which no receiver gets more places than at the start. */
const GROWN_SHARE = 0.75
const SETTLE_LOOK_MS = 5

export function createWebhookDelivery(options: WebhookDeliveryOptions): WebhookDelivery {
  return new WebhookSender(options)
}

class WebhookSender implements WebhookDelivery {
  readonly #targets: DeliveryTargets
  readonly #policy: RetryPolicy
  readonly #log: Logger
  readonly #receivers: Receivers
  readonly #timer: RetryTimer
  readonly #breakers: CircuitBreakers
  readonly #runner: LaneRunner
  readonly #sweep: BacklogSweep
  readonly #lanes: Scheduler

  constructor(options: WebhookDeliveryOptions) {
    const { store, targets, outgoing, timeoutMs, concurrency } = options
    this.#targets = targets
    this.#policy = { ...defaultRetryPolicy, ...options.retries }
    this.#log = options.logger.child({ part: 'webhooks' })
    this.#receivers = this.#createReceivers(options)
    this.#timer = createRetryTimer((key) => this.#lanes.wake(key))
    this.#breakers = this.#createBreakers(options)
    const shared = { store, breakers: this.#breakers, timer: this.#timer, log: this.#log }
    this.#runner = new LaneRunner({
      ...shared,
      targets,
      outgoing,
      ...(options.carrier === undefined ? {} : { carrier: options.carrier }),
      ...(options.forms === undefined ? {} : { forms: options.forms }),
      ...(options.blocked === undefined ? {} : { blocked: options.blocked }),
      ...(options.onAttempt === undefined ? {} : { onAttempt: options.onAttempt }),
      timeoutMs,
      policy: this.#policy,
      receivers: this.#receivers,
      recordingMax: concurrency,
      resume: (key) => this.#lanes.wake(key),
    })
    this.#sweep = new BacklogSweep({
      ...shared,
      lanesAtOnce: options.lanesAtOnce ?? LANES_AT_ONCE,
      ceilingMs: delayCeilingMs(this.#policy),
      ageMaxMs: options.ageMaxMs ?? Number.POSITIVE_INFINITY,
      lanesAhead: () => this.#lanesAhead(),
      sweepNow: () => void this.#lanes.sweepNow(),
    })
    this.#lanes = options.createScheduler({
      kind: 'webhook',
      concurrency,
      handle: (key, leaveSlot) => this.#runner.run(key, leaveSlot),
      sweep: () => this.#sweep.run(),
      logger: options.logger,
    })
  }

  wake(lanes: readonly WokenLane[]): void {
    for (const lane of lanes) {
      const key = formatLaneKey(lane)
      this.#runner.offer(key, lane.first)
      this.#lanes.wake(key)
    }
  }

  sweepNow(): Promise<void> {
    return this.#lanes.sweepNow()
  }

  changed(webhookId: string): void {
    const isOfIt = (key: string) => laneOfKey(key).webhookId === webhookId
    for (const key of this.#breakers.release(isOfIt)) this.#lanes.wake(key)
    this.#hurry(this.#timer.release(isOfIt))
    void this.#probe([webhookId])
    void this.#lanes.sweepNow()
  }

  replayed(lanes: readonly Lane[]): void {
    this.wake(lanes)
    void this.#probe(lanes.map(({ webhookId }) => webhookId))
  }

  async settle(isOfThem: (instance: InstanceId) => boolean, withinMs: number): Promise<void> {
    const endMs = performance.now() + withinMs
    while (this.#runner.isSending(isOfThem) && performance.now() < endMs) await pause(SETTLE_LOOK_MS)
  }

  counts(): WebhookCounts {
    const { delivered, failed, dead } = this.#runner.counts()
    const { open, halfOpen, openings } = this.#breakers.counts()
    return {
      delivered,
      failed,
      dead: dead + this.#sweep.givenUp,
      waiting: this.#timer.size,
      held: this.#receivers.waiting(),
      running: this.#lanes.counts().running,
      breakersOpen: open,
      breakersHalfOpen: halfOpen,
      breakerOpenings: openings,
      places: this.#receivers.places(),
    }
  }

  oldestAgeMs(): number {
    return this.#sweep.oldestAgeMs()
  }

  async close(): Promise<void> {
    this.#runner.close()
    this.#timer.close()
    this.#breakers.close()
    this.#sweep.close()
    await this.#lanes.close()
  }

  #createReceivers({ concurrency, receiverConcurrency, instanceConcurrency }: WebhookDeliveryOptions): Receivers {
    const halfMax = Math.max(1, Math.floor(concurrency / 2))
    const lanesMax = Math.min(receiverConcurrency ?? halfMax, concurrency)
    return createReceivers({
      lanesMin: Math.min(lanesMax, START_PLACES, Math.ceil(concurrency / 4)),
      lanesMax,
      grownLanesMax: Math.max(1, Math.floor(concurrency * GROWN_SHARE)),
      ownerLanesMax: (owner) => (owner === OPERATOR ? halfMax : Math.min(instanceConcurrency ?? halfMax, halfMax)),
      onFree: (key) => this.#lanes.wake(key),
    })
  }

  #createBreakers({ probeMaxMs, probesPerSecond, onReceiverState }: WebhookDeliveryOptions): CircuitBreakers {
    return createCircuitBreakers({
      ...(onReceiverState === undefined ? {} : { onState: onReceiverState }),
      delayMinMs: this.#policy.delayMinMs,
      ...(probeMaxMs === undefined ? {} : { probeMaxMs }),
      ...(probesPerSecond === undefined ? {} : { probesPerSecond }),
      // Probes that hang must neither use up the slots nor wait for one.
      call: (key) => this.#lanes.runNow(key),
      borrow: (receiver) => this.#borrow(receiver),
      onOpened: (receiver, probeInMs) =>
        this.#log.info(
          { receiver: new URL(receiver).origin, probeInMs },
          'A webhook receiver is away; it is left alone until a probe.',
        ),
      onClosed: (receiver, lanes, isAll) => this.#onReturned(receiver, lanes, isAll),
      onForgotten: (receiver) => {
        if (this.#sweep.takeSkipped(receiver)) void this.#lanes.sweepNow()
      },
    })
  }

  #borrow(receiver: string): string | undefined {
    const key = this.#timer.takeFirst(receiver)
    if (key !== undefined) this.#runner.markUrgent(key)
    return key
  }

  #onReturned(receiver: string, lanes: readonly string[], isAll: boolean): void {
    this.#log.info({ receiver: new URL(receiver).origin }, 'A webhook receiver takes deliveries again.')
    for (const key of lanes) this.#lanes.wake(key)
    this.#hurry(this.#timer.take(receiver))
    if (this.#sweep.takeSkipped(receiver) || !isAll) void this.#lanes.sweepNow()
  }

  /** Runs lanes now that wait as a precaution. */
  #hurry(lanes: readonly string[]): void {
    for (const key of lanes) {
      this.#runner.markUrgent(key)
      this.#lanes.wake(key)
    }
  }

  async #probe(webhookIds: readonly string[]): Promise<void> {
    for (const id of new Set(webhookIds)) {
      // Without the store there is nothing to deliver either. The breaker has its own time for a probe.
      const target = await this.#targets.byId(id).catch(() => null)
      if (target !== null) this.#breakers.probeNow(target.url)
    }
  }

  #lanesAhead(): number {
    return this.#lanes.counts().ready + this.#receivers.waiting() + this.#runner.gathered()
  }
}
