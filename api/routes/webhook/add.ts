import { GatewayError } from '../../../schemas/errors.js'
import type { SetWebhookRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { WebhookDirectory } from '../../../schemas/ports/webhooks.js'
import { webhookInput } from '../../answers/webhook-record.js'

/** Adds the webhook. @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED */
export async function addWebhook(
  webhooks: WebhookDirectory,
  instance: InstanceId | null,
  body: SetWebhookRequest,
): Promise<{ id: string; secret: string }> {
  const { url } = body
  if (url === undefined) {
    throw new GatewayError('INVALID_REQUEST', {
      message: 'Invalid request: url is required.',
      details: [{ field: 'url', why: 'is required' }],
    })
  }
  const { webhook, secret } = await webhooks.add(instance, { ...webhookInput(body), url })
  return { id: webhook.id, secret }
}
