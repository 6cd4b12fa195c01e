import type { TestWebhookReply, TestWebhookRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { onlyWebhook } from './only-webhook.js'

export const testWebhook = instanceRoute<TestWebhookRequest>({
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
