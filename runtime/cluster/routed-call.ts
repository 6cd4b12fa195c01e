/** Calls on their way to the owner of their instance, and the owners as this node knows them. */

import type { Command } from '../../actors/operations/index.js'
import type { CallContext } from '../../schemas/call-context.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import type { PeerOutcome } from './peers/client.js'
import type { Owner, PeerReply } from './peers/protocol.js'
import type { ReturnReason, RoutingTable } from './router-types.js'

export interface RoutedCall {
  readonly line: Line
  /** Set when another node sent the call for this epoch. It is carried out here under that epoch, or answered with the place of the shard. */
  readonly servedEpoch: number | null
  readonly context: CallContext
  readonly startedMs: number
  readonly resolve: (reply: PeerReply) => void
  readonly reject: (error: unknown) => void
  command: Command
  attempt: Attempt | null
  /** True when an owner may have carried it out. */
  mayHaveHappened: boolean
  parkedSinceMs: number
  /** How much longer it may be parked. */
  parkLeftMs: number
  /** True when the last owner that was asked takes no more calls. */
  wasBusy: boolean
  parkTimer: NodeJS.Timeout | undefined
}

/** One request to an owner. */
export interface Attempt {
  readonly incarnation: string
  readonly epoch: number
  /** True when the call has its place with the owner, before all that is asked after it. */
  hasPlace: boolean
  graceTimer: NodeJS.Timeout | undefined
  /** Stops waiting for the answer. */
  abort: () => void
}

/** The unanswered calls of one instance, in the order in which they came. */
export interface Line {
  readonly instance: InstanceId
  readonly shard: number
  readonly calls: Set<RoutedCall>
  parked: number
  /** Number of calls that an owner was asked and that have no place yet. */
  unplaced: number
  /** The owner with whom all calls have their places; null when that is not certain. */
  placedWith: string | null
  isAdvancing: boolean
  /** After a failure the line waits for this timer, or for a change of the table. */
  pause: NodeJS.Timeout | undefined
  failures: number
}

export function createLine(instance: InstanceId, shard: number): Line {
  return {
    instance,
    shard,
    calls: new Set(),
    parked: 0,
    unplaced: 0,
    placedWith: null,
    isAdvancing: false,
    pause: undefined,
    failures: 0,
  }
}

/** Tells whether the shard has another owner than the one that was asked. */
export function isFormer(attempt: Attempt, place: ShardPlace): boolean {
  return typeof place === 'object' && place.incarnation !== attempt.incarnation
}

export function startAttempt(call: RoutedCall, attempt: Attempt): void {
  call.attempt = attempt
  if (call.line.placedWith !== attempt.incarnation) call.line.placedWith = null
  if (!attempt.hasPlace) call.line.unplaced += 1
}

export function endAttempt(call: RoutedCall): void {
  if (call.attempt === null) return
  clearTimeout(call.attempt.graceTimer)
  if (!call.attempt.hasPlace) call.line.unplaced -= 1
  call.attempt = null
}

export type ShardPlace = Owner | 'moving' | 'none'

/** The owners of shards as the table gives them, or as a peer gave them when that is newer. */
export class OwnerView {
  readonly #table: Pick<RoutingTable, 'findOwner'>
  readonly #self: string
  /** Owners that peers named and that the table does not know yet, by shard. */
  readonly #learnt = new Map<number, Owner>()
  /** The newest epoch that the table gave, by shard. */
  readonly #newestEpochs = new Map<number, number>()

  constructor(table: Pick<RoutingTable, 'findOwner'>, self: string) {
    this.#table = table
    this.#self = self
  }

  findOwner(shard: number): ShardPlace {
    const place = this.#table.findOwner(shard)
    if (typeof place === 'object' && place.epoch > (this.#newestEpochs.get(shard) ?? 0))
      this.#newestEpochs.set(shard, place.epoch)
    const learnt = this.#learnt.get(shard)
    if (learnt === undefined) return place
    if (learnt.epoch <= (this.#newestEpochs.get(shard) ?? 0)) {
      this.#learnt.delete(shard)
      return place
    }
    // This node is the owner, and its own table says so once its actors take commands.
    return learnt.incarnation === this.#self ? 'moving' : learnt
  }

  /** Returns the newest epoch of a shard that is known here; 0 when none is. */
  epochKnown(shard: number): number {
    return Math.max(this.#newestEpochs.get(shard) ?? 0, this.#learnt.get(shard)?.epoch ?? 0)
  }

  /** Keeps an owner that a peer named, when it is newer than all that is known. */
  learn(shard: number, place: ShardPlace): void {
    if (typeof place === 'object' && place.epoch > this.epochKnown(shard)) this.#learnt.set(shard, place)
  }

  /** Drops an owner that a peer named and that cannot be reached: the table decides then. */
  distrust(shard: number, incarnation: string): void {
    if (this.#learnt.get(shard)?.incarnation === incarnation) this.#learnt.delete(shard)
  }
}

/** The end of one request to an owner. */
export type CallOutcome = PeerOutcome | { readonly type: 'threw'; readonly error: unknown }

/** Returns why a call was not answered and whether it may have been carried out all the same; null when it was answered. */
export function decideReturn(outcome: CallOutcome): { why: ReturnReason; wasBegun: boolean } | null {
  switch (outcome.type) {
    case 'reply':
      return null
    case 'failed':
      return isDeposed(outcome.error) ? { why: 'moved', wasBegun: true } : null
    case 'threw':
      if (outcome.error instanceof ShardMoved) return { why: 'moved', wasBegun: outcome.error.wasBegun }
      return isDeposed(outcome.error) ? { why: 'moved', wasBegun: true } : null
    case 'moved':
      return { why: 'moved', wasBegun: outcome.wasBegun }
    case 'busy':
      return { why: 'busy', wasBegun: false }
    case 'lost':
      return { why: 'lost', wasBegun: outcome.wasSent }
    default:
      return neverOutcome(outcome)
  }
}

/** Tells whether the journal refused a write because the epoch of the instance is over. */
function isDeposed(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'NOT_OWNER'
}

function neverOutcome(outcome: never): never {
  throw new Error(`An unknown outcome: ${JSON.stringify(outcome)}`)
}
