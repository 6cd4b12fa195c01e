import type { RestartConnectionsReply, RestartConnectionsRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { BulkChange } from '../../../schemas/ports/bulk-jobs.js'
import { Accepted, adminRoute } from '../../route.js'
import { bulkReply, PER_MINUTE } from './bulk.js'

const RESTART: BulkChange = { action: 'restart', add: [], remove: [] }

export const restartConnections = adminRoute<RestartConnectionsRequest>({
  method: 'POST',
  path: '/admin/restart',
  isSearch: true,
  accepts: true,
  name: 'restartConnections',
  area: 'Administration',
  summary: 'Close and open again the connections of all instances, or of some, a few at a time',
  schema: 'admin/restart.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_JOBS'],
  async handle({ body, credential: { actor, pass }, note }, { ports }): Promise<RestartConnectionsReply | Accepted> {
    const { ids, filter, nodes, dryRun = false, perMinute = PER_MINUTE } = body
    if (ids !== undefined && filter !== undefined) throw invalidField('ids', 'cannot be given with filter')
    const selection = { ids, filter, nodes }
    if (dryRun) {
      const preview = await ports.bulkJobs.preview(RESTART, selection)
      return { message: `${preview.count} connections would be restarted.`, ...bulkReply(preview, null) }
    }
    const start = { digest: null, perMinute, actor, pass: pass?.id ?? '' }
    const { job, ...preview } = await ports.bulkJobs.start(RESTART, selection, start)
    note.subject = job.id
    return new Accepted({ message: `${preview.count} connections are being restarted.`, ...bulkReply(preview, job) })
  },
})
