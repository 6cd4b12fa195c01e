import type { NodeRecord, StoreStateRecord } from '../../schemas/generated.js'
import type { NodeView, StoreLossView, StoreView } from '../../schemas/ports/cluster.js'

/** Returns the record of a node for administrators. */
export function nodeRecord({ nodeId, registered, lastSeen, ...node }: NodeView): NodeRecord {
  return {
    id: nodeId,
    ...node,
    registered: registered.toISOString(),
    lastSeen: lastSeen?.toISOString() ?? null,
  }
}

export function storeStateRecord({ state, wentBack }: StoreView): StoreStateRecord {
  return { state, wentBack: wentBack === null ? null : storeLossRecord(wentBack) }
}

/** Returns the record of a loss, for administrators and for their streams. */
export function storeLossRecord(loss: StoreLossView): NonNullable<StoreStateRecord['wentBack']> {
  const { era, cause, noticedAt, noticedBy, from, until } = loss
  return {
    era,
    cause,
    noticedAt: noticedAt.toISOString(),
    noticedBy,
    lostFrom: from?.toISOString() ?? null,
    lostUntil: until?.toISOString() ?? null,
  }
}
