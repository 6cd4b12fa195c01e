import type pg from 'pg'
import type { Incarnation, NodeId, NodeRow } from './ownership/protocol.js'

/** A living node, or a dead one that still owns shards. */
export interface NodeCensus extends Omit<NodeRow, 'revision'> {
  readonly registered: Date
  readonly shards: number
  readonly instances: number
}

export interface ShardCensus {
  readonly shard: number
  readonly epoch: number
  readonly updated: Date
  readonly incarnation: Incarnation | null
  readonly nodeId: NodeId | null
  /** Null as well when the owner is not among the nodes. */
  readonly address: string | null
  readonly isOwnerDead: boolean
  readonly instances: number
}

/**
 * The cluster as SQL has it, for administrators. Instances are those that should be connected: they are counted in the index
 * `instance_to_connect`, without a look at their rows.
 */
export interface ClusterRows {
  nodes(): Promise<readonly NodeCensus[]>
  shards(): Promise<readonly ShardCensus[]>
  /** Returns null when there is no such instance. */
  shardOfInstance(instance: string): Promise<Omit<ShardCensus, 'instances'> | null>
  /** Makes a node, or all processes of a machine, drain for the rest of their lives. Returns false when no living one has this name. */
  setDraining(nodeId: NodeId): Promise<boolean>
}

const WANTED = 'SELECT shard, count(*)::int AS instances FROM instance WHERE desired_connected GROUP BY shard'

const NODES = `
  WITH wanted AS (${WANTED}), owned AS (
    SELECT s.owner, count(*)::int AS shards, coalesce(sum(w.instances), 0)::int AS instances
    FROM shard_owner AS s LEFT JOIN wanted AS w USING (shard) GROUP BY s.owner
  )
  SELECT n.incarnation, n.node_id AS "nodeId", n.address, n.version, n.draining AS "isDraining", n.dead AS "isDead", n.registered,
    coalesce(o.shards, 0) AS shards, coalesce(o.instances, 0) AS instances
  FROM node AS n LEFT JOIN owned AS o ON o.owner = n.incarnation
  WHERE NOT n.dead OR o.owner IS NOT NULL
  ORDER BY n.node_id, n.registered`

const SHARD = `s.shard, s.epoch, s.updated, s.owner AS incarnation, n.node_id AS "nodeId", n.address,
  s.owner IS NOT NULL AND coalesce(n.dead, true) AS "isOwnerDead"`

const SHARDS = `
  WITH wanted AS (${WANTED})
  SELECT ${SHARD}, coalesce(w.instances, 0) AS instances
  FROM shard_owner AS s LEFT JOIN node AS n ON n.incarnation = s.owner LEFT JOIN wanted AS w USING (shard)
  ORDER BY s.shard`

// $1 instance
const SHARD_OF_INSTANCE = `
  SELECT ${SHARD}
  FROM instance AS i JOIN shard_owner AS s USING (shard) LEFT JOIN node AS n ON n.incarnation = s.owner
  WHERE i.id = $1`

// $1 node id, or the name before the `~` of the processes of one machine
const SET_DRAINING =
  "UPDATE node SET draining = true WHERE (node_id = $1 OR split_part(node_id, '~', 1) = $1) AND NOT dead RETURNING incarnation"

export function createClusterRows(pool: Pick<pg.Pool, 'query'>): ClusterRows {
  return {
    nodes: async () => (await pool.query<NodeCensus>(NODES)).rows,
    shards: async () => (await pool.query<ShardCensus>(SHARDS)).rows,
    shardOfInstance: async (instance) => (await pool.query<ShardCensus>(SHARD_OF_INSTANCE, [instance])).rows[0] ?? null,
    setDraining: async (nodeId) => ((await pool.query(SET_DRAINING, [nodeId])).rowCount ?? 0) > 0,
  }
}
