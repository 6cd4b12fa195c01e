import { NO_LIMITS } from '../../../schemas/account-limits.js'
import { limitsReport } from '../../../schemas/limits-report.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Answers with the network's restrictions of the account. Asks the network unless it was asked within the last minute. */
export const showLimits = operation('showLimits', {
  repeat: true,
  example: {
    report: limitsReport(NO_LIMITS, 1),
    isReachable: true,
    checkedAtMs: null,
    errors: {},
  },
  async run({ limits }: InstanceContext) {
    const { limits: known, isFresh, errors } = await limits.check()
    const report = limitsReport(known, Date.now())
    return { report, isReachable: isFresh, checkedAtMs: known.checkedAtMs, errors }
  },
})
