import { NO_LIMITS } from '../../../schemas/account-limits.js'
import { limitsReport } from '../../../schemas/limits-report.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { examplePacing } from './example.js'

/** Answers with the network's restrictions of the account. Asks the network unless it was asked within the last minute. */
export const showLimits = operation('showLimits', {
  repeat: true,
  example: {
    report: limitsReport(NO_LIMITS, 1),
    isReachable: true,
    checkedAtMs: null,
    errors: {},
    pacing: examplePacing,
  },
  async run({ limits, pacer }: InstanceContext) {
    const { limits: known, isFresh, errors } = await limits.check()
    const pacing = await pacer.report()
    const report = limitsReport(known, Date.now())
    return { report, isReachable: isFresh, checkedAtMs: known.checkedAtMs, errors, pacing }
  },
})
