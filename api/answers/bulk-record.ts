import type { BulkInstance, BulkJob } from '../../schemas/generated.js'
import type { BulkJobRow, BulkTarget } from '../../schemas/ports/bulk-jobs.js'

/** Returns the record of a bulk job for callers. */
export function bulkJobRecord({ position: _, created, started, ended, ...job }: BulkJobRow): BulkJob {
  return {
    ...job,
    add: [...job.add],
    remove: [...job.remove],
    waiting: job.count - job.begun - job.done - job.skipped - job.failed,
    created: created.toISOString(),
    started: started?.toISOString() ?? null,
    ended: ended?.toISOString() ?? null,
  }
}

/** Returns the record of an instance of a bulk job for callers. */
export function bulkInstanceRecord({ position: _, ended, ...target }: BulkTarget): BulkInstance {
  return { ...target, at: ended?.toISOString() ?? null }
}
