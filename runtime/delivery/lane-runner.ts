import type { Logger } from 'pino'
import { nextLoopSlice } from '../../lib/loop-slice.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { GivenUpWork, Work } from '../../schemas/work.js'
import type { Outgoing } from '../outgoing/client.js'
import type { StoredEvent } from '../store/events.js'
import { type Attempted, Attempts, describeDeliveryWork, giveUp, OPERATOR } from './attempts.js'
import { BatchLanes } from './batch-lanes.js'
import { BatchRunner } from './batch-runner.js'
import type { CircuitBreakers } from './circuit-breakers.js'
import { awaitedReceiver, remainingWaitMs } from './lane-head.js'
import { isBatchKey, type Lane, laneOfKey } from './lane-key.js'
import { createMarks } from './marks.js'
import type { Carrier, DeliveryStore, DeliveryTarget, DeliveryTargets, NextDelivery } from './ports.js'
import type { Receivers } from './receivers.js'
import { delayCeilingMs, type RetryPolicy } from './retries.js'
import type { RetryTimer } from './retry-timer.js'
import { type SettledLane, Settlements } from './settlements.js'

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
  /** Maximum of lanes whose outcomes are being written without a place. */
  readonly recordingMax: number
  readonly timer: RetryTimer
  /** Runs a lane again that has more to send, or a line of batches. */
  readonly resume: (key: string) => void
  readonly log: Logger
  /** Called with each attempt, and how long its call took. */
  readonly onAttempt?: (webhookId: string, isTaken: boolean, durationMs: number) => void
}

/** One run of a lane. */
interface Run extends SettledLane {
  /** Events of its first deliveries, if they need not be read. */
  readonly offered: readonly StoredEvent[] | undefined
  readonly leaveSlot: () => void
}

/** Maximum of deliveries read at once. A lane that has more goes to the end of the line after them. */
const BATCH_MAX = 100
/** Time after which a lane with further deliveries goes to the end of the line, so that one to a slow receiver gives way to others. */
const TURN_MS = 500
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
  readonly #attempts: Attempts
  readonly #settlements: Settlements
  readonly #batchLanes: BatchLanes
  readonly #batches: BatchRunner
  /** Lanes that send their first delivery by themselves, although their webhook has batches. */
  readonly #alone = new Set<string>()
  #recording = 0
  #isClosed = false

  constructor(options: LaneRunnerOptions) {
    this.#options = options
    this.#ceilingMs = delayCeilingMs(options.policy)
    this.#attempts = new Attempts(options)
    this.#settlements = new Settlements(options)
    this.#batchLanes = new BatchLanes(options.resume)
    this.#batches = new BatchRunner({
      ...options,
      attempts: this.#attempts,
      settlements: this.#settlements,
      lanes: this.#batchLanes,
      ceilingMs: this.#ceilingMs,
      offered: (key) => this.#offers.take(key),
      sending: this.#sending,
      resume: (key, how) => {
        if (how === 'alone') this.#alone.add(key)
        options.resume(key)
      },
    })
  }

  counts(): { readonly delivered: number; readonly failed: number; readonly dead: number } {
    return this.#settlements.counts()
  }

  /** Returns the number of lanes that wait for a batch. */
  gathered(): number {
    return this.#batchLanes.size
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
    const isRead = this.#reading.has(key) || this.#batchLanes.isBusy(key)
    this.#offers.set(key, isRead ? undefined : first)
  }

  /** Begins no further attempt. */
  close(): void {
    this.#isClosed = true
    this.#batchLanes.close()
  }

  /** @throws the error of the store; then the lane is to be run again later */
  async run(key: string, leaveSlot: () => void): Promise<void> {
    if (isBatchKey(key)) {
      if (!this.#isClosed) await this.#batches.run(key)
      return
    }
    const { store, targets, breakers, receivers } = this.#options
    const lane = laneOfKey(key)
    const target = await targets.byId(lane.webhookId).catch((error: unknown) => {
      // The lane runs again some seconds later. Meanwhile others use the place that is kept for it.
      receivers.pass(key)
      throw error
    })
    if (target === null || !target.enabled) {
      this.#urgent.delete(key)
      this.#alone.delete(key)
      this.#offers.set(key, undefined)
      breakers.pass(key)
      receivers.pass(key)
      return
    }
    if (!breakers.admit(target.url, key)) {
      receivers.pass(key)
      return
    }
    const { origin } = new URL(target.url)
    if (this.#joinsBatch(key, target, origin)) {
      breakers.pass(key)
      receivers.pass(key)
      return
    }
    const place = { origin, owner: target.instance ?? OPERATOR }
    if (!receivers.enter(place, key, breakers.isProbe(key))) return
    const offered = this.#offers.take(key)
    const marks = createMarks(lane, store)
    try {
      await this.#sendAll({ key, lane, target, origin, marks, offered, leaveSlot })
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

  /**
   * Returns true if the lane is left to a batch. It sends by itself what has failed before, and while its receiver is in trouble: then one event finds out
   * whether it takes any.
   */
  #joinsBatch(key: string, { url, batch }: DeliveryTarget, origin: string): boolean {
    const { breakers, receivers } = this.#options
    if (this.#batchLanes.holds(key)) return true
    const isAlone = this.#alone.delete(key) || this.#urgent.has(key) || breakers.isProbe(key)
    if (!batch || isAlone || !breakers.isClosed(url) || receivers.isSlow(origin)) {
      this.#batchLanes.remove(key)
      return false
    }
    this.#batchLanes.note(key, batch, this.#offers.count(key))
    return true
  }

  async #sendAll(run: Run): Promise<void> {
    const { store, breakers, receivers, resume } = this.#options
    const { key, lane, target, origin, offered } = run
    const isUrgent = this.#urgent.delete(key)
    // While the receiver is in trouble only the first delivery can be tried. What is behind one that goes alone joins a batch.
    const isFree = !target.batch && breakers.isClosed(target.url) && !receivers.isSlow(origin)
    const batchMax = isFree ? BATCH_MAX : 1
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
      isAllSettled = this.#settlements.settle(run, delivery, attempted, waitMs)
      isCut = performance.now() > endMs && index < deliveries.length - 1
      if (!isAllSettled || isCut) break
    }
    // Durable before the lane is read again, so that nothing is sent twice without need.
    await this.#recorded(run)
    for (const work of givenUp) this.#options.blocked?.forget(work)
    if (isAllSettled && (isCut || deliveries.length === batchMax) && !this.#isClosed) resume(key)
  }

  /**
   * Waits until the outcomes of a lane are durable. Others use its place and its slot meanwhile, unless too many lanes wait: deliveries must not run ahead
   * of a store that is slow.
   */
  async #recorded({ key, marks, leaveSlot }: Run): Promise<void> {
    const { receivers, recordingMax } = this.#options
    if (this.#recording >= recordingMax) return await marks.settled()
    this.#recording += 1
    receivers.leave(key)
    leaveSlot()
    try {
      await marks.settled()
    } finally {
      this.#recording -= 1
    }
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
    const { blocked } = this.#options
    // A commit wakes many lanes, and each makes and signs a body.
    for (let pause = nextLoopSlice(); pause !== undefined; pause = nextLoopSlice()) await pause
    const work = describeDeliveryWork(run, delivery)
    const isGivenUp = blocked?.isGivenUp(work) ?? false
    if (isGivenUp === true || (isGivenUp !== false && (await isGivenUp))) return giveUp(run, work)
    return await this.#attempts.attempt(run, [delivery])
  }
}

interface Offer {
  readonly events: readonly StoredEvent[]
  readonly characters: number
  readonly expiresAtMs: number
}

/** Maximum of events of a lane, of characters of an event, and of characters of all. Above it, deliveries are read from the store. */
const EVENTS_MAX = 20
const BODY_MAX_CHARACTERS = 65_536
const CHARACTERS_MAX = 4 * 2 ** 20
const FIELDS_CHARACTERS = 1_000
/** Later, another node may have sent them, or they may have been given up. */
const AGE_MAX_MS = 2_000

/** First deliveries of lanes, passed on by the commits that stored them, so that runs need not read them. */
class LaneOffers {
  readonly #offers = new Map<string, Offer>()
  #characters = 0

  /** Replaces what is known of a lane. @param events its first deliveries; undefined if others may wait before them */
  set(key: string, events: readonly StoredEvent[] | undefined): void {
    this.#drop(key)
    if (events === undefined || events.length > EVENTS_MAX) return
    if (events.some(({ body }) => body.length > BODY_MAX_CHARACTERS)) return
    // The key and the fields around the body count as well, so that the number of offers is bounded.
    const characters = events.reduce((sum, { body }) => sum + body.length + FIELDS_CHARACTERS, 0)
    this.#characters += characters
    this.#offers.set(key, { events, characters, expiresAtMs: performance.now() + AGE_MAX_MS })
    while (this.#characters > CHARACTERS_MAX) this.#dropOldest()
  }

  /** Returns the number of deliveries of a lane that are known; 1 if none is. */
  count(key: string): number {
    return Math.max(1, this.#offers.get(key)?.events.length ?? 0)
  }

  /** Returns the first deliveries of a lane, and forgets them. Returns undefined if they are unknown or too old. */
  take(key: string): readonly StoredEvent[] | undefined {
    const offer = this.#drop(key)
    return offer === undefined || offer.expiresAtMs < performance.now() ? undefined : offer.events
  }

  #drop(key: string): Offer | undefined {
    const offer = this.#offers.get(key)
    if (offer === undefined) return undefined
    this.#offers.delete(key)
    this.#characters -= offer.characters
    return offer
  }

  #dropOldest(): void {
    for (const key of this.#offers.keys()) {
      this.#drop(key)
      return
    }
  }
}
