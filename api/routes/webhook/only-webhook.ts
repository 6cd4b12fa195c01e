import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { WebhookDirectory } from '../../../schemas/ports/webhooks.js'

/** Returns the webhook of a caller who names none. @throws GatewayError WEBHOOK_NOT_FOUND, INVALID_REQUEST naming `field` */
export async function onlyWebhook(webhooks: WebhookDirectory, instance: InstanceId, field: string): Promise<string> {
  const [first, ...more] = await webhooks.list(instance)
  if (first === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND')
  if (more.length > 0) {
    const why = 'is required: the instance has several webhooks'
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: ${field} ${why}.`,
      details: [{ field, why }],
    })
  }
  return first.id
}
