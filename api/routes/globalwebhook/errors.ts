import type { GlobalWebhookErrorsQuery, GlobalWebhookErrorsReply } from '../../../schemas/generated.js'
import { adminRoute } from '../../route.js'

export const listGlobalWebhookErrors = adminRoute<undefined, GlobalWebhookErrorsQuery>({
  method: 'GET',
  path: '/globalwebhook/errors',
  name: 'listGlobalWebhookErrors',
  area: 'Administration',
  summary: 'List the newest failed deliveries to the global webhook',
  schema: 'globalwebhook/errors.json',
  errors: [],
  async handle({ query }, { ports }): Promise<GlobalWebhookErrorsReply> {
    return (await ports.webhooks.errors(null, query.limit ?? 100)) as unknown as GlobalWebhookErrorsReply
  },
})
