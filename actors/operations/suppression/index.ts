import { storedOptOutWords } from '../../../schemas/opt-out.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface SetOptOutWordsFields {
  readonly words: readonly string[]
}

/** Replaces the words by which people opt out of campaigns. None: nobody can. Needs no connection. */
const setOptOutWords = operation('setOptOutWords', {
  repeat: true,
  example: { words: ['stop'] as readonly string[] },
  async run({ optOuts, journal }: InstanceContext, { words }: SetOptOutWordsFields) {
    await journal.write([{ type: 'instance', set: { optOutWords: storedOptOutWords(words) } }])
    optOuts.use(words)
    return { words }
  },
})

/** Shows the words by which people opt out of campaigns. Needs no connection. */
const showOptOutWords = operation('showOptOutWords', {
  repeat: true,
  example: { words: ['stop'] as readonly string[] },
  run: async ({ optOuts }: InstanceContext) => ({ words: await optOuts.words() }),
})

export const suppressionOperations = [showOptOutWords, setOptOutWords] as const
