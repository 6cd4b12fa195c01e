import { GatewayError } from '../../../schemas/errors.js'
import type { Webhook } from '../../../schemas/generated.js'
import { webhookRecord } from '../../answers/webhook-record.js'
import { adminRoute } from '../../route.js'

export const getGlobalWebhook = adminRoute({
  method: 'GET',
  path: '/globalwebhook',
  name: 'getGlobalWebhook',
  area: 'Administration',
  summary: 'Show the webhook that receives the events of every instance',
  schema: 'globalwebhook/get.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle(_call, { ports }): Promise<Webhook> {
    const [row] = await ports.webhooks.list(null)
    if (row === undefined) throw new GatewayError('WEBHOOK_NOT_FOUND')
    return webhookRecord(ports.webhooks, row)
  },
})
