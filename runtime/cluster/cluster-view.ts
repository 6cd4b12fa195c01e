import type pg from 'pg'
import type { ClusterView, NodeView, PlacementView, StoreView } from '../../schemas/ports/cluster.js'
import type { ClusterNode, SignOfLife } from './node.js'
import type { Incarnation, NodeId, NodeRow } from './ownership/protocol.js'

export interface ClusterViewOptions {
  readonly rows: ClusterRows
  /** This node, and its view of the others. */
  readonly incarnation: Incarnation
  readonly node: Pick<ClusterNode, 'findEpoch' | 'signOfLife' | 'hint'>
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
      const isMoving = owner === incarnation && node.findEpoch(shard) !== epoch
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
      state: judgeNodeState({ isDead, isDraining }, sign),
      lastSeen: agoMs === null ? null : new Date(Date.now() - agoMs),
    }
  }
}

/** Returns the state that matters most: a node that gives no sign of life may drain as well. */
export function judgeNodeState(
  node: { isDead: boolean; isDraining: boolean },
  sign: SignOfLife | undefined,
): NodeView['state'] {
  if (node.isDead) return 'dead'
  if (sign?.isLate) return 'silent'
  return node.isDraining ? 'draining' : 'active'
}

/** A living node, or a dead one that still owns shards. */
interface NodeCensus extends Omit<NodeRow, 'revision'> {
  readonly registered: Date
  readonly shards: number
  readonly instances: number
}

interface ShardCensus {
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
interface ClusterRows {
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
