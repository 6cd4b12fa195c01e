import type { LiveStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleStatus } from './example.js'

/** Drops the socket and connects again with the same credentials. */
export const reset = operation('reset', {
  // At worst there is one more login, and the caller wanted a new one.
  repeat: true,
  example: exampleStatus,
  run: async ({ session }: InstanceContext): Promise<LiveStatus> => session.reset(),
})
