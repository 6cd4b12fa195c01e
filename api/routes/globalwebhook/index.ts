import type { Route } from '../../route.js'
import { listGlobalDeadLetters } from './deadletters.js'
import { listGlobalDeliveries } from './deliveries.js'
import { showGlobalDelivery } from './delivery.js'
import { listGlobalWebhookErrors } from './errors.js'
import { getGlobalWebhook } from './get.js'
import { replayGlobalWebhook } from './replay.js'
import { setGlobalWebhook } from './set.js'
import { testGlobalWebhook } from './test.js'

/** Routes of the area, in the order of the documentation. */
export const globalwebhookRoutes: readonly Route[] = [
  getGlobalWebhook,
  setGlobalWebhook,
  listGlobalWebhookErrors,
  listGlobalDeadLetters,
  listGlobalDeliveries,
  showGlobalDelivery,
  replayGlobalWebhook,
  testGlobalWebhook,
]
