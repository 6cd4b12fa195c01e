import { GatewayError } from '../../../schemas/errors.js'
import type { SetWebhookReply, SetWebhookRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { WebhookDirectory, WebhookRow } from '../../../schemas/ports/webhooks.js'
import { webhookInput, webhookRecords } from '../../answers/webhook-record.js'
import { instanceRoute } from '../../route.js'

/** Adds the webhook. @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED */
async function addWebhook(
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

export const setWebhook = instanceRoute<SetWebhookRequest>({
  method: 'POST',
  path: '/webhook',
  name: 'setWebhook',
  area: 'Webhooks',
  scope: 'token',
  audited: true,
  summary: 'Set, add, update or delete a webhook of the instance',
  schema: 'webhook/set.json',
  idempotent: 'kept',
  errors: ['WEBHOOK_NOT_FOUND', 'URL_NOT_ALLOWED', 'TOKEN_NOT_KEPT'],
  async handle({ instance, body }, { ports }): Promise<SetWebhookReply> {
    const made = await apply(ports.webhooks, instance.id, body)
    return webhookRecords(ports.webhooks, await ports.webhooks.list(instance.id), made)
  },
})

/** Returns the id and secret of a webhook that was made. */
async function apply(
  webhooks: WebhookDirectory,
  instance: InstanceId,
  body: SetWebhookRequest,
): Promise<{ id: string; secret: string } | null> {
  const action = body.action ?? (body.id === undefined ? 'set' : 'update')
  switch (action) {
    case 'add':
      return addWebhook(webhooks, instance, body)
    case 'update':
      await webhooks.update(instance, needId(body), webhookInput(body))
      return null
    case 'delete':
      await webhooks.delete(instance, needId(body))
      return null
    case 'set':
      return madeBy(await webhooks.setOnly(instance, webhookInput(body)))
  }
}

function madeBy({ webhook, secret }: { webhook: WebhookRow; secret?: string }): { id: string; secret: string } | null {
  return secret === undefined ? null : { id: webhook.id, secret }
}

function needId({ id }: SetWebhookRequest): string {
  if (id === undefined) throw invalidField('id', 'is required')
  return id
}
