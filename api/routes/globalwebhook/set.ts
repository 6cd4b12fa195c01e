import type { SetGlobalWebhookRequest, Webhook } from '../../../schemas/generated.js'
import { webhookInput, webhookRecord } from '../../answers/webhook-record.js'
import { adminRoute } from '../../route.js'

export const setGlobalWebhook = adminRoute<SetGlobalWebhookRequest>({
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
