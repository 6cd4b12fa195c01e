import type { InstanceId } from '../../schemas/ids.js'
import type { StoreLossView } from '../../schemas/ports/cluster.js'
import type { Lane } from '../delivery/lane-key.js'
import type { Committed } from '../store/journal.js'

/** Facts that one part of a node announces and other parts act on, with their values. */
export interface InternalEventMap {
  /** The journal has committed a transaction. Its writers go on after the listeners. */
  readonly committed: readonly [Committed]
  /** The row of an instance was written or deleted by something else than its actor. */
  readonly instanceWritten: readonly [InstanceId]
  /** An administrator's token was made or ended. */
  readonly administratorsWritten: readonly []
  /** The settings of a webhook have changed, so that deliveries which wait for it may be due. */
  readonly webhookChanged: readonly [webhookId: string]
  /** The row of a webhook was written or deleted. */
  readonly webhookWritten: readonly [webhookId: string]
  /** Dead letters were put back in these lanes. */
  readonly deadLettersReplayed: readonly [readonly Lane[]]
  /** An instance has queued a send. */
  readonly sendQueued: readonly [InstanceId]
  /** An instance has work that is due after that time, in milliseconds. */
  readonly dueSoon: readonly [instance: InstanceId, inMs: number]
  /** The owner of an instance is to tell of the budget of its agents. */
  readonly agentBudget: readonly [InstanceId]
  /** Entries of knowledge are to be read, or to get vectors. */
  readonly knowledgeDue: readonly []
  /** These shards have begun to take commands on this node. */
  readonly shardsReady: readonly [shards: readonly number[]]
  /** Logins of this node report another version from now on. */
  readonly clientVersionChanged: readonly []
  /** This node has changed the table of nodes and shards. */
  readonly tableWritten: readonly []
  /**
   * The store went back in time, and an era has begun: what was remembered of it may not be there. The shards of this node have lost their
   * actors, or are about to.
   */
  readonly storeWentBack: readonly [StoreLossView]
}

type EventName = keyof InternalEventMap
type Listener<Name extends EventName> = (...values: InternalEventMap[Name]) => void

/**
 * The hub between the parts of a node. `emit` calls the listeners at once, in the order in which they were added. An error of a listener
 * reaches the emitter, as with a direct call.
 */
export class InternalEvents {
  readonly #listeners: { [Name in EventName]?: Listener<Name>[] } = {}

  on<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    const known: Listener<Name>[] | undefined = this.#listeners[name]
    if (known !== undefined) known.push(listener)
    else Object.assign(this.#listeners, { [name]: [listener] })
  }

  emit<Name extends EventName>(name: Name, ...values: InternalEventMap[Name]): void {
    const listeners: Listener<Name>[] | undefined = this.#listeners[name]
    for (const listener of listeners ?? []) listener(...values)
  }
}
