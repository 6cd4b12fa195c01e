import type { ConnectRequest, LiveStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleStatus } from './example.js'

/** Starts to pair or to connect. Answers when there is a QR, a code or a connection, or after `waitMs`. */
export const connect = operation('connect', {
  // The second command finds the pairing or the connection begun.
  repeat: true,
  waitMs: ({ waitMs }) => waitMs,
  example: exampleStatus,
  async run({ session, journal, pacer }: InstanceContext, command: ConnectRequest): Promise<LiveStatus> {
    const { inUseSinceMs } = command
    if (inUseSinceMs !== undefined) pacer.pairsWith(inUseSinceMs)
    const live = await session.connect(command)
    if (inUseSinceMs === undefined || !live.loggedIn) return live
    // It was paired before.
    await journal.write([
      { type: 'pacing', set: { inUseSinceMs } },
      { type: 'instance', set: {} },
    ])
    await pacer.use({ inUseSinceMs })
    return live
  },
})
