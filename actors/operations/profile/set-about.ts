import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

/** Sets the about text that others see; an empty one removes it. `updatedAtMs`: Unix milliseconds. */
export const setProfileStatus = operation('setProfileStatus', {
  repeat: true,
  example: { updatedAtMs: 1 },
  async run(context: InstanceContext, { text }: { readonly text: string }) {
    const connection = await context.connection()
    await orUnknown(() => connection.settings.setAbout(text))
    return { updatedAtMs: Date.now() }
  },
})
