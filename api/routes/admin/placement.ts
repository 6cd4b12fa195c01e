import { GatewayError } from '../../../schemas/errors.js'
import type { PlacementReply } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { adminRoute } from '../../route.js'

export const tellPlacement = adminRoute({
  method: 'GET',
  path: '/admin/instances/:id/placement',
  name: 'tellPlacement',
  area: 'Cluster',
  summary: 'Show which node owns an instance',
  schema: 'admin/placement.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ params }, { ports }): Promise<PlacementReply> {
    const instance = params.id ?? ''
    const placement = await ports.cluster.placement(instance as InstanceId)
    if (placement === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    const { shard, state, owner, epoch, since } = placement
    return {
      instance,
      shard,
      state,
      node: owner?.nodeId ?? null,
      incarnation: owner?.incarnation ?? null,
      address: owner?.address ?? null,
      epoch,
      since: since.toISOString(),
    }
  },
})
