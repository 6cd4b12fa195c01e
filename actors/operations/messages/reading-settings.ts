/** Settings for reading messages automatically, and for the history that a pairing asks for. */
import type { ReadingSettings } from '../../../schemas/reading-settings.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

const NONE: ReadingSettings = { readMessages: false, readStatus: false, fullHistory: false }

/** Shows the settings. Needs no connection. */
export const showReadingSettings = operation('showReadingSettings', {
  repeat: true,
  example: NONE,
  run: ({ automaticReading }: InstanceContext) => automaticReading.settings(),
})

/** Changes the settings. Those that are not named stay. Needs no connection. */
export const setReadingSettings = operation('setReadingSettings', {
  repeat: true,
  example: NONE,
  async run({ automaticReading, journal }: InstanceContext, { set }: { readonly set: Partial<ReadingSettings> }) {
    const after: ReadingSettings = { ...(await automaticReading.settings()), ...set }
    await journal.write([{ type: 'instance', set: { readingSettings: JSON.stringify(after) } }])
    automaticReading.use(after)
    return after
  },
})
