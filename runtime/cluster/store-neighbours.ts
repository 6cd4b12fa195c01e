/** Tells other nodes which store is the newest, while Redis, from which they would learn it, is away. */
import type { StoreIdentity } from './lease-scripts.js'
import type { Incarnation } from './ownership/protocol.js'
import type { PeerClient } from './peers/client.js'
import type { NodePlace } from './peers/protocol.js'

export interface NeighboursOptions {
  /** This node. */
  readonly incarnation: Incarnation
  readonly peers: Pick<PeerClient, 'tellStore' | 'probe'>
  readonly timeoutMs: number
}

/**
 * Tells these nodes, and the nodes that they know. Returns true when each has answered that it acts by no older store, or has ended. A node
 * that does not answer may still act by an old primary.
 */
export async function tellNeighbours(
  store: StoreIdentity,
  nodes: readonly NodePlace[],
  options: NeighboursOptions,
): Promise<boolean> {
  const told = new Set([options.incarnation])
  for (let next = nodes; next.length > 0; ) {
    for (const { incarnation } of next) told.add(incarnation)
    const answers = await Promise.all(next.map((node) => tell(store, node, options)))
    if (answers.includes(null)) return false
    const known = new Map(answers.flatMap((all) => all ?? []).map((node) => [node.incarnation, node]))
    next = [...known.values()].filter(({ incarnation }) => !told.has(incarnation))
  }
  return true
}

/** Returns the nodes that a node knows; null unless it surely acts by no older store. */
async function tell(
  store: StoreIdentity,
  { incarnation, nodeId, address }: NodePlace,
  { peers, timeoutMs }: NeighboursOptions,
): Promise<readonly NodePlace[] | null> {
  const answer = await peers.tellStore(address, store, timeoutMs)
  if (answer !== null) {
    // A later life of the node listens there, so the former one has ended.
    const isThatNode = answer.incarnation === incarnation || answer.nodeId === nodeId
    return isThatNode && answer.isHeeded ? answer.nodes : null
  }
  const probed = await peers.probe(address, timeoutMs)
  return probed.type === 'lost' && probed.why === 'refused' ? [] : null
}
