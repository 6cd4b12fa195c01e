import type { GlobalDeadLettersQuery, GlobalDeadLettersReply } from '../../../schemas/generated.js'
import { deadLettersPage } from '../../answers/dead-letter-record.js'
import { adminRoute } from '../../route.js'

export const listGlobalDeadLetters = adminRoute<undefined, GlobalDeadLettersQuery>({
  method: 'GET',
  path: '/globalwebhook/deadletters',
  name: 'listGlobalDeadLetters',
  area: 'Administration',
  summary: 'List the dead letters of the global webhook',
  schema: 'globalwebhook/deadletters.json',
  errors: [],
  async handle({ query: { event, from, limit = 100, offset = 0 } }, { ports }): Promise<GlobalDeadLettersReply> {
    const filter = {
      ...(from === undefined ? {} : { diedFrom: new Date(from) }),
      ...(event === undefined ? {} : { kind: event }),
    }
    const page = await ports.webhooks.deadLetters(null, { ...filter, limit, offset })
    return deadLettersPage(page, 'global', limit, offset)
  },
})
