import type { Host } from '../../actors/host.js'
import type { FilesToSend } from '../../actors/instance/ports.js'
import type { Routes } from '../../actors/network/route/routes.js'
import type { NodeTurnFiles } from '../agents/turn-files.js'
import type { ClusterMetrics } from '../cluster/cluster-metrics.js'
import type { Hints } from '../cluster/hints.js'
import type { JoinedNode } from '../cluster/joined-node.js'
import type { Member, MemberParts } from '../cluster/member.js'
import type { Journal } from '../store/journal.js'
import type { StoreReader } from '../store/reader.js'

/** The instances of this node, and the journal that makes their writes durable. */
export interface Actors {
  readonly routes: Routes
  readonly journal: Journal
  readonly host: Host
  readonly reader: StoreReader
  readonly filesToSend: FilesToSend
  /** Files of messages, for agents. */
  readonly turnFiles: NodeTurnFiles
}

/** This node among the others: its proof of life and the hints of others, from the start; its shards, once it has joined. */
export interface ClusterMembership {
  readonly guard: Member['guard']
  readonly hints: Hints
  readonly metrics: ClusterMetrics
  /** Whether the store went back in time. */
  readonly store: Member['store']
  /** Undefined before the node has joined. */
  readonly joined: JoinedNode | undefined
  join(parts: MemberParts): Promise<JoinedNode>
  /** Reads the table of shards soon. */
  lookAtTable(): void
  /** Returns the epoch under which this node owns the shard; undefined when it does not. */
  findEpoch(shard: number): number | undefined
}
