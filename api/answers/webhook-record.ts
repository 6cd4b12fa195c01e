/** Makes the record of a webhook for callers, and reads their changes. */

import { settledFilter } from '../../schemas/event-kinds.js'
import type { MessageFilter, SetWebhookRequest, Webhook } from '../../schemas/generated.js'
import type { WebhookInput, WebhookRow } from '../../schemas/ports/webhooks.js'

/** Returns the record. It has the `secret` only when this call made it. */
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

/** Returns the fields of a webhook that a body sets. A field that the body leaves out stays as it is. */
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
