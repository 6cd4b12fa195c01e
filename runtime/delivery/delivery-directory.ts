import { GatewayError } from '../../schemas/errors.js'
import type { WebhookDirectory } from '../../schemas/ports/webhooks.js'
import type { WebhookRows } from '../store/webhooks.js'
import type { DeliveryListStore } from './ports.js'
import { idsOf, webhooksOf } from './scope-webhooks.js'

export interface DeliveryDirectoryOptions {
  readonly rows: Pick<WebhookRows, 'list'>
  readonly deliveries: DeliveryListStore
}

/** Deliveries to the webhooks of one scope. The webhooks of other scopes cannot be reached. */
export function createDeliveryDirectory({
  rows,
  deliveries,
}: DeliveryDirectoryOptions): Pick<WebhookDirectory, 'deliveries' | 'delivery'> {
  return {
    async deliveries(instance, { webhookId, ...query }) {
      return deliveries.list(idsOf(await webhooksOf(rows, instance, webhookId)), instance, query)
    },
    async delivery(instance, { webhookId, instance: of, sequence }) {
      const isOwn = idsOf(await rows.list(instance)).includes(webhookId) && (instance === null || instance === of)
      const shown = isOwn ? await deliveries.show(webhookId, of, sequence) : null
      if (shown === null) throw new GatewayError('DELIVERY_NOT_FOUND')
      return shown
    },
  }
}
