/** Makes the record of a webhook for callers, and reads their changes. */

import { eventNameWarnings, settledFilter } from '../../schemas/event-kinds.js'
import type { MessageFilter, SetWebhookRequest, Webhook } from '../../schemas/generated.js'
import type { ReceiverState, WebhookDirectory, WebhookInput, WebhookRow } from '../../schemas/ports/webhooks.js'

type States = Pick<WebhookDirectory, 'receiverStates'>

/** Returns the records with the states of their receivers. The one that this call made has its `secret`. */
export async function webhookRecords(
  webhooks: States,
  rows: readonly WebhookRow[],
  made?: { readonly id: string; readonly secret: string } | null,
): Promise<Webhook[]> {
  const states = await webhooks.receiverStates(rows.map(({ url }) => url))
  return rows.map((row, index) => record(row, states[index] ?? null, row.id === made?.id ? made.secret : undefined))
}

/** Returns the record of one webhook. It has the `secret` only when this call made it. */
export async function webhookRecord(webhooks: States, row: WebhookRow, secret?: string): Promise<Webhook> {
  const [state = null] = await webhooks.receiverStates([row.url])
  return record(row, state, secret)
}

function record(row: WebhookRow, breaker: ReceiverState | null, secret: string | undefined): Webhook {
  const warnings = eventNameWarnings(row.events)
  return {
    id: row.id,
    instance_id: row.instance ?? '',
    enabled: row.enabled,
    url: row.shownUrl,
    events: [...row.events],
    excludeMessages: [...row.excludeMessages] as MessageFilter[],
    addUrlEvents: row.addUrlEvents,
    addUrlTypesMessages: row.addUrlTypesMessages,
    includeAiMetadata: row.includeAiMetadata,
    includeToken: row.includeToken,
    headers: { ...row.headers },
    batch: row.batch,
    form: row.form,
    formEvents: [...row.formEvents],
    includeBase64: row.includeBase64,
    breaker: breaker && {
      state: breaker.state,
      since: breaker.since?.toISOString() ?? null,
      nextAttemptAt: breaker.nextAttemptAt?.toISOString() ?? null,
    },
    ...(secret === undefined ? {} : { secret }),
    ...(warnings.length === 0 ? {} : { warnings }),
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  }
}

/** Returns the fields of a webhook that a body sets. A field that the body leaves out stays as it is. */
export function webhookInput(body: Omit<SetWebhookRequest, 'id' | 'action'>): WebhookInput {
  const {
    enabled,
    url,
    events,
    excludeMessages,
    addUrlEvents,
    addUrlTypesMessages,
    includeAiMetadata,
    includeToken,
    batch,
    headers,
    form,
    formEvents,
    includeBase64,
    secret,
  } = body
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(excludeMessages === undefined ? {} : { excludeMessages: [...new Set(excludeMessages.map(settledFilter))] }),
    ...(addUrlEvents === undefined ? {} : { addUrlEvents }),
    ...(addUrlTypesMessages === undefined ? {} : { addUrlTypesMessages }),
    ...(includeAiMetadata === undefined ? {} : { includeAiMetadata }),
    ...(includeToken === undefined ? {} : { includeToken }),
    ...(headers === undefined ? {} : { headers }),
    ...(batch === undefined ? {} : { batch }),
    ...(form === undefined ? {} : { form }),
    ...(formEvents === undefined ? {} : { formEvents: [...new Set(formEvents)] }),
    ...(includeBase64 === undefined ? {} : { includeBase64 }),
    ...(secret === undefined ? {} : { secret }),
  }
}
