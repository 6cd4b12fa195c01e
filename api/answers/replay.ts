/** Reads the request of a replay, and makes its answer. */
import type { ReplayGlobalWebhookRequest, ReplayWebhookReply } from '../../schemas/generated.js'
import { invalidField } from '../../schemas/invalid-field.js'
import type { DeliveryId } from '../../schemas/ports/deliveries.js'
import type { ReplayChoice, ReplayOutcome } from '../../schemas/ports/webhooks.js'
import { parseDeliveryId } from './delivery-record.js'

/** Fields that choose dead letters. */
const OF_DEAD_LETTERS = ['webhookId', 'ids', 'event', 'from', 'limit'] as const

/** @throws GatewayError INVALID_REQUEST for deliveries beside fields that choose dead letters, and for an id of another form */
export function replayChoice(request: ReplayGlobalWebhookRequest & { readonly webhookId?: string }): ReplayChoice {
  const { ids, event, from, limit, deliveries, webhookId } = request
  if (deliveries !== undefined) {
    const other = OF_DEAD_LETTERS.find((field) => request[field] !== undefined)
    if (other !== undefined)
      throw invalidField(other, 'must be left out beside deliveries, which name all that is sent')
    return { deliveries: deliveries.map(deliveryOfList) }
  }
  return {
    ...(webhookId === undefined ? {} : { webhookId }),
    ...(ids === undefined ? {} : { eventIds: ids }),
    ...(from === undefined ? {} : { diedFrom: new Date(from) }),
    ...(event === undefined ? {} : { kind: event }),
    ...(limit === undefined ? {} : { limit }),
  }
}

function deliveryOfList(text: string, index: number): DeliveryId {
  const delivery = parseDeliveryId(text)
  if (delivery === null)
    throw invalidField(
      `deliveries.${index}`,
      'has an invalid format: expected the id of a delivery from GET /webhook/deliveries',
    )
  return delivery
}

export function replayReply(
  { replayed, skipped, remaining, disabled }: ReplayOutcome,
  warnings: string[],
): ReplayWebhookReply {
  for (const id of disabled)
    warnings.push(`The webhook ${id} is not enabled: what was put back is delivered when it is enabled.`)
  return { replayed, skipped, remaining }
}
