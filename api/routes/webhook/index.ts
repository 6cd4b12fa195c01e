import type { Route } from '../../route.js'
import { listDeadLetters } from './deadletters.js'
import { listDeliveries } from './deliveries.js'
import { showDelivery } from './delivery.js'
import { listWebhookErrors } from './errors.js'
import { listWebhooks } from './list.js'
import { replayWebhook } from './replay.js'
import { setWebhook } from './set.js'
import { testWebhook } from './test.js'

/** Routes of the area, in the order of the documentation. */
export const webhookRoutes: readonly Route[] = [
  listWebhooks,
  setWebhook,
  listWebhookErrors,
  listDeadLetters,
  listDeliveries,
  showDelivery,
  replayWebhook,
  testWebhook,
]
