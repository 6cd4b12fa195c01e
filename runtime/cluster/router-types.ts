/** The router, and the parts that it needs. */
import type { Command, RepeatRules, ReplyOf } from '../../actors/operations/index.js'
import type { CommandRouter } from '../../actors/operations/router.js'
import type { CallContext } from '../../schemas/call-context.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { PeerClient } from './peers/client.js'
import type { Owner, PeerCommand, PeerReply } from './peers/protocol.js'

/** The table of owners as this node knows it, in memory. */
export interface RoutingTable {
  /**
   * Returns this node only while its actors take commands: when the shard is active and those of its instances that should be connected
   * know it. Before that, and while the node hands the shard over, the answer is `moving`. `none`: no living node owns it.
   */
  findOwner(shard: number): Owner | 'moving' | 'none'
  /** Calls the listener after each change of any answer of `findOwner`. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

/** The actors of this node. */
export interface LocalInstances {
  /** @throws ShardMoved, GatewayError NOT_OWNER when the shard left before the call was answered */
  ask(instance: InstanceId, command: Command, context: CallContext): Promise<ReplyOf[Command['type']]>
}

export interface RouterOptions {
  readonly table: RoutingTable
  /** This node's incarnation. */
  readonly self: string
  readonly local: LocalInstances
  readonly peers: Pick<PeerClient, 'call'>
  readonly findShard: (instance: InstanceId) => number
  readonly rules: RepeatRules
  /** Maximum time that a call is parked, in milliseconds. Default 15000. */
  readonly parkTimeoutMs?: number
  /** Maximum of calls parked at once, on this node and of one instance. Default 10000 and 1000. */
  readonly parkedMax?: number
  readonly parkedOfInstanceMax?: number
  /** Maximum time of an owner besides the wait of the command itself, in milliseconds. Default 300000. Peers detect silence earlier. */
  readonly answerMaxMs?: number
  /** Time in which a former owner may still answer, in milliseconds. Default 1000. */
  readonly graceMs?: number
  /** For metrics. */
  readonly observe?: RouterObserver
}

export interface RouterObserver {
  /** A call was answered, here or by another node. */
  readonly answered?: (where: 'here' | 'there', durationMs: number) => void
  /** A call came back without an answer and waits for the next attempt. */
  readonly returned?: (why: ReturnReason) => void
  /** A parked call was asked again, its time was up, or there was no room to park it. */
  readonly unparked?: (how: 'went on' | 'timed out' | 'no room', parkedMs: number) => void
}

export interface Router extends CommandRouter {
  /**
   * Serves a command of another node. It waits while the shard moves, as a command of this node does; the answer may be the new place.
   * @throws the errors of the instance
   */
  serve(command: PeerCommand): Promise<PeerReply>
  counts(): { readonly parked: number; readonly unanswered: number }
  /** Answers parked calls and all later ones with 503 at once. */
  close(): void
  /** Answers all calls, because the process ends: those that an owner was asked with OUTCOME_UNKNOWN, unless they were surely not begun. */
  abandon(): void
}

/** Why a call came back without an answer. */
export type ReturnReason = 'moved' | 'busy' | 'lost'
