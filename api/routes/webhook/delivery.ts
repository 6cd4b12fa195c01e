import type { DeliveryReply } from '../../../schemas/generated.js'
import { deliveryIdOf, shownDelivery } from '../../answers/delivery-record.js'
import { instanceRoute } from '../../route.js'

export const showDelivery = instanceRoute({
  method: 'GET',
  path: '/webhook/deliveries/:id',
  isSearch: true,
  name: 'showDelivery',
  area: 'Webhooks',
  scope: 'token',
  summary: 'Show a delivery with its attempts: what was sent, and what the receiver answered',
  schema: 'webhook/delivery.json',
  errors: ['DELIVERY_NOT_FOUND'],
  async handle({ instance, params }, { ports }): Promise<DeliveryReply> {
    return shownDelivery(await ports.webhooks.delivery(instance.id, deliveryIdOf(params.id)), 'local')
  },
})
