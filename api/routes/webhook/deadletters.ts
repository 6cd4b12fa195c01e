import type { DeadLettersQuery, DeadLettersReply } from '../../../schemas/generated.js'
import { deadLettersPage } from '../../answers/dead-letter-record.js'
import { instanceRoute } from '../../route.js'

export const listDeadLetters = instanceRoute<undefined, DeadLettersQuery>({
  method: 'GET',
  path: '/webhook/deadletters',
  isSearch: true,
  name: 'listDeadLetters',
  area: 'Webhooks',
  scope: 'token',
  summary: "List the dead letters of the instance's webhooks",
  schema: 'webhook/deadletters.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<DeadLettersReply> {
    const { webhookId, event, from, limit = 100, offset = 0 } = query
    const page = await ports.webhooks.deadLetters(instance.id, {
      ...(webhookId === undefined ? {} : { webhookId }),
      ...(from === undefined ? {} : { diedFrom: new Date(from) }),
      ...(event === undefined ? {} : { kind: event }),
      limit,
      offset,
    })
    return deadLettersPage(page, 'local', limit, offset)
  },
})
