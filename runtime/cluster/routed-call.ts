/** Calls on their way to the owner of their instance. Types, and the small functions that need nothing else. */
import type { Command } from '../../actors/operations/index.js'
import type { CallContext } from '../../schemas/call-context.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ShardPlace } from './owner-view.js'
import type { PeerReply } from './peers/protocol.js'

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
