import type { ListWebhooksReply } from '../../../schemas/generated.js'
import { webhookRecords } from '../../answers/webhook-record.js'
import { instanceRoute } from '../../route.js'

export const listWebhooks = instanceRoute({
  method: 'GET',
  path: '/webhook',
  name: 'listWebhooks',
  area: 'Webhooks',
  scope: 'token',
  summary: 'List the webhooks of the instance',
  schema: 'webhook/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<ListWebhooksReply> {
    return webhookRecords(ports.webhooks, await ports.webhooks.list(instance.id))
  },
})
