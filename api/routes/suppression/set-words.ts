import type { OptOutWordsReply, SetOptOutWordsRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { plainWord } from '../../../schemas/opt-out.js'
import { instanceRoute } from '../../route.js'

export const setOptOutWords = instanceRoute<SetOptOutWordsRequest>({
  method: 'POST',
  path: '/sender/suppression/words',
  name: 'setOptOutWords',
  area: 'Campaign',
  scope: 'token',
  summary: 'Choose the words by which people opt out of campaigns',
  schema: 'suppression/set-words.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<OptOutWordsReply> {
    const plain = body.words.map(plainWord)
    const blank = plain.indexOf('')
    if (blank >= 0) throw invalidField(`words[${blank}]`, 'must have a letter or a digit')
    const { words } = await ports.router.ask(instance.id, { type: 'setOptOutWords', words: [...new Set(plain)] })
    return { words: [...words] }
  },
})
