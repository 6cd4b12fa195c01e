import { GatewayError } from '../../../schemas/errors.js'
import type { TestGlobalWebhookRequest, TestWebhookReply } from '../../../schemas/generated.js'
import { adminRoute } from '../../route.js'

export const testGlobalWebhook = adminRoute<TestGlobalWebhookRequest>({
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
