import type { LiveStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleStatus } from './example.js'

/** Makes the connection, or the pairing that is under way, again on the stored way to the network: its proxy has changed. */
export const renewRoute = operation('renewRoute', {
  // At worst there is one more login.
  repeat: true,
  example: exampleStatus,
  run: async ({ session }: InstanceContext): Promise<LiveStatus> => session.renewRoute(),
})
