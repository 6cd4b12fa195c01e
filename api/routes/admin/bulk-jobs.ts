import type { ShowJobQuery, ShowJobReply } from '../../../schemas/generated.js'
import { bulkInstanceRecord, bulkJobRecord } from '../../answers/bulk-record.js'
import { adminRoute } from '../../route.js'

export const showJob = adminRoute<undefined, ShowJobQuery>({
  method: 'GET',
  path: '/admin/instances/bulk',
  name: 'showJob',
  area: 'Administration',
  summary: 'Show how far a change of many instances has come, with the outcome of each; without `id`, list the jobs',
  schema: 'admin/bulk-jobs.json',
  errors: ['JOB_NOT_FOUND'],
  async handle({ query: { id, outcome, limit = 100, cursor } }, { ports: { bulkJobs } }): Promise<ShowJobReply> {
    if (id === undefined) {
      const jobs = await bulkJobs.list(limit + 1, cursor)
      return { jobs: jobs.slice(0, limit).map(bulkJobRecord), instances: [], next: nextOf(jobs, limit) }
    }
    const job = await bulkJobs.find(id)
    const targets = await bulkJobs.targets(id, { limit: limit + 1, after: cursor, outcome })
    const instances = targets.slice(0, limit).map(bulkInstanceRecord)
    return { jobs: [bulkJobRecord(job)], instances, next: nextOf(targets, limit) }
  },
})

/** Returns the place of the last row of a page, if there is a row after it. */
function nextOf(rows: readonly { readonly position: number }[], limit: number): number | null {
  return rows.length > limit ? (rows[limit - 1]?.position ?? null) : null
}
