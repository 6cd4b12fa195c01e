import type { FindInstancesReply, FindInstancesRequest } from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute } from '../../route.js'

export const findInstances = adminRoute<FindInstancesRequest>({
  method: 'POST',
  path: '/instance/find',
  isSearch: true,
  audited: false,
  name: 'findInstances',
  area: 'Administration',
  summary: 'Search the instances, page by page, with their numbers by status',
  reads: true,
  schema: 'instance/find.json',
  errors: [],
  async handle({ body }, { ports, options }): Promise<FindInstancesReply> {
    const { filter = {}, sort = '-created', limit = 100, cursor } = body
    const { instances, next, counts } = await ports.instances.find({
      filter,
      sort: sort.endsWith('name') ? 'name' : 'created',
      isDescending: sort.startsWith('-'),
      limit,
      cursor,
    })
    const records = await Promise.all(instances.map(({ instance }) => instanceRecord(instance, options)))
    return {
      instances: instances.map(({ instance, node, isPaired, lastActivityAt, since, waiting }, index) => ({
        instance: records[index] as (typeof records)[number],
        node: node ?? '',
        wanted: instance.desiredConnected,
        paired: isPaired,
        exported: instance.isExported,
        lastActivity: lastActivityAt?.toISOString() ?? null,
        since: since?.toISOString() ?? null,
        waitingSends: waiting,
      })),
      next,
      counts: counts === null ? null : { ...counts },
    }
  },
})
