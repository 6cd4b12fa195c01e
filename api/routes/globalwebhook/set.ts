import { GatewayError } from '../../../schemas/errors.js'
import type { SetGlobalWebhookRequest, Webhook } from '../../../schemas/generated.js'
import { webhookInput, webhookRecord } from '../../answers/webhook-record.js'
import { adminRoute } from '../../route.js'
import { addWebhook } from '../webhook/add.js'

export const setGlobalWebhook = adminRoute<SetGlobalWebhookRequest>({
  method: 'POST',
  path: '/globalwebhook',
  name: 'setGlobalWebhook',
  area: 'Administration',
  summary: 'Make or change the webhook that receives the events of every instance',
  schema: 'globalwebhook/set.json',
  errors: ['URL_NOT_ALLOWED'],
  async handle({ body }, { ports }): Promise<Webhook> {
    const [first] = await ports.webhooks.list(null)
    if (first !== undefined) return webhookRecord(await ports.webhooks.update(null, first.id, webhookInput(body)))
    const made = await addWebhook(ports.webhooks, null, body)
    const row = (await ports.webhooks.list(null)).find(({ id }) => id === made.id)
    if (row === undefined)
      throw new GatewayError('WEBHOOK_NOT_FOUND', { message: 'The webhook was deleted meanwhile.' })
    return webhookRecord(row, made.secret)
  },
})
