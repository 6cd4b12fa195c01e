import { GatewayError } from '../../../schemas/errors.js'
import type { TestWebhookReply, TestWebhookRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { WebhookDirectory } from '../../ports.js'
import { instanceRoute } from '../../route.js'

export const testWebhook = instanceRoute<TestWebhookRequest>({
  method: 'POST',
  path: '/webhook/test',
  name: 'testWebhook',
  area: 'Webhooks',
  summary: 'Send a sample to a webhook now, and tell what its receiver answered',
  schema: 'webhook/test.json',
  errors: ['WEBHOOK_NOT_FOUND', 'URL_NOT_ALLOWED', 'FETCH_FAILED'],
  async handle({ instance, body }, { ports }): Promise<TestWebhookReply> {
    return ports.webhooks.test(instance.id, body.id ?? (await onlyWebhook(ports.webhooks, instance.id)))
  },
})

async function onlyWebhook(webhooks: WebhookDirectory, instance: InstanceId): Promise<string> {
  const [first, ...more] = await webhooks.list(instance)
  if (first === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND')
  if (more.length > 0) {
    throw new GatewayError('INVALID_REQUEST', {
      message: 'Invalid request: id is required: the instance has several webhooks.',
      details: [{ field: 'id', why: 'is required: the instance has several webhooks' }],
    })
  }
  return first.id
}
