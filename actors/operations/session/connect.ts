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
    if (inUseSinceMs === undefined) return await session.connect(command)
    // Stored before the pairing begins: another node may own the instance when the phone scans.
    const offered = { offeredSinceMs: inUseSinceMs }
    await journal.write([{ type: 'pacing', set: offered }])
    await pacer.use(offered)
    const live = await session.connect(command)
    if (!live.loggedIn) return live
    // It was paired before.
    const set = { inUseSinceMs, offeredSinceMs: null }
    await journal.write([
      { type: 'pacing', set },
      { type: 'instance', set: {} },
    ])
    await pacer.use(set)
    return live
  },
})
