import { GatewayError } from '../../../schemas/errors.js'
import type { DrainNodeReply } from '../../../schemas/generated.js'
import { isNodeOf } from '../../../schemas/node-names.js'
import { nodeRecord } from '../../answers/node-record.js'
import { adminRoute } from '../../route.js'

export const drainNode = adminRoute({
  method: 'POST',
  path: '/admin/nodes/:id/drain',
  name: 'drainNode',
  area: 'Cluster',
  summary: 'Move all instances away from a node; it stays up and takes instances again after a restart',
  schema: 'admin/drain.json',
  errors: ['NODE_NOT_FOUND'],
  async handle({ params, warnings }, { ports }): Promise<DrainNodeReply> {
    const isKnown = await ports.cluster.drain(params.id ?? '')
    const living = (await ports.cluster.nodes()).filter(({ state }) => state !== 'dead')
    const node = living.find(({ nodeId }) => isNodeOf(nodeId, params.id ?? ''))
    if (!isKnown || node === undefined) throw new GatewayError('NODE_NOT_FOUND')
    if (living.every(({ state }) => state !== 'active'))
      warnings.push('No other node can take over: it keeps what it has until one comes.')
    return { node: nodeRecord(node) }
  },
})
