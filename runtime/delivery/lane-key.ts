/** A lane of webhook deliveries: one webhook and one chat. Order holds within it, and nothing in it holds another up. */
export interface Lane {
  readonly webhookId: string
  /** The chat's id; minus the instance's number for events of no chat. */
  readonly lane: number
}

export function formatLaneKey({ webhookId, lane }: Lane): string {
  return `${webhookId}:${lane}`
}

export function laneOfKey(key: string): Lane {
  const at = key.lastIndexOf(':')
  return { webhookId: key.slice(0, at), lane: Number(key.slice(at + 1)) }
}

/**
 * Names a line of batches of a webhook. It stands for lanes wherever a lane sends: in the scheduler, at the receiver and at its breaker. `laneOfKey` finds
 * its webhook.
 */
export function formatBatchKey(webhookId: string, line: number): string {
  return `${webhookId}${BATCHES}${line}`
}

export function isBatchKey(key: string): boolean {
  return key.includes(BATCHES)
}

/** Ids of webhooks have no colon, and numbers of lanes no letter. */
const BATCHES = ':b'
