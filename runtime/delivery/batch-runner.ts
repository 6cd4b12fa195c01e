/**
 * Sends batches: events of many lanes of one webhook in one request, each lane's in their order.
 *
 * A batch is taken or fails as a whole. If it fails, that is a failed attempt of the first event of each of its lanes, and what is behind it was not tried.
 * An event that has failed goes alone from then on (`LaneRunner`), so that one event which its receiver refuses takes no other with it.
 */
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { WebhookBatch } from '../../schemas/ports/webhooks.js'
import type { GivenUpWork } from '../../schemas/work.js'
import type { StoredEvent } from '../store/events.js'
import { type Attempts, describeDeliveryWork, type NextDeliveries, OPERATOR, type SendingLane } from './attempts.js'
import type { BatchLanes } from './batch-lanes.js'
import type { CircuitBreakers } from './circuit-breakers.js'
import { awaitedReceiver, remainingWaitMs } from './lane-head.js'
import { laneOfKey } from './lane-key.js'
import { createMarks } from './marks.js'
import type { DeliveryStore, DeliveryTarget, DeliveryTargets, NextDelivery } from './ports.js'
import type { Receivers } from './receivers.js'
import type { RetryTimer } from './retry-timer.js'
import type { Settlements } from './settlements.js'
import { AI_METADATA_MAX, deliveryUrl, mayHaveAiMetadata } from './webhook-request.js'

// Bound: 1,000, the events of a batch.

export interface BatchRunnerOptions {
  readonly store: DeliveryStore
  readonly targets: DeliveryTargets
  readonly blocked?: GivenUpWork
  readonly breakers: CircuitBreakers
  readonly receivers: Receivers
  readonly timer: RetryTimer
  readonly attempts: Attempts
  readonly settlements: Settlements
  readonly lanes: BatchLanes
  /** Longest delay that the retry policy gives. */
  readonly ceilingMs: number
  /** Returns what a commit has just told of the lane, and forgets it. */
  readonly offered: (lane: string) => readonly StoredEvent[] | undefined
  /** Instances whose deliveries are being sent, by lane. */
  readonly sending: Map<string, InstanceId>
  /** Runs a lane. `alone`: it sends its first delivery by itself. */
  readonly resume: (lane: string, how?: 'alone') => void
}

/** A lane with its part of a batch. */
interface Part {
  readonly key: string
  readonly deliveries: NextDeliveries
  /** True if it may have more. */
  readonly hasMore: boolean
}

type WithBatch = DeliveryTarget & { readonly batch: WebhookBatch }

/** Maximum of deliveries of one lane that are read. */
const OF_LANE_MAX = 100
/** Characters of a batch, unless its first event has more. */
const BODY_MAX = 2 ** 20

export class BatchRunner {
  readonly #options: BatchRunnerOptions

  constructor(options: BatchRunnerOptions) {
    this.#options = options
  }

  /** @throws the error of the store; then the line is to be run again later */
  async run(key: string): Promise<void> {
    const { targets, breakers, receivers, lanes, resume } = this.#options
    const { webhookId } = laneOfKey(key)
    const target = await targets.byId(webhookId).catch((error: unknown) => {
      receivers.pass(key)
      throw error
    })
    // A webhook that is enabled again is looked at in the store.
    const isGone = target === null || !target.enabled
    if (isGone) lanes.forget(webhookId)
    else if (!hasBatch(target)) for (const lane of lanes.forget(webhookId)) resume(lane)
    if (isGone || !hasBatch(target) || !lanes.hasWaiting(webhookId)) {
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
    if (receivers.enter(place, key, breakers.isProbe(key))) await this.#runInside({ key, target, origin })
  }

  async #runInside({ key, target, origin }: { key: string; target: WithBatch; origin: string }): Promise<void> {
    const { breakers, receivers, lanes, sending, resume } = this.#options
    // While the receiver is in trouble, one event finds out whether it takes any.
    const max = breakers.isClosed(target.url) && !receivers.isSlow(origin) ? target.batch.max : 1
    const taken = lanes.take(key, max)
    try {
      const more = await this.#send({ key, lane: laneOfKey(key), target, origin }, taken, max)
      for (const lane of [...more, ...lanes.end(key, taken)]) resume(lane)
    } catch (error) {
      lanes.end(key, taken)
      for (const lane of taken) lanes.note(lane, target.batch, 1)
      breakers.postpone(key)
      throw error
    } finally {
      for (const lane of taken) sending.delete(lane)
      receivers.leave(key)
      breakers.pass(key)
    }
  }

  /** Returns the lanes that may have more to send. */
  async #send(line: SendingLane, taken: readonly string[], max: number): Promise<readonly string[]> {
    const { attempts, sending } = this.#options
    const limit = Math.min(OF_LANE_MAX, Math.ceil(max / Math.max(1, taken.length)))
    const read = await Promise.all(
      taken.map(async (key) => this.#takePart(line, key, await this.#read(key, limit), limit)),
    )
    const found = read.filter((part): part is Part => part !== null)
    const { parts, left } = withinBounds(line.target, found, max)
    const [first, ...others] = parts
      .flatMap(({ deliveries }) => deliveries)
      .toSorted((one, other) => one.position - other.position)
    if (first === undefined) return []
    for (const { key, deliveries } of parts) sending.set(key, deliveries[0].instance)
    const attempted = await attempts.attempt(line, [first, ...others])
    const goOn = await this.#settle(line, parts, attempted)
    return [...goOn, ...left]
  }

  async #read(key: string, limit: number): Promise<readonly NextDelivery[]> {
    const { store, offered } = this.#options
    const events = offered(key)
    return events !== undefined && events.length <= limit ? store.ofEvents(events) : store.next(laneOfKey(key), limit)
  }

  /** Returns the deliveries of a lane that may be in a batch. Null if its first one may not: then the lane waits, or sends it alone. */
  #takePart(line: SendingLane, key: string, deliveries: readonly NextDelivery[], limit: number): Part | null {
    const { store, timer, blocked, resume, ceilingMs } = this.#options
    const [head] = deliveries
    // The new owner looks for the lane by itself.
    if (head === undefined || !store.isOurs(head.instance)) return null
    const waitMs = remainingWaitMs(head, ceilingMs)
    if (waitMs > 0) {
      timer.add(key, waitMs, awaitedReceiver(head, line.target.url))
      return null
    }
    const isFit = (delivery: NextDelivery): boolean =>
      delivery.attempts === 0 && (blocked?.isGivenUp(describeDeliveryWork(line, delivery)) ?? false) === false
    const end = deliveries.findIndex((delivery) => !isFit(delivery))
    const [first, ...others] = end < 0 ? deliveries : deliveries.slice(0, end)
    if (first === undefined) {
      resume(key, 'alone')
      return null
    }
    return { key, deliveries: [first, ...others], hasMore: end >= 0 || deliveries.length === limit }
  }

  /** Records what became of each lane's part. Returns the lanes that go on. */
  async #settle(
    line: SendingLane,
    parts: readonly Part[],
    { verdict, again, exchange }: Awaited<ReturnType<Attempts['attempt']>>,
  ): Promise<readonly string[]> {
    const { store, settlements } = this.#options
    const goOn: string[] = []
    const writes: Promise<void>[] = []
    for (const { key, deliveries, hasMore } of parts) {
      const lane = laneOfKey(key)
      const settled = { ...line, key, lane, marks: createMarks(lane, store) }
      const tried = verdict.type === 'delivered' ? deliveries : deliveries.slice(0, 1)
      const isDone = tried.every((delivery) => settlements.settle(settled, delivery, { verdict: again(), exchange }, 0))
      if (isDone && (hasMore || tried.length < deliveries.length)) goOn.push(key)
      writes.push(settled.marks.settled().catch(ignoreNotOwner))
    }
    // Durable before a lane is read again, so that nothing is sent twice without need.
    await Promise.all(writes)
    return goOn
  }
}

function hasBatch(target: DeliveryTarget): target is WithBatch {
  return target.batch !== undefined && target.batch !== null
}

/** Returns the parts that fit into one request, and the lanes that have a part which does not. */
function withinBounds(target: DeliveryTarget, found: readonly Part[], max: number) {
  const parts: Part[] = []
  const left: string[] = []
  const formatUrl = (delivery: NextDelivery) => deliveryUrl(target, delivery).href
  // What agents add is read when the batch is sent, so its maximum counts.
  const measureSize = (delivery: NextDelivery) =>
    delivery.body.length + (mayHaveAiMetadata(target, delivery) ? AI_METADATA_MAX : 0)
  let [events, characters, url] = [0, 0, '']
  for (const part of found) {
    const fitting: NextDelivery[] = []
    for (const delivery of part.deliveries) {
      const isFirst = events === 0
      if (!isFirst && (events >= max || characters + measureSize(delivery) > BODY_MAX || formatUrl(delivery) !== url))
        break
      if (isFirst) url = formatUrl(delivery)
      events += 1
      characters += measureSize(delivery)
      fitting.push(delivery)
    }
    const [first, ...others] = fitting
    if (first === undefined) left.push(part.key)
    else {
      const isCut = fitting.length < part.deliveries.length
      parts.push({ ...part, deliveries: [first, ...others], hasMore: part.hasMore || isCut })
    }
  }
  return { parts, left }
}

/** The rows are the new owner's, and so is the lane. */
function ignoreNotOwner(error: unknown): void {
  if (!(error instanceof GatewayError && error.code === 'NOT_OWNER')) throw error
}
