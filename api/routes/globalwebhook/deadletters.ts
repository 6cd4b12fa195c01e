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
  async handle({ query: { from, limit = 100, offset = 0 } }, { ports }): Promise<GlobalDeadLettersReply> {
    const diedFrom = from === undefined ? {} : { diedFrom: new Date(from) }
    const page = await ports.webhooks.deadLetters(null, { ...diedFrom, limit, offset })
    return deadLettersPage(page, 'global', limit, offset)
  },
})
