import type { WebhookErrorsQuery, WebhookErrorsReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const listWebhookErrors = instanceRoute<undefined, WebhookErrorsQuery>({
  method: 'GET',
  path: '/webhook/errors',
  name: 'listWebhookErrors',
  area: 'Webhooks',
  scope: 'token',
  summary: 'List the newest failed deliveries to the webhooks of the instance',
  schema: 'webhook/errors.json',
  errors: [],
  async handle({ instance, query }, { ports }): Promise<WebhookErrorsReply> {
    return (await ports.webhooks.errors(instance.id, query.limit ?? 100)) as unknown as WebhookErrorsReply
  },
})
