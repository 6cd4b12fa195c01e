import type { BulkInstance, BulkJob, ChangeInstancesReply, ChangeInstancesRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { BulkChange, BulkJobRow, BulkPreview, BulkTarget } from '../../../schemas/ports/bulk-jobs.js'
import { Accepted, adminRoute } from '../../route.js'

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

export const PER_MINUTE = 300

export const changeInstances = adminRoute<ChangeInstancesRequest>({
  method: 'POST',
  path: '/admin/instances/bulk',
  isSearch: true,
  accepts: true,
  name: 'changeInstances',
  area: 'Administration',
  summary: 'Connect, start, stop, disconnect, reset, tag or delete many instances, by ids or a filter, after a dry run',
  schema: 'admin/bulk.json',
  idempotent: 'kept',
  errors: ['SELECTION_CHANGED', 'TOO_MANY_JOBS'],
  async handle({ body, credential: { actor, pass }, note }, { ports }): Promise<ChangeInstancesReply | Accepted> {
    const { ids, filter, dryRun = false, digest, perMinute = PER_MINUTE } = body
    if ((ids === undefined) === (filter === undefined))
      throw invalidField('ids', ids === undefined ? 'is missing: give ids or a filter' : 'cannot be given with filter')
    const change = readChange(body)
    if (dryRun) return bulkReply(await ports.bulkJobs.preview(change, { ids, filter }), null)
    if (digest === undefined) throw invalidField('digest', 'is missing: make a dry run first, and give its digest')
    const start = { digest, perMinute, actor, pass: pass?.id ?? '' }
    const { job, ...preview } = await ports.bulkJobs.start(change, { ids, filter }, start)
    note.subject = job.id
    return new Accepted(bulkReply(preview, job))
  },
})

/** Returns the answer about these instances. */
export function bulkReply({ count, counts, ids, unknown, digest }: BulkPreview, job: BulkJobRow | null) {
  return {
    count,
    counts: { ...counts },
    ids: [...ids],
    unknown: [...unknown],
    digest,
    job: job === null ? null : bulkJobRecord(job),
  }
}

/** @throws GatewayError INVALID_REQUEST for tags that are missing, or of another action */
function readChange({ action, add = [], remove = [] }: ChangeInstancesRequest): BulkChange {
  const hasTags = add.length > 0 || remove.length > 0
  if (action === 'tag' && !hasTags) throw invalidField('add', 'is missing: give tags to add or to remove')
  if (action !== 'tag' && hasTags) throw invalidField(add.length > 0 ? 'add' : 'remove', 'is only for the action tag')
  return { action, add, remove }
}
