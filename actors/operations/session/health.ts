import { NO_LIMITS } from '../../../schemas/account-limits.js'
import { limitsReport } from '../../../schemas/limits-report.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { examplePacing, exampleStatus } from './example.js'

const idle = {
  status: 'idle',
  pending: 0,
  processingNow: false,
  acceptingNewMessages: true,
  sessionReady: false,
  resetting: false,
} as const

/** Answers with the health of the instance: its connection, its last signs of life, its queue and the network's restrictions. */
export const health = operation('health', {
  repeat: true,
  example: {
    live: exampleStatus,
    seen: { cause: null, sinceMs: 1, lastInboundAtMs: null, lastAckAtMs: null, lastDecryptErrorAtMs: null },
    queue: idle,
    limits: limitsReport(NO_LIMITS, 1),
    pacing: examplePacing,
    node: 'posthorn-1',
  },
  async run({ session, sends, limits, pacer, health: seen, node }: InstanceContext) {
    const [queue, known, pacing] = await Promise.all([sends.queueStatus(), limits.known(), pacer.report()])
    const report = limitsReport(known, Date.now())
    return { live: session.live(), seen: seen.report(), queue, limits: report, pacing, node }
  },
})
