import { GatewayError } from '../../../schemas/errors.js'
import type {
  DeadLettersQuery,
  DeadLettersReply,
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryReply,
  ListWebhooksReply,
  ReceiverFiguresQuery,
  ReceiverFiguresReply,
  ReplayWebhookReply,
  ReplayWebhookRequest,
  TestWebhookReply,
  TestWebhookRequest,
  WebhookErrorsQuery,
  WebhookErrorsReply,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { WebhookDirectory } from '../../../schemas/ports/webhooks.js'
import { deadLettersPage } from '../../answers/dead-letter-record.js'
import {
  deliveriesPage,
  deliveryQuery,
  FIGURES_HOURS,
  readDeliveryId,
  receiverFiguresReply,
  shownDelivery,
} from '../../answers/delivery-record.js'
import { replayChoice, replayReply } from '../../answers/replay.js'
import { webhookRecords } from '../../answers/webhook-record.js'
import { instanceRoute, type Route } from '../../route.js'
import { setWebhook } from './set.js'

const replayWebhook = instanceRoute<ReplayWebhookRequest>({
  method: 'POST',
  path: '/webhook/replay',
  name: 'replayWebhook',
  area: 'Webhooks',
  scope: 'token',
  audited: true,
  summary: 'Deliver dead letters again (all of a webhook, or chosen ones), or any kept deliveries',
  schema: 'webhook/replay.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ instance, body, warnings }, { ports }): Promise<ReplayWebhookReply> {
    const choice = replayChoice(body)
    const { webhookId, eventIds, deliveries } = choice
    // Events and deliveries are exact, so they may belong to several webhooks. "all" needs one webhook.
    const isExact = webhookId !== undefined || eventIds !== undefined || deliveries !== undefined
    const one = isExact ? {} : { webhookId: await onlyWebhook(ports.webhooks, instance.id, 'webhookId') }
    return replayReply(await ports.webhooks.replay(instance.id, { ...choice, ...one }), warnings)
  },
})

const listDeadLetters = instanceRoute<undefined, DeadLettersQuery>({
  method: 'GET',
  path: '/webhook/deadletters',
  isSearch: true,
  name: 'listDeadLetters',
  area: 'Webhooks',
  scope: 'token',
  summary: "List the dead letters of the instance's webhooks",
  schema: 'webhook/deadletters.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<DeadLettersReply> {
    const { webhookId, event, from, limit = 100, offset = 0 } = query
    const page = await ports.webhooks.deadLetters(instance.id, {
      ...(webhookId === undefined ? {} : { webhookId }),
      ...(from === undefined ? {} : { diedFrom: new Date(from) }),
      ...(event === undefined ? {} : { kind: event }),
      limit,
      offset,
    })
    return deadLettersPage(page, 'local', limit, offset)
  },
})

const showDelivery = instanceRoute({
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
    return shownDelivery(await ports.webhooks.delivery(instance.id, readDeliveryId(params.id)), 'local')
  },
})

const listDeliveries = instanceRoute<undefined, DeliveriesQuery>({
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

const showReceiverFigures = instanceRoute<undefined, ReceiverFiguresQuery>({
  method: 'GET',
  path: '/webhook/figures',
  isSearch: true,
  name: 'showReceiverFigures',
  area: 'Webhooks',
  scope: 'token',
  summary: 'Show what each webhook of the instance took in the last hours or days, what failed, and how long it took',
  schema: 'webhook/figures.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<ReceiverFiguresReply> {
    const { hours = FIGURES_HOURS, ...which } = query
    return receiverFiguresReply(await ports.webhooks.receiverFigures(instance.id, { ...which, hours }), hours)
  },
})

const testWebhook = instanceRoute<TestWebhookRequest>({
  method: 'POST',
  path: '/webhook/test',
  name: 'testWebhook',
  area: 'Webhooks',
  scope: 'token',
  summary: 'Send a sample to a webhook now, and show the answer of its receiver',
  schema: 'webhook/test.json',
  errors: ['WEBHOOK_NOT_FOUND', 'URL_NOT_ALLOWED', 'FETCH_FAILED'],
  async handle({ instance, body }, { ports }): Promise<TestWebhookReply> {
    return ports.webhooks.test(instance.id, body.id ?? (await onlyWebhook(ports.webhooks, instance.id, 'id')))
  },
})

const listWebhooks = instanceRoute({
  method: 'GET',
  path: '/webhook',
  name: 'listWebhooks',
  area: 'Webhooks',
  scope: 'token',
  summary: 'List the webhooks of the instance',
  schema: 'webhook/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<ListWebhooksReply> {
    return webhookRecords(ports.webhooks, await ports.webhooks.list(instance.id))
  },
})

const listWebhookErrors = instanceRoute<undefined, WebhookErrorsQuery>({
  method: 'GET',
  path: '/webhook/errors',
  name: 'listWebhookErrors',
  area: 'Webhooks',
  scope: 'token',
  summary: 'List the newest failed deliveries to the webhooks of the instance',
  schema: 'webhook/errors.json',
  errors: [],
  async handle({ instance, query }, { ports }): Promise<WebhookErrorsReply> {
    return (await ports.webhooks.errors(instance.id, query.limit ?? 100)) as unknown as WebhookErrorsReply
  },
})

/** Routes of the area, in the order of the documentation. */
export const webhookRoutes: readonly Route[] = [
  listWebhooks,
  setWebhook,
  listWebhookErrors,
  listDeadLetters,
  listDeliveries,
  showDelivery,
  showReceiverFigures,
  replayWebhook,
  testWebhook,
]

/** Returns the webhook of a caller who names none. @throws GatewayError WEBHOOK_NOT_FOUND, INVALID_REQUEST naming `field` */
async function onlyWebhook(webhooks: WebhookDirectory, instance: InstanceId, field: string): Promise<string> {
  const [first, ...more] = await webhooks.list(instance)
  if (first === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND')
  if (more.length > 0) throw invalidField(field, 'is required: the instance has several webhooks')
  return first.id
}
