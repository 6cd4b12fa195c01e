/** A webhook as callers see it, and as they write it. */

import { settledFilter } from '../../schemas/event-kinds.js'
import type { MessageFilter, SetWebhookRequest, Webhook } from '../../schemas/generated.js'
import type { WebhookInput, WebhookRow } from '../../schemas/ports/webhooks.js'

/** The record; `secret` only when it was made just now. */
export function webhookRecord(row: WebhookRow, secret?: string): Webhook {
  return {
    id: row.id,
    instance_id: row.instance ?? '',
    enabled: row.enabled,
    url: row.url,
    events: [...row.events],
    excludeMessages: [...row.excludeMessages] as MessageFilter[],
    addUrlEvents: row.addUrlEvents,
    addUrlTypesMessages: row.addUrlTypesMessages,
    ...(secret === undefined ? {} : { secret }),
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  }
}

/** What a body asks of a webhook; what it leaves out stays left out. */
export function webhookInput(body: Omit<SetWebhookRequest, 'id' | 'action'>): WebhookInput {
  const { enabled, url, events, excludeMessages, addUrlEvents, addUrlTypesMessages, secret } = body
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(excludeMessages === undefined ? {} : { excludeMessages: [...new Set(excludeMessages.map(settledFilter))] }),
    ...(addUrlEvents === undefined ? {} : { addUrlEvents }),
    ...(addUrlTypesMessages === undefined ? {} : { addUrlTypesMessages }),
    ...(secret === undefined ? {} : { secret }),
  }
}
