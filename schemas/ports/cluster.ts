/** The cluster and the health of a node, as operators see them. Types only. */
import type { InstanceId } from '../ids.js'

export interface Health {
  /** Can this node serve? `reasons` are sentences for operators. */
  ready(): Promise<{ ready: boolean; reasons: readonly string[] }>
  /** Prometheus text. */
  metrics(): Promise<{ contentType: string; body: string }>
}

/** One life of a node. */
export interface NodeView {
  /** Random, of this life of the process. */
  readonly incarnation: string
  /** NODE_ID. */
  readonly nodeId: string
  readonly address: string
  readonly version: string
  /** `silent`: a sign of life is overdue. `dead`: it still owns shards, which others will claim. */
  readonly state: 'active' | 'draining' | 'silent' | 'dead'
  /** The node that answers. */
  readonly isSelf: boolean
  readonly shards: number
  /** Number of instances that should be connected. */
  readonly instances: number
  readonly registered: Date
  /** As far as the node that answers has seen. */
  readonly lastSeen: Date | null
}

export interface ShardView {
  readonly shard: number
  readonly epoch: number
  /** When it came to its owner, or got its epoch. */
  readonly since: Date
  readonly incarnation: string | null
  readonly nodeId: string | null
  /** Nobody lives who owns it. */
  readonly isFree: boolean
  /** Number of instances that should be connected. */
  readonly instances: number
}

export interface PlacementView {
  readonly shard: number
  readonly epoch: number
  readonly since: Date
  /** `moving`: this node owns it, and is not ready yet or about to give it away. `none`: nobody lives who owns it. */
  readonly state: 'here' | 'there' | 'moving' | 'none'
  readonly owner: { readonly incarnation: string; readonly nodeId: string; readonly address: string } | null
}

/** Whether PostgreSQL has all that it has confirmed. */
export interface StoreView {
  /** Only in `current` the node serves instances. */
  readonly state: 'current' | 'outdated' | 'foreign' | 'behind'
  /** The last time that it went back. */
  readonly wentBack: StoreLossView | null
}

/** The store went back in time: commits between two times may be missing. A null time is not known. */
export interface StoreLossView {
  readonly era: number
  readonly cause: 'failover' | 'restore'
  readonly noticedAt: Date
  readonly noticedBy: string
  readonly from: Date | null
  readonly until: Date | null
}

/** The same on every node, but for what each has seen of the others. */
export interface ClusterView {
  nodes(): Promise<readonly NodeView[]>
  /** As the node that answers sees it. */
  store(): StoreView
  /** In the order of their numbers. */
  shards(): Promise<readonly ShardView[]>
  /** Null when there is no such instance. */
  placement(instance: InstanceId): Promise<PlacementView | null>
  /** The node gives everything away, for as long as it runs. False: no living node has this id. */
  drain(nodeId: string): Promise<boolean>
}

/** How the processes of the nodes did in the last hour, as nodes tell each other, and as the API shows it. */

/** One minute of a process. Plain JSON: nodes send it to each other. */
export interface MinuteReading {
  /** Beginning of the minute. */
  readonly atMs: number
  /** Delay of the event loop that 99 of 100 measurements stay below. */
  readonly lagMs: number
  /** Resident memory at the end of the minute. */
  readonly memoryBytes: number
  /** Duration of a transaction of the journal that 99 of 100 stay below; 0 without any. */
  readonly commitMs: number
  /** Largest size of the writes that waited for a transaction. */
  readonly waitingBytes: number
  /** The longest stop of the event loop of at least 250 ms. Missing without one, and from nodes of former releases. */
  readonly stop?: StopReading
}

/** A stop of the event loop and the work that took most of it; empty texts if that is not known, or is not of one instance. */
export interface StopReading {
  readonly ms: number
  readonly kind: string
  readonly operation: string
  /** Missing from nodes of former releases. */
  readonly feature?: string
  readonly instance: string
}

export interface NodeReadings {
  /** NODE_ID. */
  readonly nodeId: string
  readonly incarnation: string
  /** Oldest first. Null if the node did not answer in time, or runs a release that does not tell. */
  readonly minutes: readonly MinuteReading[] | null
}

export interface ReadingDirectory {
  /** Returns the readings of the living nodes, by name, at most some seconds old. Never rejects. */
  read(): Promise<readonly NodeReadings[]>
}
