import type { NodeRecord } from '../../schemas/generated.js'
import type { NodeView } from '../../schemas/ports/cluster.js'

/** A node as administrators see it. */
export function nodeRecord({ nodeId, registered, lastSeen, ...node }: NodeView): NodeRecord {
  return {
    id: nodeId,
    ...node,
    registered: registered.toISOString(),
    lastSeen: lastSeen?.toISOString() ?? null,
  }
}
