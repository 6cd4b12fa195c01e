import type { NodesReply } from '../../../schemas/generated.js'
import { nodeRecord, storeStateRecord } from '../../answers/node-record.js'
import { adminRoute } from '../../route.js'

export const listNodes = adminRoute({
  method: 'GET',
  path: '/admin/nodes',
  name: 'listNodes',
  area: 'Cluster',
  summary: 'List the nodes of the cluster',
  schema: 'admin/nodes.json',
  errors: [],
  async handle(_call, { ports }): Promise<NodesReply> {
    return { nodes: (await ports.cluster.nodes()).map(nodeRecord), store: storeStateRecord(ports.cluster.store()) }
  },
})
