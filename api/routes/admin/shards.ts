import type { ShardsReply } from '../../../schemas/generated.js'
import { adminRoute } from '../../route.js'

export const listShards = adminRoute({
  method: 'GET',
  path: '/admin/shards',
  name: 'listShards',
  area: 'Cluster',
  summary: 'List the shards and the nodes that own them',
  schema: 'admin/shards.json',
  errors: [],
  async handle(_call, { ports }): Promise<ShardsReply> {
    const shards = await ports.cluster.shards()
    return {
      shards: shards.map(({ nodeId: node, since, ...shard }) => ({ ...shard, node, since: since.toISOString() })),
    }
  },
})
