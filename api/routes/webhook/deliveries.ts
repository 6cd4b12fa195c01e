import type { DeliveriesQuery, DeliveriesReply } from '../../../schemas/generated.js'
import { deliveriesPage, deliveryQuery } from '../../answers/delivery-record.js'
import { instanceRoute } from '../../route.js'

export const listDeliveries = instanceRoute<undefined, DeliveriesQuery>({
  method: 'GET',
  path: '/webhook/deliveries',
  isSearch: true,
  name: 'listDeliveries',
  area: 'Webhooks',
  scope: 'token',
  summary: 'List what waits for the webhooks of the instance, what failed, and the newest that was delivered',
  schema: 'webhook/deliveries.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<DeliveriesReply> {
    return deliveriesPage(await ports.webhooks.deliveries(instance.id, deliveryQuery(query)), 'local')
  },
})
