/** Webhooks, their dead letters and event streams, as API and delivery share them. Types only. */

import type { Readable } from 'node:stream'
import type { EventKind } from '../generated.js'
import type { InstanceId } from '../ids.js'
import type { DeliveryId, DeliveryQuery, DeliveryRow, ReceiverFigures, ShownDelivery } from './deliveries.js'

/** Several events in one request, for receivers that take arrays. */
export interface WebhookBatch {
  /** Maximum of events in one request. */
  readonly max: number
  /** Maximum time for which an event waits for others. */
  readonly waitMs: number
}

/** How the bodies of deliveries are written: as ours, or as another gateway writes them. */
export type WebhookForm = '1.0' | 'evolution'

/** `instance: null` is the global webhook's scope. */
export interface WebhookRow {
  readonly id: string
  readonly instance: InstanceId | null
  readonly enabled: boolean
  /** Without credentials. */
  readonly url: string
  /** With its password masked. */
  readonly shownUrl: string
  /** With their values masked. */
  readonly headers: Readonly<Record<string, string>>
  /** Kinds of events, and names that this release does not know. */
  readonly events: readonly string[]
  readonly excludeMessages: readonly string[]
  readonly addUrlEvents: boolean
  readonly addUrlTypesMessages: boolean
  readonly includeAiMetadata: boolean
  /** Events carry the token of their instance. */
  readonly includeToken: boolean
  /** null: each event is a request of its own. */
  readonly batch: WebhookBatch | null
  readonly form: WebhookForm
  /** Events of the form that are delivered; empty: all of the kinds in `events`. */
  readonly formEvents: readonly string[]
  /** Files of messages are in their events, as base64. */
  readonly includeBase64: boolean
  readonly created: Date
  readonly updated: Date
}

/** The circuit breaker of a webhook's URL, of all nodes together. `half_open`: an attempt finds out whether the receiver answers again. */
export interface ReceiverState {
  readonly state: 'closed' | 'open' | 'half_open'
  /** Time at which it opened; null while it is closed. */
  readonly since: Date | null
  /** Time from which the next attempt is due; null while it is closed. */
  readonly nextAttemptAt: Date | null
}

export interface WebhookInput {
  readonly enabled?: boolean
  /** May have credentials. */
  readonly url?: string
  readonly events?: readonly string[]
  readonly excludeMessages?: readonly string[]
  readonly addUrlEvents?: boolean
  readonly addUrlTypesMessages?: boolean
  readonly includeAiMetadata?: boolean
  readonly includeToken?: boolean
  readonly headers?: Readonly<Record<string, string>>
  readonly batch?: WebhookBatch | null
  readonly form?: WebhookForm
  readonly formEvents?: readonly string[]
  readonly includeBase64?: boolean
  /** `whsec_…`; made when absent at creation. */
  readonly secret?: string
}

export interface DeadLetterRow {
  readonly webhookId: string
  readonly instance: InstanceId
  readonly eventId: string
  readonly kind: EventKind
  /** Empty when the event is not about a message. */
  readonly messageType: string
  readonly url: string
  readonly attempts: number
  /** 0 when there was no answer. */
  readonly statusCode: number
  readonly error: string
  readonly diedAt: Date
  readonly payload: Readonly<Record<string, unknown>>
}

export interface DeadLetterQuery {
  /** Of all webhooks of the scope when left out. */
  readonly webhookId?: string
  /** Selects those that were given up then or later. */
  readonly diedFrom?: Date
  /** Selects events of this kind. */
  readonly kind?: EventKind
  readonly limit: number
  readonly offset: number
}

export interface ReplayChoice {
  readonly webhookId?: string
  /** All when left out. */
  readonly eventIds?: readonly string[]
  /** Only dead letters of that time or later. */
  readonly diedFrom?: Date
  /** Only events of this kind. */
  readonly kind?: EventKind
  readonly limit?: number
  /** These deliveries in place of dead letters, whatever became of them. Nothing else of the choice counts. */
  readonly deliveries?: readonly DeliveryId[]
}

export interface ReplayOutcome {
  /** Deliveries that are due again. */
  readonly replayed: number
  /** Event ids of which there was no dead letter, or deliveries that were not put back. */
  readonly skipped: number
  readonly remaining: number
  /** Webhooks that are switched off: what was put back waits until they are enabled. */
  readonly disabled: readonly string[]
}

export interface WebhookDirectory {
  list(instance: InstanceId | null): Promise<readonly WebhookRow[]>
  /** Returns the state of each receiver (the URL of a webhook); null where it is not known. */
  receiverStates(urls: readonly string[]): Promise<readonly (ReceiverState | null)[]>
  /** Adds a webhook. Only this answer has its `secret`. @throws GatewayError URL_NOT_ALLOWED, TOKEN_NOT_KEPT */
  add(
    instance: InstanceId | null,
    input: WebhookInput & { url: string },
  ): Promise<{ webhook: WebhookRow; secret: string }>
  /**
   * Changes the only webhook of the scope, or creates it when there is none; `secret` is given then. Calls at the same time create one.
   * @throws GatewayError INVALID_REQUEST (there are several, or there is none and no URL is given), URL_NOT_ALLOWED
   */
  setOnly(instance: InstanceId | null, input: WebhookInput): Promise<{ webhook: WebhookRow; secret?: string }>
  /** @throws GatewayError WEBHOOK_NOT_FOUND, URL_NOT_ALLOWED */
  update(instance: InstanceId | null, id: string, input: WebhookInput): Promise<WebhookRow>
  /** @throws GatewayError WEBHOOK_NOT_FOUND */
  delete(instance: InstanceId | null, id: string): Promise<void>
  /** The newest failed attempts, newest first: created, url, type (`local`, `global`), event, message_type, status_code, attempts, error, payload. */
  errors(instance: InstanceId | null, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Deliveries that were given up, the newest events first. @throws GatewayError WEBHOOK_NOT_FOUND */
  deadLetters(
    instance: InstanceId | null,
    query: DeadLetterQuery,
  ): Promise<{ deadLetters: readonly DeadLetterRow[]; hasMore: boolean; total: number }>
  /** Puts dead letters back in their lanes, due at once, under their old event ids. @throws GatewayError WEBHOOK_NOT_FOUND */
  replay(instance: InstanceId | null, choice: ReplayChoice): Promise<ReplayOutcome>
  /** Deliveries, the newest events first. @throws GatewayError WEBHOOK_NOT_FOUND, INVALID_REQUEST for a cursor of another list */
  deliveries(
    instance: InstanceId | null,
    query: DeliveryQuery,
  ): Promise<{ deliveries: readonly DeliveryRow[]; next: string | null }>
  /** Attempts of the last hours to each webhook of the scope, or to one. @throws GatewayError WEBHOOK_NOT_FOUND */
  receiverFigures(
    instance: InstanceId | null,
    query: { readonly webhookId?: string; readonly hours: number },
  ): Promise<readonly ReceiverFigures[]>
  /** @throws GatewayError DELIVERY_NOT_FOUND */
  delivery(instance: InstanceId | null, id: DeliveryId): Promise<ShownDelivery>
  /** Sends one sample now, past the queue; answers with what the receiver said. @throws GatewayError WEBHOOK_NOT_FOUND, URL_NOT_ALLOWED, FETCH_FAILED */
  test(instance: InstanceId | null, id: string): Promise<{ statusCode: number; durationMs: number; body: string }>
}

export interface StreamOptions {
  /** null: every instance (administrators). */
  readonly instance: InstanceId | null
  /** Empty: all kinds. */
  readonly events: readonly string[]
  /** Sentences for the reader, at the beginning of the stream. */
  readonly warnings?: readonly string[]
  readonly excludeMessages: readonly string[]
  /** From `Last-Event-ID`: the sequence (one instance) or the global cursor (all); only what comes after it. */
  readonly after?: string
  /** Whether its reader may still have it; asked now and then. */
  readonly isWelcome?: () => Promise<boolean>
}

export interface EventPageOptions {
  readonly instance: InstanceId
  /** Sequence after which the page begins. `latest`: behind the last event. Absent: before the oldest one. */
  readonly since?: number | 'latest'
  readonly limit: number
  /** Empty: all kinds. */
  readonly events: readonly string[]
  readonly excludeMessages: readonly string[]
}

export interface EventPage {
  /** JSON, as webhooks get it. */
  readonly events: readonly string[]
  readonly cursor: number
  readonly hasMore: boolean
  /** Events behind `since` were deleted by age. */
  readonly isExpired: boolean
  /** The store went back and does not have all events up to `since`. */
  readonly loss: { readonly lostFrom: Date | null; readonly lostUntil: Date | null } | null
}

export interface EventStreams {
  /** Server-sent events as text, with heartbeats, ended by destroying it; bounded buffer. */
  open(options: StreamOptions): Readable
  /** Stored events in their order, a bounded number and size of them. */
  page(options: EventPageOptions): Promise<EventPage>
}
