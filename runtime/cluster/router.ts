/**
 * Sends commands to the node that owns the instance, wherever it is. While the instance moves or nobody owns it, calls wait here.
 *
 * The unanswered calls of an instance stand in its line, in the order in which they came. A call is *parked*, or an owner was *asked*.
 * Calls are asked side by side as they come. Once one is parked, all behind it are parked too. When the line advances, the next call is
 * asked only when the one before has its place with the owner, so that a move keeps the order of a chat. A call that is still with a
 * former owner holds up those behind it until it comes back, or until its grace time is over.
 *
 * A call that was surely not begun is always asked again. A call that may have been begun is asked again only when the definition of its
 * operation allows it. `schemas/shard-moved.ts` has the rest of the argument that nothing is done twice.
 */
import { LRUCache } from 'lru-cache'
import type { Command, ReplyOf } from '../../actors/operations/index.js'
import { backOffMs, withHalfJitter } from '../../lib/back-off.js'
import { entriesMax } from '../../lib/entries-max.js'
import { type CallContext, nextSpan, traceparentFor } from '../../schemas/call-context.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { Owner, PeerCommand, PeerReply } from './peers/protocol.js'
import {
  type Attempt,
  type CallOutcome,
  createLine,
  decideReturn,
  endAttempt,
  isFormer,
  type Line,
  OwnerView,
  type RoutedCall,
  type ShardPlace,
  startAttempt,
} from './routed-call.js'
import type { ReturnReason, Router, RouterOptions } from './router-types.js'

const RETRY_AFTER_SECONDS = 5
/** More than a node receives while it stands still and yet counts as alive. */
const SERVED_KEPT = 50_000
/** Time between attempts at an owner that cannot be reached, doubled each time: the owner may come back without a change of the table. */
const PAUSE_MIN_MS = 50
const PAUSE_MAX_MS = 1_000

export class OwnerRouter implements Router {
  readonly #options: RouterOptions & {
    readonly parkTimeoutMs: number
    readonly answerMaxMs: number
    readonly graceMs: number
  }
  readonly #owners: OwnerView
  readonly #parking: Parking
  readonly #lines = new Map<InstanceId, Line>()
  /** Ids of sends that were served here. */
  readonly #served = new LRUCache<MessageId, true>(entriesMax(SERVED_KEPT))
  readonly #endOfChanges: () => void
  #unanswered = 0
  #isClosed = false

  constructor(options: RouterOptions) {
    this.#options = { parkTimeoutMs: 15_000, answerMaxMs: 300_000, graceMs: 1_000, ...options }
    const { table, self, parkedMax = 10_000, parkedOfInstanceMax = 1_000, observe } = options
    this.#owners = new OwnerView(table, self)
    this.#parking = new Parking({
      parkedMax,
      parkedOfInstanceMax,
      onTimeUp: (call) => this.#timeIsUp(call),
      observe: observe?.unparked,
    })
    this.#endOfChanges = table.onChange(() => {
      for (const line of [...this.#lines.values()]) this.#advanceNow(line)
    })
  }

  async ask<C extends Command>(instance: InstanceId, command: C, context = newContext()): Promise<ReplyOf[C['type']]> {
    const reply = await this.#take(instance, command, context, null, this.#options.parkTimeoutMs)
    if (reply.type === 'reply') return reply.reply as ReplyOf[C['type']]
    throw reply.type === 'failed' ? reply.error : moving()
  }

  serve({ instance, command, context, epoch, leftMs }: PeerCommand): Promise<PeerReply> {
    const parkLeftMs = Math.min(this.#options.parkTimeoutMs, leftMs)
    return this.#take(instance, this.#asServed(command), context, epoch, parkLeftMs)
  }

  counts(): { readonly parked: number; readonly unanswered: number } {
    return { parked: this.#parking.parked, unanswered: this.#unanswered }
  }

  close(): void {
    this.#isClosed = true
    this.#endOfChanges()
    for (const line of [...this.#lines.values()]) {
      clearTimeout(line.pause)
      for (const call of [...line.calls]) if (call.attempt === null) this.#timeIsUp(call)
    }
  }

  abandon(): void {
    this.close()
    // A call that comes back finds no room to be parked.
    for (const line of [...this.#lines.values()]) for (const call of [...line.calls]) call.attempt?.abort()
  }

  /** A first request that its caller gave up may still lie in a socket, and be read after the second one was answered. */
  #asServed(command: Command): Command {
    if (command.type !== 'send') return command
    const isKnown = this.#served.has(command.messageid)
    this.#served.set(command.messageid, true)
    return isKnown ? (this.#options.rules.findRepeat(command) ?? command) : command
  }

  #take(
    instance: InstanceId,
    command: Command,
    context: CallContext,
    servedEpoch: number | null,
    parkLeftMs: number,
  ): Promise<PeerReply> {
    if (this.#isClosed) return Promise.reject(moving())
    return new Promise((resolve, reject) => {
      const line = this.#takeLine(instance)
      const call: RoutedCall = {
        line,
        servedEpoch,
        context,
        startedMs: performance.now(),
        resolve,
        reject,
        command,
        attempt: null,
        mayHaveHappened: false,
        parkedSinceMs: 0,
        parkLeftMs,
        wasBusy: false,
        parkTimer: undefined,
      }
      line.calls.add(call)
      this.#unanswered += 1
      if (line.parked === 0) this.#askFirstTime(call)
      if (call.attempt === null && line.calls.has(call)) this.#park(call)
    })
  }

  /** Asks at once, whatever the length of the line, where all calls have their places with the present owner. */
  #askFirstTime(call: RoutedCall): void {
    const { line } = call
    const owner = this.#owners.findOwner(line.shard)
    const isPlain = typeof owner === 'object' && owner.incarnation === line.placedWith && line.unplaced === 0
    if (isPlain && line.pause === undefined) this.#askOwner(call, owner)
    else this.#advance(line)
  }

  /** Asks what can be asked now, from the front. */
  #advance(line: Line): void {
    if (line.pause !== undefined || line.isAdvancing) return
    line.isAdvancing = true
    line.placedWith = null
    let isAllPlaced = true
    for (const call of line.calls) {
      if (call.attempt === null) this.#askOwner(call, this.#owners.findOwner(line.shard))
      else if (isFormer(call.attempt, this.#owners.findOwner(line.shard))) this.#limitFormerOwners(line)
      // A call that is parked again, has no place yet, or is still with a former owner holds up those behind it.
      isAllPlaced = !line.calls.has(call) || (call.attempt !== null && this.#isPlaced(call.attempt, line))
      if (!isAllPlaced) break
    }
    const owner = this.#owners.findOwner(line.shard)
    if (isAllPlaced && typeof owner === 'object') line.placedWith = owner.incarnation
    line.isAdvancing = false
  }

  #advanceNow(line: Line): void {
    clearTimeout(line.pause)
    line.pause = undefined
    this.#advance(line)
  }

  #isPlaced(attempt: Attempt, line: Line): boolean {
    return attempt.hasPlace && !isFormer(attempt, this.#owners.findOwner(line.shard))
  }

  /** Gives former owners a moment: their answers, or the news that the shard moved, may be on the way. If not, they are gone. */
  #limitFormerOwners(line: Line): void {
    const owner = this.#owners.findOwner(line.shard)
    for (const { attempt } of line.calls)
      if (attempt !== null && isFormer(attempt, owner))
        attempt.graceTimer ??= setTimeout(attempt.abort, this.#options.graceMs)
  }

  #askOwner(call: RoutedCall, owner: ShardPlace): void {
    if (typeof owner !== 'object') return
    const { servedEpoch } = call
    // The node that sent it knows more than this one: the news will come.
    if (servedEpoch !== null && servedEpoch > this.#owners.epochKnown(call.line.shard)) return
    const isHere = owner.incarnation === this.#options.self
    // It was sent to an owner under one epoch. Its caller may have given it up since, and another owner have carried it out.
    const isMisdirected = servedEpoch !== null && (!isHere || owner.epoch !== servedEpoch)
    if (isMisdirected) this.#answer(call, { type: 'moved', owner, wasBegun: call.mayHaveHappened })
    else if (isHere) this.#askHere(call, owner.epoch)
    else this.#askThere(call, owner)
  }

  #askHere(call: RoutedCall, epoch: number): void {
    this.#parking.unpark(call)
    const attempt: Attempt = {
      incarnation: this.#options.self,
      epoch,
      hasPlace: true,
      graceTimer: undefined,
      // It cannot be called back, but nothing that it does under an old epoch leaves or is stored.
      abort: () => this.#onOutcome(call, attempt, { type: 'lost', why: 'aborted', wasSent: true }),
    }
    startAttempt(call, attempt)
    this.#askLocal(call).then(
      (reply) => this.#onOutcome(call, attempt, { type: 'reply', reply }),
      (error: unknown) => this.#onOutcome(call, attempt, { type: 'threw', error }),
    )
  }

  async #askLocal({ line, command, context }: RoutedCall): Promise<ReplyOf[Command['type']]> {
    return this.#options.local.ask(line.instance, command, context)
  }

  #askThere(call: RoutedCall, owner: Owner): void {
    const { peers, answerMaxMs, parkTimeoutMs, rules } = this.#options
    const isOrdered = this.#parking.unpark(call)
    const { line, command, context } = call
    const attempt: Attempt = {
      incarnation: owner.incarnation,
      epoch: owner.epoch,
      hasPlace: !isOrdered,
      graceTimer: undefined,
      abort: () => request.abort(),
    }
    startAttempt(call, attempt)
    const request = peers.call(
      owner.address,
      {
        instance: line.instance,
        command,
        epoch: owner.epoch,
        leftMs: answerMaxMs + parkTimeoutMs + rules.getWaitMs(command),
        context: { requestId: context.requestId, traceparent: nextSpan(context.traceparent) },
      },
      { isOrdered, onPlaced: () => this.#onPlaced(call, attempt) },
    )
    void request.outcome.then((outcome) => this.#onOutcome(call, attempt, outcome))
  }

  #onPlaced(call: RoutedCall, attempt: Attempt): void {
    if (attempt.hasPlace || call.attempt !== attempt) return
    attempt.hasPlace = true
    call.line.unplaced -= 1
    this.#advance(call.line)
  }

  /** Called when the owner has answered, or the request was lost on the way. */
  #onOutcome(call: RoutedCall, attempt: Attempt, outcome: CallOutcome): void {
    if (call.attempt !== attempt) return
    if (outcome.type === 'moved') this.#owners.learn(call.line.shard, outcome.owner)
    const returned = decideReturn(outcome)
    if (returned !== null) {
      this.#requeue(call, attempt, returned.why, returned.wasBegun)
      return
    }
    const where = attempt.incarnation === this.#options.self ? 'here' : 'there'
    this.#options.observe?.answered?.(where, performance.now() - call.startedMs)
    if (outcome.type === 'reply' || outcome.type === 'failed') this.#answer(call, outcome)
    else this.#fail(call, outcome.type === 'threw' ? outcome.error : new GatewayError('INTERNAL'))
  }

  #requeue(call: RoutedCall, former: Attempt, why: ReturnReason, wasBegun: boolean): void {
    const { line } = call
    endAttempt(call)
    line.placedWith = null
    this.#options.observe?.returned?.(why)
    call.wasBusy = why === 'busy'
    if (wasBegun && !this.#makeRepeat(call)) return
    // The word of a peer about an owner that cannot be reached may be wrong; the table will know better.
    if (why === 'lost') this.#owners.distrust(line.shard, former.incarnation)
    const owner = this.#owners.findOwner(line.shard)
    const isNews = typeof owner !== 'object' || owner.incarnation !== former.incarnation || owner.epoch > former.epoch
    if (!isNews) this.#pauseLine(line)
    this.#park(call)
    this.#advance(line)
  }

  /** Turns a call that may have been carried out into its repeat. Fails it, and returns false, when it must not be repeated. */
  #makeRepeat(call: RoutedCall): boolean {
    const repeat = this.#options.rules.findRepeat(call.command)
    if (repeat === null) {
      this.#fail(call, new GatewayError('OUTCOME_UNKNOWN'))
      return false
    }
    call.command = repeat
    call.mayHaveHappened = true
    // It was with an owner: a new wait begins.
    call.parkLeftMs = this.#options.parkTimeoutMs
    return true
  }

  #pauseLine(line: Line): void {
    if (line.pause !== undefined) return
    const waitMs = withHalfJitter(backOffMs(line.failures, PAUSE_MIN_MS, PAUSE_MAX_MS))
    line.failures += 1
    line.pause = setTimeout(() => this.#advanceNow(line), waitMs)
  }

  #park(call: RoutedCall): void {
    if (!this.#isClosed && this.#parking.hasRoomFor(call)) {
      this.#parking.park(call)
      return
    }
    this.#options.observe?.unparked?.('no room', 0)
    this.#timeIsUp(call)
  }

  #timeIsUp(call: RoutedCall): void {
    call.parkLeftMs = 0
    if (call.servedEpoch === null) {
      this.#fail(call, call.mayHaveHappened ? new GatewayError('OUTCOME_UNKNOWN') : call.wasBusy ? busy() : moving())
      return
    }
    const place = this.#owners.findOwner(call.line.shard)
    const isOther = typeof place === 'object' && place.incarnation !== this.#options.self
    this.#answer(call, { type: 'moved', owner: isOther ? place : 'moving', wasBegun: call.mayHaveHappened })
  }

  #answer(call: RoutedCall, reply: PeerReply): void {
    this.#leave(call)
    call.resolve(reply)
  }

  #fail(call: RoutedCall, error: unknown): void {
    this.#leave(call)
    call.reject(error)
  }

  #leave(call: RoutedCall): void {
    const { line } = call
    this.#parking.unpark(call)
    endAttempt(call)
    if (!line.calls.delete(call)) return
    this.#unanswered -= 1
    line.failures = 0
    if (line.calls.size > 0) {
      if (line.parked > 0) this.#advance(line)
      return
    }
    clearTimeout(line.pause)
    this.#lines.delete(line.instance)
  }

  #takeLine(instance: InstanceId): Line {
    const known = this.#lines.get(instance)
    if (known !== undefined) return known
    const line = createLine(instance, this.#options.findShard(instance))
    this.#lines.set(instance, line)
    return line
  }
}

function moving(): GatewayError {
  return new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function busy(): GatewayError {
  return new GatewayError('NODE_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function newContext(): CallContext {
  return { requestId: '', traceparent: traceparentFor(undefined) }
}

interface ParkingOptions {
  /** Maximum of calls that are parked at once on this node, and of one instance. */
  readonly parkedMax: number
  readonly parkedOfInstanceMax: number
  /** Called when the time of a parked call is up. */
  readonly onTimeUp: (call: RoutedCall) => void
  readonly observe: ((how: 'went on' | 'timed out', parkedMs: number) => void) | undefined
}

/** Calls that wait until their instance has an owner that takes them. */
class Parking {
  readonly #options: ParkingOptions
  #parked = 0

  constructor(options: ParkingOptions) {
    this.#options = options
  }

  get parked(): number {
    return this.#parked
  }

  hasRoomFor({ line }: RoutedCall): boolean {
    const { parkedMax, parkedOfInstanceMax } = this.#options
    return this.#parked < parkedMax && line.parked < parkedOfInstanceMax
  }

  park(call: RoutedCall): void {
    this.#parked += 1
    call.line.parked += 1
    call.parkedSinceMs = performance.now()
    call.parkTimer = setTimeout(() => this.#options.onTimeUp(call), call.parkLeftMs)
  }

  /** Returns true when the call was parked. */
  unpark(call: RoutedCall): boolean {
    if (call.parkTimer === undefined) return false
    clearTimeout(call.parkTimer)
    call.parkTimer = undefined
    this.#parked -= 1
    call.line.parked -= 1
    const parkedMs = performance.now() - call.parkedSinceMs
    call.parkLeftMs = Math.max(0, call.parkLeftMs - parkedMs)
    this.#options.observe?.(call.parkLeftMs > 0 ? 'went on' : 'timed out', parkedMs)
    return true
  }
}
