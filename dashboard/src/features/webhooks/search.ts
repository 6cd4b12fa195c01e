import type { EventKind } from '../../../../schemas/generated.js'
import { eventKinds } from '../../format/event-kinds.js'

/** Search parameters of the pages with webhooks. */
export const webhookViews = ['endpoints', 'deliveries', 'dead', 'signature'] as const
export type WebhookView = (typeof webhookViews)[number]

export const deliveryStates = ['delivered', 'waiting', 'failed', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface WebhookSearch {
  readonly view?: WebhookView
  readonly webhookId?: string
  readonly state?: DeliveryState
  readonly event?: EventKind
  /** Time from which dead letters are shown, ISO 8601. */
  readonly from?: string
}

export function readWebhookSearch({ view, webhookId, from, state, event }: Record<string, unknown>): WebhookSearch {
  return {
    ...(webhookViews.includes(view as WebhookView) ? { view: view as WebhookView } : {}),
    ...(typeof webhookId === 'string' && /^[\w-]{1,100}$/.test(webhookId) ? { webhookId } : {}),
    ...(deliveryStates.includes(state as DeliveryState) ? { state: state as DeliveryState } : {}),
    ...(eventKinds.includes(event as EventKind) ? { event: event as EventKind } : {}),
    ...(typeof from === 'string' && !Number.isNaN(Date.parse(from)) ? { from: new Date(from).toISOString() } : {}),
  }
}
