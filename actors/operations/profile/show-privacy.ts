import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

/** Reads the privacy settings from the network. A change on another device counts at once. */
export const showPrivacy = operation('showPrivacy', {
  repeat: true,
  example: { settings: { last: 'contacts' }, disappearingSeconds: 0 },
  async run(context: InstanceContext) {
    const connection = await context.connection()
    return await orUnknown(() => connection.settings.privacy())
  },
})
