import { GatewayError } from '../../../schemas/errors.js'
import type {
  GlobalDeadLettersQuery,
  GlobalDeadLettersReply,
  GlobalDeliveriesQuery,
  GlobalDeliveriesReply,
  GlobalDeliveryReply,
  GlobalReceiverFiguresQuery,
  GlobalReceiverFiguresReply,
  GlobalWebhookErrorsQuery,
  GlobalWebhookErrorsReply,
  ReplayGlobalWebhookReply,
  ReplayGlobalWebhookRequest,
  SetGlobalWebhookRequest,
  TestGlobalWebhookRequest,
  TestWebhookReply,
  Webhook,
} from '../../../schemas/generated.js'
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
import { webhookInput, webhookRecord } from '../../answers/webhook-record.js'
import { adminRoute, type Route } from '../../route.js'

const listGlobalDeadLetters = adminRoute<undefined, GlobalDeadLettersQuery>({
  method: 'GET',
  path: '/globalwebhook/deadletters',
  name: 'listGlobalDeadLetters',
  area: 'Administration',
  summary: 'List the dead letters of the global webhook',
  schema: 'globalwebhook/deadletters.json',
  errors: [],
  async handle({ query: { event, from, limit = 100, offset = 0 } }, { ports }): Promise<GlobalDeadLettersReply> {
    const filter = {
      ...(from === undefined ? {} : { diedFrom: new Date(from) }),
      ...(event === undefined ? {} : { kind: event }),
    }
    const page = await ports.webhooks.deadLetters(null, { ...filter, limit, offset })
    return deadLettersPage(page, 'global', limit, offset)
  },
})

const setGlobalWebhook = adminRoute<SetGlobalWebhookRequest>({
  method: 'POST',
  path: '/globalwebhook',
  name: 'setGlobalWebhook',
  area: 'Administration',
  summary: 'Create or change the webhook that receives the events of every instance',
  schema: 'globalwebhook/set.json',
  errors: ['URL_NOT_ALLOWED', 'TOKEN_NOT_KEPT'],
  async handle({ body, warnings }, { ports }): Promise<Webhook> {
    const { webhook, secret } = await ports.webhooks.setOnly(null, webhookInput(body))
    const { warnings: ofEvents = [], ...record } = await webhookRecord(ports.webhooks, webhook, secret)
    warnings.push(...ofEvents)
    return record
  },
})

const getGlobalWebhook = adminRoute({
  method: 'GET',
  path: '/globalwebhook',
  name: 'getGlobalWebhook',
  area: 'Administration',
  summary: 'Show the webhook that receives the events of every instance',
  schema: 'globalwebhook/get.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle(_call, { ports }): Promise<Webhook> {
    const [row] = await ports.webhooks.list(null)
    if (row === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND')
    return webhookRecord(ports.webhooks, row)
  },
})

const testGlobalWebhook = adminRoute<TestGlobalWebhookRequest>({
  method: 'POST',
  path: '/globalwebhook/test',
  name: 'testGlobalWebhook',
  area: 'Administration',
  summary: 'Send a sample to the global webhook now, and show the answer of its receiver',
  schema: 'globalwebhook/test.json',
  errors: ['WEBHOOK_NOT_FOUND', 'URL_NOT_ALLOWED', 'FETCH_FAILED'],
  async handle(_call, { ports }): Promise<TestWebhookReply> {
    const [webhook] = await ports.webhooks.list(null)
    if (webhook === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND')
    return ports.webhooks.test(null, webhook.id)
  },
})

const showGlobalDelivery = adminRoute({
  method: 'GET',
  path: '/globalwebhook/deliveries/:id',
  isSearch: true,
  name: 'showGlobalDelivery',
  area: 'Administration',
  summary: 'Show a delivery to the global webhook with its attempts',
  schema: 'globalwebhook/delivery.json',
  errors: ['DELIVERY_NOT_FOUND'],
  async handle({ params }, { ports }): Promise<GlobalDeliveryReply> {
    return shownDelivery(await ports.webhooks.delivery(null, readDeliveryId(params.id)), 'global')
  },
})

const listGlobalDeliveries = adminRoute<undefined, GlobalDeliveriesQuery>({
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

const showGlobalReceiverFigures = adminRoute<undefined, GlobalReceiverFiguresQuery>({
  method: 'GET',
  path: '/globalwebhook/figures',
  isSearch: true,
  name: 'showGlobalReceiverFigures',
  area: 'Administration',
  summary: 'Show what the global webhook took in the last hours or days, what failed, and how long it took',
  schema: 'globalwebhook/figures.json',
  errors: [],
  async handle({ query: { hours = FIGURES_HOURS } }, { ports }): Promise<GlobalReceiverFiguresReply> {
    return receiverFiguresReply(await ports.webhooks.receiverFigures(null, { hours }), hours)
  },
})

const replayGlobalWebhook = adminRoute<ReplayGlobalWebhookRequest>({
  method: 'POST',
  path: '/globalwebhook/replay',
  name: 'replayGlobalWebhook',
  area: 'Administration',
  summary: 'Deliver dead letters of the global webhook again (all, or chosen ones), or any kept deliveries',
  schema: 'globalwebhook/replay.json',
  errors: [],
  async handle({ body, warnings }, { ports }): Promise<ReplayGlobalWebhookReply> {
    return replayReply(await ports.webhooks.replay(null, replayChoice(body)), warnings)
  },
})

const listGlobalWebhookErrors = adminRoute<undefined, GlobalWebhookErrorsQuery>({
  method: 'GET',
  path: '/globalwebhook/errors',
  name: 'listGlobalWebhookErrors',
  area: 'Administration',
  summary: 'List the newest failed deliveries to the global webhook',
  schema: 'globalwebhook/errors.json',
  errors: [],
  async handle({ query }, { ports }): Promise<GlobalWebhookErrorsReply> {
    return (await ports.webhooks.errors(null, query.limit ?? 100)) as unknown as GlobalWebhookErrorsReply
  },
})

/** Routes of the area, in the order of the documentation. */
export const globalwebhookRoutes: readonly Route[] = [
  getGlobalWebhook,
  setGlobalWebhook,
  listGlobalWebhookErrors,
  listGlobalDeadLetters,
  listGlobalDeliveries,
  showGlobalDelivery,
  showGlobalReceiverFigures,
  replayGlobalWebhook,
  testGlobalWebhook,
]
