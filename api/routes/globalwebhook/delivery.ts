import type { GlobalDeliveryReply } from '../../../schemas/generated.js'
import { deliveryIdOf, shownDelivery } from '../../answers/delivery-record.js'
import { adminRoute } from '../../route.js'

export const showGlobalDelivery = adminRoute({
  method: 'GET',
  path: '/globalwebhook/deliveries/:id',
  isSearch: true,
  name: 'showGlobalDelivery',
  area: 'Administration',
  summary: 'Show a delivery to the global webhook with its attempts',
  schema: 'globalwebhook/delivery.json',
  errors: ['DELIVERY_NOT_FOUND'],
  async handle({ params }, { ports }): Promise<GlobalDeliveryReply> {
    return shownDelivery(await ports.webhooks.delivery(null, deliveryIdOf(params.id)), 'global')
  },
})
