import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Shows the words by which people opt out of campaigns. Needs no connection. */
export const showOptOutWords = operation('showOptOutWords', {
  repeat: true,
  example: { words: ['stop'] as readonly string[] },
  run: async ({ optOuts }: InstanceContext) => ({ words: await optOuts.words() }),
})
