import type { CancelJobReply, CancelJobRequest } from '../../../schemas/generated.js'
import { bulkJobRecord } from '../../answers/bulk-record.js'
import { adminRoute } from '../../route.js'

export const cancelJob = adminRoute<CancelJobRequest>({
  method: 'POST',
  path: '/admin/instances/bulk/cancel',
  name: 'cancelJob',
  area: 'Administration',
  summary: 'Cancel a change of many instances; those whose turn has not come stay as they are',
  schema: 'admin/bulk-cancel.json',
  errors: ['JOB_NOT_FOUND'],
  async handle({ body: { id }, note }, { ports }): Promise<CancelJobReply> {
    note.subject = id
    return { job: bulkJobRecord(await ports.bulkJobs.cancel(id)) }
  },
})
