/** Deliveries to webhooks, as API and delivery share them. Types only. */
import type { EventKind } from '../generated.js'
import type { InstanceId } from '../ids.js'

export type DeliveryState = 'delivered' | 'waiting' | 'failed' | 'dead'

/** One event for one webhook. */
export interface DeliveryRow {
  readonly webhookId: string
  readonly instance: InstanceId
  /** Number of the event among those of its instance. */
  readonly sequence: number
  readonly eventId: string
  readonly kind: EventKind
  /** Time of the event. */
  readonly created: Date
  readonly state: DeliveryState
  readonly attempts: number
  /** Null when it has ended. */
  readonly nextAttemptAt: Date | null
  /** Time when it was taken or given up; null while it waits. */
  readonly ended: Date | null
  /** Empty while it waits. */
  readonly url: string
  /** 0 when there was no answer, and while it waits. */
  readonly statusCode: number
  /** Reason of the last failure; empty when there was none, or when it was taken. */
  readonly error: string
  /** Null while it waits. */
  readonly durationMs: number | null
}

export interface DeliveryAttempt {
  readonly at: Date
  /** 1 for the first. */
  readonly number: number
  readonly url: string
  readonly statusCode: number
  /** Empty when it succeeded. */
  readonly error: string
  /** Null when a node of release 0.2.0 or older made it. */
  readonly durationMs: number | null
  readonly headers: Readonly<Record<string, string>> | null
  /** Beginning of the answer's body. */
  readonly answer: string
}

export interface DeliveryQuery {
  /** Of all webhooks of the scope when left out. */
  readonly webhookId?: string
  readonly state?: DeliveryState
  readonly kinds?: readonly EventKind[]
  /** Events of that time or later. */
  readonly from?: Date
  /** Events before that time. */
  readonly to?: Date
  readonly limit: number
  readonly cursor?: string
}

/** Names a delivery. */
export interface DeliveryId {
  readonly webhookId: string
  readonly instance: InstanceId
  readonly sequence: number
}

export interface ShownDelivery {
  readonly delivery: DeliveryRow
  readonly attempts: readonly DeliveryAttempt[]
  /** The body, byte for byte. */
  readonly body: string
}

/** Attempts of an hour to deliver to a webhook. */
export interface ReceiverHour {
  readonly at: Date
  readonly delivered: number
  readonly failed: number
  /** Of the calls that were taken; null without any. */
  readonly averageMs: number | null
  readonly slowestMs: number | null
}

export interface ReceiverFigures {
  readonly webhookId: string
  /** The oldest first. Hours without attempts are missing. */
  readonly hours: readonly ReceiverHour[]
}
