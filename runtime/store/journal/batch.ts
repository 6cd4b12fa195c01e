/** The content of one transaction of the journal, and its outcome. Types only but for the keys. */

import type { Change } from '../../../actors/instance/ports.js'
import type { EventKind } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { StoredEvent } from '../events.js'
import type { DeliveryOutcome } from './delivery-outcomes.js'

/** A change of an actor, or outcomes of deliveries. */
export type JournalChange = Change | { readonly type: 'deliveries'; readonly outcomes: readonly DeliveryOutcome[] }

/** One call of `write`: all of it is written, or nothing. */
export interface Write {
  readonly instance: InstanceId
  readonly shard: number
  readonly epoch: number
  readonly changes: readonly JournalChange[]
}

/** Facts about an instance that a batch needs. */
export interface InstanceFacts {
  readonly id: InstanceId
  readonly number: number
  readonly epoch: number
  /** True when it belongs to another installation. Only outcomes of deliveries are written then. */
  readonly isExported: boolean
  /** Digits of the own number; '' when not paired. */
  owner: string
  readonly name: string
}

/** An event that will get its place in the instance's log. */
export interface NewEvent {
  readonly instance: InstanceId
  readonly kind: EventKind
  readonly chatId: number | null
  readonly flags: number | null
  /** JSON without envelope. */
  readonly body: string
  /** A new id is made when it is absent. */
  readonly eventId?: string
  /** Trace of the call that caused it. */
  readonly traceparent?: string | undefined
}

export interface CommittedEvent {
  readonly instance: InstanceId
}

/** A lane into which a delivery was put. */
export interface CommittedLane {
  readonly webhookId: string
  readonly lane: number
  readonly instance: InstanceId
  /** The events that were put into it, in order, if nothing waited in the lane before. */
  readonly first?: readonly StoredEvent[]
}

/** A commit of the journal by its transaction and a shard that it has locked: by these it is found in the store. */
export interface LastCommit {
  readonly xid: string
  readonly shard: number
  readonly epoch: number
  readonly at: Date
}

/** Result of a commit, by which readers and deliveries wake. */
export interface Committed {
  readonly events: readonly CommittedEvent[]
  readonly lanes: readonly CommittedLane[]
  /** Lanes that became one because their chats did. */
  readonly mergedLanes: readonly { readonly instance: InstanceId; readonly from: number; readonly into: number }[]
  /** Instances whose row an actor changed: status, name, owner. */
  readonly changedInstances: readonly InstanceId[]
}

/** Separates the parts of composed map keys; it cannot stand in an id or JID. */
export function joinKey(...parts: readonly (string | number)[]): string {
  return parts.join(' ')
}
