import type { LiveStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleStatus } from './example.js'

/** Ends the connection and keeps the pairing. Only a command connects again. */
export const stopInstance = operation('stopInstance', {
  // The second command finds the connection ended.
  repeat: true,
  example: exampleStatus,
  run: ({ session }: InstanceContext): Promise<LiveStatus> => session.stop(),
})

/**
 * Connects with the stored pairing. Answers when there is a connection, or after `waitMs`.
 * @throws GatewayError INSTANCE_NOT_PAIRED
 */
export const startInstance = operation('startInstance', {
  // The second command finds the connection begun.
  repeat: true,
  waitMs: ({ waitMs }) => waitMs,
  example: exampleStatus,
  run: ({ session }: InstanceContext, { waitMs }: { readonly waitMs: number }): Promise<LiveStatus> =>
    session.start(waitMs),
})
