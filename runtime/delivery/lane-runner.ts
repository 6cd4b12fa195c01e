import type { Logger } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { asFrequentWork, asWork, type GivenUpWork, type Work } from '../../schemas/work.js'
import type { Outgoing, PostOutcome } from '../outgoing/client.js'
import type { StoredEvent } from '../store/events.js'
import type { DeliveryExchange, DeliveryFailure } from '../store/journal/delivery-attempts.js'
import type { CircuitBreakers } from './circuit-breakers.js'
import { awaitedReceiver, remainingWaitMs } from './lane-head.js'
import { type Lane, laneOfKey } from './lane-key.js'
import { LaneOffers } from './lane-offers.js'
import { createMarks } from './marks.js'
import type { Carrier, DeliveryStore, DeliveryTarget, DeliveryTargets, NextDelivery } from './ports.js'
import type { Receivers } from './receivers.js'
import { delayCeilingMs, judge, type RetryPolicy, type Verdict } from './retries.js'
import type { RetryTimer } from './retry-timer.js'
import { createSuccessSamples } from './success-samples.js'
import { type WebhookRequest, webhookRequest, withAiMetadata } from './webhook-request.js'

export interface LaneRunnerOptions {
  readonly store: DeliveryStore
  readonly targets: DeliveryTargets
  readonly outgoing: Pick<Outgoing, 'post'>
  /** Brings events to receivers of the purpose `chatwoot`. */
  readonly carrier?: Carrier
  readonly blocked?: GivenUpWork
  readonly timeoutMs: number
  readonly policy: RetryPolicy
  readonly breakers: CircuitBreakers
  readonly receivers: Receivers
  readonly timer: RetryTimer
  /** Runs a lane again that has more to send. */
  readonly resume: (key: string) => void
  readonly log: Logger
}

/** One run of a lane. */
interface Run {
  readonly key: string
  readonly lane: Lane
  readonly target: DeliveryTarget
  readonly origin: string
  readonly marks: ReturnType<typeof createMarks>
  /** Events of its first deliveries, if they need not be read. */
  readonly offered: readonly StoredEvent[] | undefined
}

/** An attempt: its verdict, and what was sent and answered. */
interface Attempted {
  readonly verdict: Verdict
  readonly exchange: DeliveryExchange
  /** Set if it was not tried, because it has blocked nodes until they ended themselves. */
  readonly givenUp?: Work
}

interface SentDelivery {
  readonly request: Pick<WebhookRequest, 'url' | 'shownHeaders'>
  readonly outcome: PostOutcome
  readonly policy: RetryPolicy
}

const BLOCKED_TWICE = 'The delivery blocked the gateway until it ended itself, twice.'

/** Owner of the webhooks of all instances. */
export const OPERATOR = ''

/** Maximum of deliveries read at once. A lane that has more goes to the end of the line after them. */
const BATCH_MAX = 100
/** Time after which a lane with further deliveries goes to the end of the line, so that one to a slow receiver gives way to others. */
const TURN_MS = 500
/** Time of an answer above which it counts as slow. An origin that is slow again and again gets one lane at a time. */
const SLOW_MS = 3000
/** Bytes of an answer that are kept with its attempt. */
const ANSWER_MAX_BYTES = 1000

/** Sends the deliveries of a lane, one after the other, while its receiver takes them. */
export class LaneRunner {
  readonly #options: LaneRunnerOptions
  readonly #ceilingMs: number
  /** Lanes whose head is tried before its time. */
  readonly #urgent = new Set<string>()
  /** Instances whose deliveries the running lanes send. */
  readonly #sending = new Map<string, InstanceId>()
  /** Lanes whose runs have read the store. */
  readonly #reading = new Set<string>()
  readonly #offers = new LaneOffers()
  readonly #counts = { delivered: 0, failed: 0, dead: 0 }
  readonly #samples = createSuccessSamples()
  #isClosed = false

  constructor(options: LaneRunnerOptions) {
    this.#options = options
    this.#ceilingMs = delayCeilingMs(options.policy)
  }

  counts(): { readonly delivered: number; readonly failed: number; readonly dead: number } {
    return this.#counts
  }

  isSending(isOfThem: (instance: InstanceId) => boolean): boolean {
    return [...this.#sending.values()].some(isOfThem)
  }

  /** Lets the next run of the lane try its head before its time. */
  markUrgent(key: string): void {
    this.#urgent.add(key)
  }

  /**
   * Keeps the first deliveries of a lane for its next run. Drops them while a run that has read the lane is under way: it may have found the same
   * deliveries, and they would be sent twice.
   * @param first undefined if others may wait before them
   */
  offer(key: string, first: readonly StoredEvent[] | undefined): void {
    this.#offers.set(key, this.#reading.has(key) ? undefined : first)
  }

  /** Begins no further attempt. */
  close(): void {
    this.#isClosed = true
  }

  /** @throws the error of the store; then the lane is to be run again later */
  async run(key: string): Promise<void> {
    const { store, targets, breakers, receivers } = this.#options
    const lane = laneOfKey(key)
    const offered = this.#offers.take(key)
    const target = await targets.byId(lane.webhookId).catch((error: unknown) => {
      // The lane runs again some seconds later. Meanwhile others use the place that is kept for it.
      receivers.pass(key)
      throw error
    })
    if (target === null || !target.enabled) {
      this.#urgent.delete(key)
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
      await this.#sendAll({ key, lane, target, origin, marks, offered })
    } catch (error) {
      // The rows are the new owner's now, and so is the lane.
      if (error instanceof GatewayError && error.code === 'NOT_OWNER') return
      breakers.postpone(key)
      throw error
    } finally {
      this.#sending.delete(key)
      this.#reading.delete(key)
      receivers.leave(key)
      breakers.pass(key)
    }
  }

  async #sendAll(run: Run): Promise<void> {
    const { store, breakers, receivers, resume } = this.#options
    const { key, lane, target, origin, marks, offered } = run
    const isUrgent = this.#urgent.delete(key)
    // While the receiver is in trouble only the first delivery can be tried.
    const batchMax = breakers.isClosed(target.url) && !receivers.isSlow(origin) ? BATCH_MAX : 1
    const isKnown = offered !== undefined && offered.length <= batchMax
    const deliveries = isKnown ? store.ofEvents(offered) : await this.#read(key, lane, batchMax)
    const [first] = deliveries
    if (first !== undefined) this.#sending.set(key, first.instance)
    const endMs = performance.now() + TURN_MS
    let isAllSettled = true
    let isCut = false
    const givenUp: Work[] = []
    for (const [index, delivery] of deliveries.entries()) {
      const waitMs = remainingWaitMs(delivery, this.#ceilingMs)
      isAllSettled = this.#mayAttempt(run, delivery, isUrgent && index === 0 ? 0 : waitMs)
      if (!isAllSettled) break
      const attempted = await this.#attempt(run, delivery)
      if (attempted.givenUp !== undefined) givenUp.push(attempted.givenUp)
      isAllSettled = this.#settle(run, delivery, attempted, waitMs)
      isCut = performance.now() > endMs && index < deliveries.length - 1
      if (!isAllSettled || isCut) break
    }
    // Durable before the lane is read again, so that nothing is sent twice without need.
    await marks.settled()
    for (const work of givenUp) this.#options.blocked?.forget(work)
    if (isAllSettled && (isCut || deliveries.length === batchMax) && !this.#isClosed) resume(key)
  }

  #read(key: string, lane: Lane, limit: number): Promise<readonly NextDelivery[]> {
    this.#reading.add(key)
    this.#offers.set(key, undefined)
    return this.#options.store.next(lane, limit)
  }

  #mayAttempt({ key, target }: Run, delivery: NextDelivery, waitMs: number): boolean {
    const { store, timer, breakers } = this.#options
    // The new owner looks for the lane by itself.
    if (this.#isClosed || !store.isOurs(delivery.instance)) return false
    if (waitMs > 0) {
      timer.add(key, waitMs, awaitedReceiver(delivery, target.url))
      return false
    }
    // Other lanes may have opened the breaker since.
    return breakers.admit(target.url, key)
  }

  async #attempt(run: Run, delivery: NextDelivery): Promise<Attempted> {
    const { key, target, origin } = run
    const { receivers, breakers, blocked } = this.#options
    const work = workOf(run, delivery)
    const isGivenUp = blocked?.isGivenUp(work) ?? false
    if (isGivenUp === true || (isGivenUp !== false && (await isGivenUp))) return giveUp(run, work)
    const startedMs = performance.now()
    const { request, outcome, policy } = await this.#send(run, delivery, work)
    const durationMs = performance.now() - startedMs
    const verdict = judge(outcome, delivery.attempts + 1, policy)
    // Several calls with a file in them take long without any trouble.
    receivers.report(origin, {
      isSlow: durationMs >= SLOW_MS && target.purpose !== 'chatwoot',
      isWell: isWell(outcome),
      durationMs,
    })
    const waitMs = verdict.type === 'retry' && !verdict.isReceiverAway ? verdict.delayMs : 0
    breakers.report(target.url, key, isWell(outcome), waitMs)
    const exchange = exchangeOf(request, outcome, durationMs)
    // The receiver came back during the attempt, which failed by its former trouble.
    if (verdict.type === 'retry' && verdict.isReceiverAway && breakers.hasClosedSince(target.url, startedMs))
      return { verdict: { ...verdict, delayMs: Math.min(verdict.delayMs, policy.delayMinMs) }, exchange }
    return { verdict, exchange }
  }

  async #send({ target, lane }: Run, delivery: NextDelivery, work: Work): Promise<SentDelivery> {
    const { outgoing, carrier, timeoutMs, policy } = this.#options
    if (target.purpose === 'chatwoot' && carrier !== undefined) {
      const carried = await asWork(work, () => carrier.carry(delivery.instance, lane.lane, delivery))
      return { ...carried, request: { url: new URL(target.url), shownHeaders: {} } }
    }
    const owner = target.instance ?? OPERATOR
    return await asFrequentWork(work, async () => {
      const told = await withAiMetadata(this.#options.store, target, delivery)
      const request = webhookRequest(target, told, Date.now())
      const outcome = await outgoing.post({ ...request, timeoutMs, keepBytes: ANSWER_MAX_BYTES, owner })
      return { request, outcome, policy }
    })
  }

  /** Records the outcome of an attempt. Returns true when the lane may go on with the next delivery. */
  #settle(run: Run, delivery: NextDelivery, { verdict, exchange }: Attempted, waitMs: number): boolean {
    // The delivery was a probe before its own time: the outcome says nothing about it.
    if (waitMs > 0 && isAboutReceiver(verdict)) {
      this.#counts.failed += 1
      this.#options.timer.add(run.key, waitMs, run.target.url)
      return false
    }
    if (verdict.type !== 'delivered') return this.#settleFailure(run, delivery, verdict, exchange)
    this.#counts.delivered += 1
    const { instance, position } = delivery
    const isRecorded = this.#samples.take(run.lane.webhookId, performance.now())
    run.marks.delivered(
      instance,
      position,
      isRecorded ? { ...exchange, position, attempts: delivery.attempts + 1 } : undefined,
    )
    return true
  }

  #settleFailure(
    { key, lane, target, marks }: Run,
    delivery: NextDelivery,
    verdict: Exclude<Verdict, { type: 'delivered' }>,
    exchange: DeliveryExchange,
  ): boolean {
    const { log, timer } = this.#options
    const { position, instance } = delivery
    this.#counts.failed += 1
    const attempts = delivery.attempts + 1
    const failure = failureOf(delivery, verdict.error, exchange)
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

function workOf({ target, lane }: Run, { instance, position, kind }: NextDelivery): Work {
  const operation = target.purpose === 'chatwoot' ? 'chatwoot' : kind
  return { kind: 'delivery', operation, instance, id: `${lane.webhookId} ${position}` }
}

/** A dead letter, without another attempt. */
function giveUp({ target }: Run, givenUp: Work): Attempted {
  const exchange = { url: target.url, statusCode: 0, durationMs: 0, headers: {}, answer: '' }
  return { verdict: { type: 'dead', statusCode: 0, error: BLOCKED_TWICE }, exchange, givenUp }
}

/** Returns true when the receiver is there: a refusal (4xx) is about the delivery. "Too many requests" is about the receiver. */
function isWell(outcome: PostOutcome): boolean {
  return outcome.answered && outcome.statusCode < 500 && outcome.statusCode !== 429
}

/** Returns true when every delivery would have failed: the receiver did not answer, or is in trouble. */
function isAboutReceiver(verdict: Verdict): boolean {
  if (verdict.type === 'retry') return verdict.isReceiverAway
  return verdict.type === 'dead' && (verdict.statusCode === 0 || verdict.statusCode >= 500)
}

function exchangeOf(
  { url, shownHeaders }: SentDelivery['request'],
  outcome: PostOutcome,
  durationMs: number,
): DeliveryExchange {
  const { statusCode, body } = outcome.answered ? outcome : { statusCode: 0, body: '' }
  return { url: url.href, statusCode, durationMs, headers: shownHeaders, answer: body }
}

function failureOf(delivery: NextDelivery, error: string, exchange: DeliveryExchange): DeliveryFailure {
  return { ...exchange, event: delivery.kind, messageType: delivery.messageType, error, payload: delivery.body }
}
