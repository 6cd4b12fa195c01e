import type { ClusterView, NodeView, PlacementView, StoreView } from '../../schemas/ports/cluster.js'
import type { ClusterRows, NodeCensus } from './cluster-rows.js'
import type { ClusterNode, SignOfLife } from './node.js'
import type { Incarnation } from './ownership/protocol.js'

export interface ClusterViewOptions {
  readonly rows: ClusterRows
  /** This node, and its view of the others. */
  readonly incarnation: Incarnation
  readonly node: Pick<ClusterNode, 'epochOf' | 'signOfLife' | 'hint'>
  readonly store: StoreView
  /** Announces to the others that the table has changed. */
  readonly announce: () => void
}

/** Returns the cluster as this node sees it: owners as SQL has them, signs of life as this node has seen them. */
export function createClusterView({ rows, incarnation, node, store, announce }: ClusterViewOptions): ClusterView {
  return {
    async nodes() {
      return (await rows.nodes()).map((row) => nodeView(row, row.incarnation === incarnation))
    },

    store: () => ({ state: store.state, wentBack: store.wentBack }),

    async shards() {
      return (await rows.shards()).map(
        ({ shard, epoch, updated, incarnation: owner, nodeId, isOwnerDead, instances }) => ({
          shard,
          epoch,
          since: updated,
          incarnation: owner,
          nodeId,
          isFree: owner === null || isOwnerDead,
          instances,
        }),
      )
    },

    async placement(instance): Promise<PlacementView | null> {
      const row = await rows.shardOfInstance(instance)
      if (row === null) return null
      const { shard, epoch, updated: since, incarnation: owner, nodeId, address, isOwnerDead } = row
      const place = { shard, epoch, since }
      if (owner === null || nodeId === null || address === null || isOwnerDead)
        return { ...place, state: 'none', owner: null }
      const isMoving = owner === incarnation && node.epochOf(shard) !== epoch
      const state = owner !== incarnation ? 'there' : isMoving ? 'moving' : 'here'
      return { ...place, state, owner: { incarnation: owner, nodeId, address } }
    },

    async drain(nodeId) {
      if (!(await rows.setDraining(nodeId))) return false
      node.hint()
      announce()
      return true
    },
  }

  function nodeView({ isDead, isDraining, ...row }: NodeCensus, isSelf: boolean): NodeView {
    const sign = isDead ? undefined : node.signOfLife(row.incarnation)
    const agoMs = sign?.agoMs ?? null
    return {
      ...row,
      isSelf,
      state: stateOf({ isDead, isDraining }, sign),
      lastSeen: agoMs === null ? null : new Date(Date.now() - agoMs),
    }
  }
}

/** Returns the state that matters most: a node that gives no sign of life may drain as well. */
export function stateOf(
  node: { isDead: boolean; isDraining: boolean },
  sign: SignOfLife | undefined,
): NodeView['state'] {
  if (node.isDead) return 'dead'
  if (sign?.isLate) return 'silent'
  return node.isDraining ? 'draining' : 'active'
}
