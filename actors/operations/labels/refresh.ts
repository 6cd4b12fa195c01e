import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

/** Reads the labels of the account, and to which chats they belong, again. `isWhole`: all of them, and not only what changed. */
export const refreshLabels = operation('refreshLabels', {
  repeat: true,
  example: { isWhole: true },
  async run(context: InstanceContext, { isWhole }: { readonly isWhole: boolean }) {
    const connection = await context.connection()
    await orUnknown(() => connection.settings.refreshLabels(isWhole))
    await context.journal.settled()
    return { isWhole }
  },
})
