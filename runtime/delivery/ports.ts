/** The parts of the store that deliveries and streams need. Types only. */
import type { EventKind } from '../../schemas/generated.js'
import type { InstanceId } from '../../schemas/ids.js'
import type {
  DeliveryId,
  DeliveryQuery,
  DeliveryRow,
  ReceiverFigures,
  ShownDelivery,
} from '../../schemas/ports/deliveries.js'
import type {
  DeadLetterQuery,
  DeadLetterRow,
  ReplayChoice,
  WebhookBatch,
  WebhookForm,
} from '../../schemas/ports/webhooks.js'
import type { WebhookAccess } from '../../schemas/webhook-access.js'
import type { PostOutcome } from '../outgoing/client.js'
import type { DeliveryBacklog, WaitingLane } from '../store/deliveries.js'
import type { StoredEvent } from '../store/events.js'
import type { DeliveryOutcome } from '../store/journal/delivery-outcomes.js'
import type { Lane } from './lane-key.js'
import type { RetryPolicy } from './retries.js'

/** A webhook as deliveries see it. */
export interface DeliveryTarget {
  readonly id: string
  /** Instance that owns it; null for all instances. */
  readonly instance?: string | null
  readonly enabled: boolean
  readonly url: string
  readonly addUrlEvents: boolean
  readonly addUrlTypesMessages: boolean
  readonly includeAiMetadata?: boolean
  readonly includeToken?: boolean
  /** Several events in one request. */
  readonly batch?: WebhookBatch | null
  /** How bodies are written; ours if missing. */
  readonly form?: WebhookForm
  readonly formEvents?: readonly string[]
  readonly includeBase64?: boolean
  /** `whsec_…` */
  readonly secret: string
  readonly access?: WebhookAccess
  /** A receiver that takes events by calls of its own, and not by a POST of each. */
  readonly purpose?: 'webhook' | 'chatwoot'
}

/** Outcome of bringing an event to a receiver by calls of its own. */
export interface Carried {
  /** As of a POST. */
  readonly outcome: PostOutcome
  readonly policy: RetryPolicy
}

/** Brings events to a receiver by calls of its own. */
export interface Carrier {
  /** @throws the error of the store; then the lane is to be run again later */
  carry(instance: InstanceId, lane: number, delivery: NextDelivery): Promise<Carried>
}

/** A body in the form of another gateway. */
export interface FormedBody {
  /** Follows the URL of a webhook that has the event in it, such as `/messages-upsert`. */
  readonly path: string
  readonly body: string
}

/** Writes events in the forms of other gateways. */
export interface EventForms {
  /** Returns the bodies of an event for this receiver: none if it does not take it. @throws the error of the store */
  bodies(target: DeliveryTarget, delivery: NextDelivery): Promise<readonly FormedBody[]>
}

export interface NextDelivery {
  readonly position: number
  readonly instance: InstanceId
  /** Failed attempts so far. */
  readonly attempts: number
  /** Time until its next attempt, by the clock of the store; 0 or less when it is due. */
  readonly dueInMs: number
  /** Error of its last attempt; empty when there was none. */
  readonly lastError: string
  readonly eventId: string
  readonly kind: EventKind
  /** The message's type; empty for other events. */
  readonly messageType: string
  /** The envelope as it is sent. */
  readonly body: string
  /** Trace of the call that caused the event; null when none did. */
  readonly traceparent: string | null
}

export interface DeliveryStore {
  /** The first deliveries of a lane, in order, due or not. */
  next(lane: Lane, limit: number): Promise<readonly NextDelivery[]>
  /** Returns the first deliveries of a lane whose events a commit has just told. */
  ofEvents(events: readonly StoredEvent[]): readonly NextDelivery[]
  /** Returns what an answer of an agent was made of, as JSON; null for other messages. */
  aiMetadata(instance: InstanceId, messageid: string): Promise<string | null>
  /** Returns the token of an instance; null if there is no copy of it, or the operator wants none in events. */
  findToken(instance: InstanceId): Promise<string | null>
  /** This node may send for the instance. */
  isOurs(instance: InstanceId): boolean
  /** Webhooks that are switched on, with something waiting of instances that this node owns. */
  backlogs(): Promise<readonly DeliveryBacklog[]>
  /** Lanes of these, in order and after those given; none of the backlogs hides the others. */
  listLanes(
    backlogs: readonly (Pick<DeliveryBacklog, 'webhookId' | 'instance'> & { readonly after: number | undefined })[],
    limit: number,
  ): Promise<readonly WaitingLane[]>
  /** Returns the age of the oldest delivery of all instances, also those that other nodes own; 0 when none waits. */
  oldestAgeMs(): Promise<number>
  /** Turns what has waited for longer into dead letters, at most so many; returns how many. */
  giveUpOlder(ageMs: number, limit: number): Promise<number>
  /**
   * Stores what became of deliveries, under the owner's epoch. Resolves when durable.
   * @throws GatewayError NOT_OWNER, STORE_UNAVAILABLE, OUTCOME_UNKNOWN
   */
  record(instance: InstanceId, outcomes: readonly DeliveryOutcome[]): Promise<void>
}

interface Replayed {
  readonly lanes: readonly Lane[]
  readonly count: number
  readonly eventIdsFound: number
  readonly remaining: number
}

/** Dead letters of given webhooks. The caller checks that they belong to its instance. */
export interface DeadLetterStore {
  /** The newest events first. */
  list(
    webhookIds: readonly string[],
    page: Omit<DeadLetterQuery, 'webhookId'>,
  ): Promise<{ deadLetters: readonly DeadLetterRow[]; hasMore: boolean; total: number }>
  replay(webhookIds: readonly string[], choice: Omit<ReplayChoice, 'webhookId' | 'deliveries'>): Promise<Replayed>
  /** Puts kept events in their lanes once more; found deliveries count as found event ids. */
  resend(webhookIds: readonly string[], deliveries: readonly DeliveryId[]): Promise<Replayed>
}

/** Deliveries of given webhooks, as callers see them. The caller checks that they belong to its scope. */
export interface DeliveryListStore {
  /** @throws GatewayError INVALID_REQUEST for a cursor of another list */
  list(
    webhookIds: readonly string[],
    instance: InstanceId | null,
    query: Omit<DeliveryQuery, 'webhookId'>,
  ): Promise<{ deliveries: readonly DeliveryRow[]; next: string | null }>
  /** Returns null when there is no such delivery. */
  show(webhookId: string, instance: InstanceId, sequence: number): Promise<ShownDelivery | null>
  /** Attempts of the last hours to each of the webhooks. */
  hours(webhookIds: readonly string[], hours: number): Promise<readonly ReceiverFigures[]>
}

export interface DeliveryTargets {
  /** From memory where possible, so that a delivery costs no query; null when there is no such webhook. */
  byId(id: string): Promise<DeliveryTarget | null>
  /** The receiver answered 410: nothing is sent until someone enables the webhook again. */
  disable(id: string): Promise<void>
}
