import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { StoredWebhook, WebhookRows } from '../store/webhooks.js'

/** Returns one webhook of a scope, or all. @throws GatewayError WEBHOOK_NOT_FOUND */
export async function webhooksOf(
  rows: Pick<WebhookRows, 'list'>,
  instance: InstanceId | null,
  id?: string,
): Promise<readonly StoredWebhook[]> {
  const all = await rows.list(instance)
  if (id === undefined) return all
  const own = all.filter((webhook) => webhook.id === id.toLowerCase())
  if (own.length === 0) throw new GatewayError('WEBHOOK_NOT_FOUND')
  return own
}

export function idsOf(webhooks: readonly StoredWebhook[]): string[] {
  return webhooks.map(({ id }) => id)
}
