import type { ClusterNode } from './node.js'
import type { Incarnation } from './ownership/protocol.js'
import type { RoutingTable } from './router-types.js'

export interface RoutingTableOptions {
  /** This node. */
  readonly incarnation: Incarnation
  readonly address: string
  readonly node: Pick<ClusterNode, 'epochOf' | 'ownerOf' | 'onChange'>
  readonly actors: {
    isReady(shard: number): boolean
    onChange(listener: () => void): void
  }
}

/** The owners of shards for the router: this node once its actors are ready, another one as the table of shards says. */
export function createRoutingTable({ incarnation, address, node, actors }: RoutingTableOptions): RoutingTable {
  return {
    ownerOf(shard) {
      const own = node.epochOf(shard)
      if (own !== undefined && actors.isReady(shard)) return { incarnation, address, epoch: own }
      const known = node.ownerOf(shard)
      if (known === null) return 'none'
      if (known.node.incarnation === incarnation) return 'moving'
      return { incarnation: known.node.incarnation, address: known.node.address, epoch: known.epoch }
    },
    onChange(listener) {
      actors.onChange(listener)
      return node.onChange(listener)
    },
  }
}
