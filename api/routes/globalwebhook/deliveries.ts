import type { GlobalDeliveriesQuery, GlobalDeliveriesReply } from '../../../schemas/generated.js'
import { deliveriesPage, deliveryQuery } from '../../answers/delivery-record.js'
import { adminRoute } from '../../route.js'

export const listGlobalDeliveries = adminRoute<undefined, GlobalDeliveriesQuery>({
  method: 'GET',
  path: '/globalwebhook/deliveries',
  isSearch: true,
  name: 'listGlobalDeliveries',
  area: 'Administration',
  summary: 'List what waits for the global webhook, what failed, and the newest that was delivered',
  schema: 'globalwebhook/deliveries.json',
  errors: [],
  async handle({ query }, { ports }): Promise<GlobalDeliveriesReply> {
    return deliveriesPage(await ports.webhooks.deliveries(null, deliveryQuery(query)), 'global')
  },
})
