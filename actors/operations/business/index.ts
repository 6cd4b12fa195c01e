import type { OrderDetails } from '../../../schemas/business-profile.js'
import { GatewayError } from '../../../schemas/errors.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import {
  addProductOperation,
  changeProductOperation,
  deleteProductOperation,
  hideProductOperation,
  listCatalogOperation,
  showProductOperation,
} from './catalog.js'
import {
  changeBusinessProfileOperation,
  listBusinessCategoriesOperation,
  showBusinessProfileOperation,
} from './profile.js'

interface ShownOrder extends OrderDetails {
  readonly orderId: string
  readonly messageid: string
}

/** Answers with the products of an order that a customer sent. Its id and token are in the message. */
const showOrder = operation('showOrder', {
  repeat: true,
  example: ({ id }: { readonly id: string }): ShownOrder => ({
    orderId: '900000000000001',
    messageid: id,
    total: 10_000,
    currency: 'BRL',
    products: [],
  }),
  async run(context: InstanceContext, { id }: { readonly id: string }): Promise<ShownOrder> {
    const [message] = await context.reader.messagesNamed(context.id, [id])
    if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    const { business, messages } = await context.connection()
    const order = message.proto === null ? null : messages.orderIn(message.proto)
    if (order === null) throw new GatewayError('MESSAGE_NOT_FOUND', { message: 'The message has no order.' })
    const details = await orUnknown(() => business.order(order.id, order.token))
    return { ...details, orderId: order.id, messageid: message.messageid }
  },
})

export const businessOperations = [
  addProductOperation,
  changeBusinessProfileOperation,
  changeProductOperation,
  deleteProductOperation,
  hideProductOperation,
  listBusinessCategoriesOperation,
  listCatalogOperation,
  showBusinessProfileOperation,
  showOrder,
  showProductOperation,
] as const
