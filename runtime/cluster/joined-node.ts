import { setTimeout as pause } from 'node:timers/promises'
import type { NodeLease } from './lease.js'
import type { JoinedNode } from './member.js'
import type { Membership } from './membership.js'
import type { ClusterNode } from './node.js'
import type { Router } from './router-types.js'
import type { ShardTable } from './shard-table.js'

export interface JoinedNodeOptions {
  readonly node: ClusterNode
  readonly router: Router
  readonly server: { readonly inFlight: number }
  readonly membership: Membership
  readonly readings: JoinedNode['readings']
  readonly lease: Pick<NodeLease, 'leave'>
  readonly table: Pick<ShardTable, 'leave'>
  /** Time since another node last asked for the state of this one; it may not be in the table yet. */
  readonly sinceMetMs: () => number
  /** Time between two readings of the table. */
  readonly pollTableMs: number
}

/** Number of readings of the table after which a node that this one met is surely in it. */
const MET_POLLS = 10

/** Returns the actions of a node that has joined its cluster. */
export function createJoinedNode(options: JoinedNodeOptions): JoinedNode {
  const { node, router, server, membership, readings, lease, table, sinceMetMs, pollTableMs } = options
  return {
    node,
    router,
    isAlone: () => membership.others().length === 0 && sinceMetMs() > MET_POLLS * pollTableMs,
    served: () => server.inFlight,
    readings,
    async drain(withinMs, notBeforeMs) {
      const endMs = performance.now() + withinMs
      if (membership.hasEnded || !membership.hasTakers()) return false
      const noticed = pause(Math.min(withinMs, notBeforeMs))
      node.drain()
      await membership.ended(() => !membership.hasTakers() || performance.now() >= endMs)
      await noticed
      return membership.hasEnded
    },
    async leave() {
      node.stop()
      await membership.ended()
      await Promise.allSettled([lease.leave(), table.leave()])
    },
    abandon() {
      router.abandon()
      void lease.leave()
      table.leave().catch(() => {})
    },
  }
}
