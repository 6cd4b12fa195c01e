import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { WebhookDirectory } from '../../../schemas/ports/webhooks.js'

/** Returns the webhook of a caller who names none. @throws GatewayError WEBHOOK_NOT_FOUND, INVALID_REQUEST naming `field` */
export async function onlyWebhook(webhooks: WebhookDirectory, instance: InstanceId, field: string): Promise<string> {
  const [first, ...more] = await webhooks.list(instance)
  if (first === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND')
  if (more.length > 0) throw invalidField(field, 'is required: the instance has several webhooks')
  return first.id
}
