import type { OptOutWordsReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const showOptOutWords = instanceRoute({
  method: 'GET',
  path: '/sender/suppression/words',
  name: 'showOptOutWords',
  area: 'Campaign',
  scope: 'token',
  summary: 'Show the words by which people opt out of campaigns',
  schema: 'suppression/words.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<OptOutWordsReply> {
    return { words: [...(await ports.router.ask(instance.id, { type: 'showOptOutWords' })).words] }
  },
})
