import type { NodeRecord } from '../../schemas/generated.js'
import type { NodeView } from '../../schemas/ports/cluster.js'

/** Returns the record of a node for administrators. */
export function nodeRecord({ nodeId, registered, lastSeen, ...node }: NodeView): NodeRecord {
  return {
    id: nodeId,
    ...node,
    registered: registered.toISOString(),
    lastSeen: lastSeen?.toISOString() ?? null,
  }
}
