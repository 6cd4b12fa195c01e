import { GatewayError } from '../../../schemas/errors.js'
import type { CancelExportReply, CancelExportRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute } from '../../route.js'

export const cancelExport = adminRoute<CancelExportRequest>({
  method: 'POST',
  path: '/admin/instance/export/cancel',
  name: 'cancelExport',
  area: 'Administration',
  summary: 'Keep an exported instance, if nobody imported its file',
  schema: 'admin/cancel-export.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ body: { id }, note }, { ports, options }): Promise<CancelExportReply> {
    note.subject = id
    await ports.transfer.unmark(id as InstanceId)
    const row = await ports.instances.byId(id as InstanceId)
    if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: await instanceRecord(row, options) }
  },
})
