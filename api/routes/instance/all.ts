import type { AllInstancesReply } from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute } from '../../route.js'

export const listInstances = adminRoute({
  method: 'GET',
  path: '/instance/all',
  name: 'listInstances',
  area: 'Administration',
  summary: 'List all instances',
  schema: 'instance/all.json',
  errors: [],
  async handle(_call, { ports, options }): Promise<AllInstancesReply> {
    const rows = await ports.instances.all()
    return Promise.all(rows.map((row) => instanceRecord(row, options)))
  },
})
