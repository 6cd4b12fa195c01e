import { setTimeout as pause } from 'node:timers/promises'
import type { ReadingDirectory } from '../../schemas/ports/cluster.js'
import type { NodeLease } from './lease.js'
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

export interface JoinedNode {
  readonly node: ClusterNode
  readonly router: Router
  /**
   * Returns true when no other node lives that answers callers, as far as is known. A node that joins speaks to the others before it
   * answers any caller (`meetNeighbours`), and is in the table that is read a moment later.
   */
  isAlone(): boolean
  /** Number of calls that are served for other nodes. */
  served(): number
  /** Returns how each living node did in the last hour. */
  readonly readings: ReadingDirectory
  /**
   * Gives all shards to other nodes. Takes at most `withinMs`, and at least `notBeforeMs`, so that balancers notice. Returns false when
   * that did not work, at once when there is no other node.
   */
  drain(withinMs: number, notBeforeMs: number): Promise<boolean>
  /** Ends everything that is left here, and tells the others. */
  leave(): Promise<void>
  /** Call when the process fails and its sockets have ended: tells the others, so that they need not wait, and answers calls held here. */
  abandon(): void
}
