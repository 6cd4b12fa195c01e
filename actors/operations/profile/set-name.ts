import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

/** Sets the name that others see. `updatedAtMs`: Unix milliseconds. */
export const setProfileName = operation('setProfileName', {
  repeat: true,
  example: { updatedAtMs: 1 },
  async run(context: InstanceContext, { name }: { readonly name: string }) {
    const connection = await context.connection()
    await orUnknown(() => connection.settings.change({ kind: 'profileName', name }))
    await context.journal.write([{ type: 'instance', set: { profileName: name } }])
    context.account.profileName = name
    return { updatedAtMs: Date.now() }
  },
})
