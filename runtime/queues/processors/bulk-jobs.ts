import type { BulkWork, ChangeInstance } from '../bulk-ports.js'
import { runBulkJobs } from '../bulk-run.js'
import type { Processor } from '../processor.js'

/** Time after which another node takes over the changes of a node that has died. */
const CLAIM_MS = 15_000
const RETRY_MS = 5_000

/** Changes many instances, one after the other. `startWork` makes the rows of the jobs accessible to one run. */
export function bulkJobsJob(name: string, startWork: () => BulkWork, change: ChangeInstance): Processor {
  return {
    name,
    everyMs: null,
    claimMs: CLAIM_MS,
    retryMs: RETRY_MS,
    async run(signal) {
      await runBulkJobs(startWork(), change, signal)
      return {}
    },
  }
}
