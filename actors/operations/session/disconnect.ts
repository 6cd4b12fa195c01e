import type { LiveStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleStatus } from './example.js'

/** Ends the session: logs out when connected, and forgets the credentials. A new pairing is needed afterwards. */
export const disconnect = operation('disconnect', {
  // The second command finds the session ended.
  repeat: true,
  example: exampleStatus,
  run: ({ session }: InstanceContext): Promise<LiveStatus> => session.disconnect(),
})
